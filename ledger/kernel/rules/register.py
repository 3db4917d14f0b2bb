"""The register of a game's rules: the requirement of each numbered rule, in English and French."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
import rtoml

from ledger.kernel.language.phrase import unbroken


class Rule(msgspec.Struct, frozen=True):
    """A numbered rule, in one language.

    `requires` is the requirement enforced by the service, `decision` the interpretation for a gap in the
    document, `actions` the kinds of actions that carry the rule, `rests_on` the rules that explain a refusal by
    the rule. A `retired` rule is dropped: only stored events cite the rule.
    """

    id: str
    title: str
    requires: str
    category: str
    actions: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    decision: str = ""
    retired: bool = False

    @property
    def article(self) -> str:
        """The article of the document that contains the rule: "VI.F" of "VI.F.2"."""
        return self.id.rpartition(".")[0]


class Register:
    """All rules of a game, in document order."""

    def __init__(self, rules: Mapping[str, Mapping[str, Rule]]) -> None:
        self._rules = rules
        self._carried: dict[str, tuple[str, ...]] = {}
        for rule in self.rules():
            for kind in rule.actions:
                self._carried[kind] = (*self._carried.get(kind, ()), rule.id)

    @classmethod
    def read(cls, text: str) -> Register:
        """Read the text of rules.toml: rules in English, each with the French of its texts as `fr`."""
        rows = rtoml.loads(text)["rule"]
        return cls(
            {
                "en": {row["id"]: msgspec.convert(row, Rule) for row in rows},
                "fr": {
                    row["id"]: msgspec.convert(
                        {**row, **{name: unbroken(text) for name, text in row["fr"].items()}}, Rule
                    )
                    for row in rows
                },
            }
        )

    def get(self, rule_id: str, language: str = "en") -> Rule | None:
        """Return the rule with the given id, or None."""
        return self._rules[language].get(rule_id)

    def rules(self, language: str = "en") -> Iterator[Rule]:
        """Iterate over all rules, in document order."""
        return iter(self._rules[language].values())

    def rules_of(self, kind: str) -> tuple[str, ...]:
        """Return the ids of the rules carried by a kind of action, in document order."""
        return self._carried.get(kind, ())

    def grounds(self, rule_id: str) -> tuple[str, ...]:
        """Return the ids of the rules behind a refusal by the rule: the rule itself, then the rules it rests
        on.
        """
        rule = self.get(rule_id)
        return (rule_id,) if rule is None else (rule_id, *rule.rests_on)

    def __contains__(self, rule_id: object) -> bool:
        return rule_id in self._rules["en"]

    def __len__(self) -> int:
        return len(self._rules["en"])

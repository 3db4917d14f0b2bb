"""The register of a game's rules: the requirement of each numbered rule, in English and French.

The texts of a rule take the values of a game's settings: `{jail_fine:money}` is the fine of the game, and the
cases of the rule have the texts for other settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import rtoml
from msgspec.structs import replace

from ledger.kernel.language.numerals import NUMERALS
from ledger.kernel.language.phrase import unbroken
from ledger.kernel.language.sentences import Speaker, speak

_TEXTS = ("title", "requires", "decision")


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of a rule for some settings: with all values of `when`, and without any value of `unless`.

    A `title`, `requires` or `decision` replaces the text of the rule; `also` is added to the requirement. In
    `when` and `unless` a false value stands for a setting without a value, too.
    """

    when: Mapping[str, Any] = {}
    unless: Mapping[str, Any] = {}
    title: str = ""
    requires: str = ""
    also: str = ""
    decision: str = ""

    def holds(self, settings: object) -> bool:
        """Return True if the case fits the settings of a game."""
        return all(_same(getattr(settings, name), value) for name, value in self.when.items()) and not any(
            _same(getattr(settings, name), value) for name, value in self.unless.items()
        )


def _same(value: Any, expected: Any) -> bool:
    if expected is False:
        return value is False or value is None
    return bool((list(value) if isinstance(value, tuple) else value) == expected)


class Rule(msgspec.Struct, frozen=True):
    """A numbered rule, in one language.

    `requires` is the requirement enforced by the service, `decision` the interpretation for a gap in the
    document, `actions` the kinds of actions that carry the rule, `rests_on` the rules that explain a refusal by
    the rule. A `retired` rule is dropped: only stored events cite the rule. `cases` are the texts for some
    settings, in the order of application.
    """

    id: str
    title: str
    requires: str
    category: str
    actions: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    decision: str = ""
    retired: bool = False
    cases: tuple[Case, ...] = ()

    @property
    def varies(self) -> bool:
        """True if the texts depend on the settings of a game."""
        return bool(self.cases) or any("{" in getattr(self, name) for name in _TEXTS)

    def worded(self, settings: object, language: str, speakers: Mapping[str, Speaker]) -> Rule:
        """Return the rule in the words for the settings of a game."""
        texts = {name: getattr(self, name) for name in _TEXTS}
        for case in self.cases:
            if case.holds(settings):
                texts |= {name: getattr(case, name) for name in _TEXTS if getattr(case, name)}
                texts["requires"] += f" {case.also}" if case.also else ""
        manners = {**speakers, **NUMERALS}
        spoken = {name: speak(text, settings, language, manners) for name, text in texts.items()}
        return replace(self, **spoken, cases=())

    @property
    def article(self) -> str:
        """The article of the document that contains the rule: "VI.F" of "VI.F.2"."""
        return self.id.rpartition(".")[0]


class Register:
    """All rules of a game, in document order."""

    def __init__(self, rules: Mapping[str, Mapping[str, Rule]]) -> None:
        self._rules = rules
        self._carried: dict[str, tuple[str, ...]] = {}
        self.varies = any(rule.varies for rule in self.rules())
        """True if some texts depend on the settings of a game."""
        for rule in self.rules():
            for kind in rule.actions:
                self._carried[kind] = (*self._carried.get(kind, ()), rule.id)

    @classmethod
    def read(cls, text: str) -> Register:
        """Read the text of rules.toml: rules in English, each with the French of its texts as `fr`."""
        rows = rtoml.loads(text)["rule"]
        return cls(
            {
                "en": {row["id"]: msgspec.convert(_english(row), Rule) for row in rows},
                "fr": {row["id"]: msgspec.convert(_french(row), Rule) for row in rows},
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


def _english(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of the file in English, cases included."""
    cases = [_english(case) for case in row.get("cases", ())]
    return {name: value for name, value in row.items() if name != "fr"} | ({"cases": cases} if cases else {})


def _french(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of the file in French, cases included."""
    cases = [_french(case) for case in row.get("cases", ())]
    return (
        _english(row)
        | {name: unbroken(text) for name, text in row["fr"].items()}
        | ({"cases": cases} if cases else {})
    )

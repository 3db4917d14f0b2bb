"""The words for the parameters of actions, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import rtoml
from msgspec.structs import replace

from ledger.kernel.language.phrase import Phrase


class ParameterWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words for a parameter in each language: title and description; and labels of the values, if any."""

    en: tuple[str, str]
    fr: tuple[str, str]
    values: Mapping[str, Phrase] = {}

    @property
    def title(self) -> Phrase:
        """The title in both languages."""
        return Phrase(self.en[0], self.fr[0])

    @property
    def description(self) -> Phrase:
        """The description in both languages."""
        return Phrase(self.en[1], self.fr[1])


class OrderWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An order of a ruling as a sentence with blanks in each language: `{seat}` is the member of that name.

    `purpose` names the purpose of the order; empty for a part of an order.
    """

    en: str
    fr: str
    purpose: str = ""

    @property
    def sentence(self) -> Phrase:
        """The sentence in both languages."""
        return Phrase(self.en, self.fr)


class ParameterWording:
    """The words for the parameters of a game, by name; and by kind of action, for kinds with different words."""

    def __init__(
        self, names: Mapping[str, ParameterWords], kinds: Mapping[str, Mapping[str, ParameterWords]]
    ) -> None:
        self._names = dict(names)
        self._kinds = {kind: dict(words) for kind, words in kinds.items()}
        self._orders: dict[str, OrderWords] = {}
        self.purposes: dict[str, Phrase] = {}
        """The purposes of orders, by name, in the order of a form."""

    @classmethod
    def read(cls, *texts: str) -> ParameterWording:
        """Read the words from TOML texts. A later text overrides an earlier text name by name; labels add up.

        For example:
            [to]
            en = ["To", "The seat that receives."]
            fr = ["À", "Le siège qui reçoit."]
            [measure]
            en = ["Measure", "What the police may do."]
            fr = ["Mesure", "Ce que peut faire la police."]
            values = { check = { en = "a check", fr = "un contrôle" } }
            [kinds.yield_turn.to]       # `to` of yield_turn alone
            [orders.fine]               # the order `fine` of a ruling, as a sentence with blanks
            purpose = "money"
            en = "{seat} pays a fine of {amount}."
            fr = "{seat} paie une amende de {amount}."
            [purposes]
            money = { en = "Money", fr = "Argent" }

        Raises rtoml.TomlParsingError, and msgspec.ValidationError for words of another shape.
        """
        wording = cls({}, {})
        for text in texts:
            rows: dict[str, Any] = rtoml.loads(text)
            kinds = msgspec.convert(rows.pop("kinds", {}), dict[str, dict[str, ParameterWords]])
            wording._orders.update(msgspec.convert(rows.pop("orders", {}), dict[str, OrderWords]))
            wording.purposes.update(msgspec.convert(rows.pop("purposes", {}), dict[str, Phrase]))
            for name, words in msgspec.convert(rows, dict[str, ParameterWords]).items():
                earlier = wording._names.get(name, words)
                wording._names[name] = replace(words, values={**earlier.values, **words.values})
            for kind, kind_words in kinds.items():
                wording._kinds.setdefault(kind, {}).update(kind_words)
        return wording

    def of(self, kind: str, name: str) -> ParameterWords | None:
        """Return the words for a parameter of a kind of action, or for a member of an object in a parameter."""
        return self._kinds.get(kind, {}).get(name) or self._names.get(name)

    def order(self, name: str) -> OrderWords | None:
        """Return the words for an order of a ruling by its `op`, or for a part of an order by its type."""
        return self._orders.get(name)


UNNAMED = ParameterWording({}, {})
"""No words: forms show the names of parameters themselves."""

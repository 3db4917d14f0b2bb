"""How sentences name what every game has: seats, accounts, money, and several things at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.names import told_apart
from ledger.kernel.facts.state import State
from ledger.kernel.language.sentences import AccountName, Speaker
from ledger.kernel.language.sentences import listed as listed

Both = tuple[str, str]
"""A text in English and in French."""


def said(words: Both, language: str) -> str:
    """The text in this language: "en" or "fr"."""
    return words[1] if language == "fr" else words[0]


HOUSE: Mapping[str, Both] = {"banker": ("the banker", "le banquier"), BANK: ("the bank", "la banque")}
"""The names of accounts and roles that are no seat but appear like one in sentences."""


def seat_speaker(state: State, others: Mapping[str, Both]) -> Speaker:
    """A formatter for seats by their player's name; `others` names other values ("banker"), None is nobody."""

    names = told_apart(state.seats)

    def seat(value: Any, language: str) -> str:
        if value is None:
            return said(("nobody", "personne"), language)
        if value in names:
            return names[value]
        return said(others[value], language) if value in others else str(value)

    return seat


def purse_speaker(seat: Speaker) -> Speaker:
    """A formatter for accounts: a player's by the seat's name, any other one by the formatter of seats."""
    return lambda value, language: seat(str(value).removeprefix("player:"), language)


def name_speaker(names: Mapping[Any, str]) -> Speaker:
    """A formatter for things with one name in both languages, by id; other values are shown as they are."""

    def name(value: Any, language: str) -> str:
        return names.get(value, str(value))

    return name


def phrase_speaker(phrases: Mapping[Any, Both]) -> Speaker:
    """A formatter for things with a name in each language, by id; other values are shown as they are."""

    def phrase(value: Any, language: str) -> str:
        return said(phrases[value], language) if value in phrases else str(value)

    return phrase


def account_speaker(names: Mapping[str, AccountName], speakers: Mapping[str, Speaker]) -> Speaker:
    """A formatter for accounts by the rulebook's `account_names`; an account without a name is shown as it is."""

    def account(value: Any, language: str) -> str:
        kind, _, owner = str(value).rpartition(":")
        named = names.get(value) or names.get(kind)
        if named is None:
            return str(value)
        whose = owner if named.of is None else speakers[named.of](owner, language)
        return said((named.en, named.fr), language).format(name=whose)

    return account

"""Formatters for names in sentences, common to all games: seats, accounts, money, and lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.names import told_apart
from ledger.kernel.facts.state import State
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import AccountName, Speaker
from ledger.kernel.language.sentences import listed as listed


def seat_speaker(state: State, others: Mapping[str, Phrase]) -> Speaker:
    """Build a formatter for seats by player name. `others` names further values ("banker"); None is nobody."""

    names = told_apart(state.seats)

    def seat(value: Any, language: str) -> str:
        if value is None:
            return Phrase("nobody", "personne").in_language(language)
        if value in names:
            return names[value]
        return others[value].in_language(language) if value in others else str(value)

    return seat


def plain_speakers(state: State, currency: str, names: Mapping[str, str]) -> dict[str, Speaker]:
    """Build the formatters of a small game: seats, accounts, money, and goods with the given names."""
    seat = seat_speaker(
        state, {"banker": Phrase("the banker", "le banquier"), BANK: Phrase("the bank", "la banque")}
    )
    return {
        "seat": seat,
        "account": lambda value, language: seat(str(value).removeprefix("player:"), language),
        "money": lambda value, _: f"{value} {currency}",
        "goods": name_speaker(names),
    }


def name_speaker(names: Mapping[Any, str]) -> Speaker:
    """Build a formatter for things with one name in both languages, by id; unknown values are shown unchanged."""

    def name(value: Any, language: str) -> str:
        return names.get(value, str(value))

    return name


def phrase_speaker(phrases: Mapping[Any, Phrase]) -> Speaker:
    """Build a formatter for things with a name in each language, by id; unknown values are shown unchanged."""

    def phrase(value: Any, language: str) -> str:
        return phrases[value].in_language(language) if value in phrases else str(value)

    return phrase


def account_speaker(names: Mapping[str, AccountName], speakers: Mapping[str, Speaker]) -> Speaker:
    """Build a formatter for accounts by the rulebook's `account_names`; an account without a name is shown
    unchanged.
    """

    def account(value: Any, language: str) -> str:
        kind, _, owner = str(value).rpartition(":")
        named = names.get(value) or names.get(kind)
        if named is None:
            return str(value)
        whose = owner if named.of is None else speakers[named.of](owner, language)
        return named.in_language(language).format(name=whose)

    return account

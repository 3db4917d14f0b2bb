"""How sentences name what every game has: seats, accounts, money, and several things at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ledger.kernel.accounts import BANK
from ledger.kernel.sentences import AccountName, Speaker
from ledger.kernel.state import State

Both = tuple[str, str]
"""Something said in English and in French."""


def said(words: Both, language: str) -> str:
    """The words in this language: "en" or "fr"."""
    return words[1] if language == "fr" else words[0]


HOUSE: Mapping[str, Both] = {"banker": ("the banker", "le banquier"), BANK: ("the bank", "la banque")}
"""Those whom sentences name like a seat, and who are none."""


def seat_speaker(state: State, others: Mapping[str, Both]) -> Speaker:
    """Seats by their player's name; `others` names who else may stand there ("banker")."""

    def seat(value: Any, language: str) -> str:
        if value in state.seats:
            return state.seats[value].name
        return said(others[value], language) if value in others else str(value)

    return seat


def purse_speaker(seat: Speaker) -> Speaker:
    """Accounts: those of players by their seat, any other one as the speaker of seats names it."""
    return lambda value, language: seat(str(value).removeprefix("player:"), language)


def name_speaker(names: Mapping[Any, str]) -> Speaker:
    """Things that have one name in every language, by their id; anything else is shown as it is."""

    def name(value: Any, language: str) -> str:
        return names.get(value, str(value))

    return name


def account_speaker(names: Mapping[str, AccountName], speakers: Mapping[str, Speaker]) -> Speaker:
    """Accounts by the names of the rulebook's `account_names`; an account without a name is shown as it is."""

    def account(value: Any, language: str) -> str:
        kind, _, owner = str(value).partition(":")
        named = names.get(value) or names.get(kind)
        if named is None:
            return str(value)
        whose = owner if named.of is None else speakers[named.of](owner, language)
        return said((named.en, named.fr), language).format(name=whose)

    return account


def listed(parts: Sequence[str], language: str) -> str:
    """Several things in a sentence: "a, b and c"."""
    joint = said((" and ", " et "), language)
    return joint.join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 2 else parts)

"""Coins: players may hide coins and show hidden coins again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Bounds, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negoces2.cards import COIN
from ledger.rulebooks.negoces2.table import Draft, Negoces2, player
from ledger.rulebooks.negoces2.terms import Coins, hidden, visible

chapter = Chapter("Coins")


@chapter.event
class CoinsHidden(Event, frozen=True, kw_only=True):
    """A player hides coins: others see fewer visible coins, but no number of hidden ones (coins.1)."""

    en: ClassVar[str] = "{seat:seat} hides {coins:coins}."
    fr: ClassVar[str] = "{seat:seat} cache {coins:coins}."

    rule: str = "negoces2:coins.1"
    seat: str
    coins: int


@chapter.event
class CoinsShown(Event, frozen=True, kw_only=True):
    """A player shows hidden coins again (coins.1)."""

    en: ClassVar[str] = "{seat:seat} shows {coins:coins}."
    fr: ClassVar[str] = "{seat:seat} montre {coins:coins}."

    rule: str = "negoces2:coins.1"
    seat: str
    coins: int


@chapter.action(
    summary=("hide coins of one's own", "cacher des pièces à soi"),
    when=("at any moment", "à tout moment"),
)
class HideCoins(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player hides any number of their visible coins at any time (coins.1)."""

    coins: Coins

    def decide(self, draft: Draft) -> None:
        """Refuse more than the visible coins. Hidden coins can be used like visible coins (coins.2)."""
        seat = player(draft, "negoces2:coins.1")
        moved = _transfer(draft, self.coins, visible(seat), hidden(seat))
        draft.record(CoinsHidden(seat=seat, coins=self.coins, postings=moved))

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer all visible coins; the number may be changed."""
        maximum = state.holdings.of(visible(seat), COIN)
        return (Choice({"coins": maximum}, free={"coins": Bounds(1, maximum)}),) if maximum else ()


@chapter.action(
    summary=("show hidden coins again", "montrer à nouveau des pièces cachées"),
    when=("at any moment", "à tout moment"),
)
class ShowCoins(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player shows any number of their hidden coins at any time (coins.1)."""

    coins: Coins

    def decide(self, draft: Draft) -> None:
        """Refuse more than the hidden coins."""
        seat = player(draft, "negoces2:coins.1")
        moved = _transfer(draft, self.coins, hidden(seat), visible(seat))
        draft.record(CoinsShown(seat=seat, coins=self.coins, postings=moved))

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer all hidden coins; the number may be changed."""
        maximum = state.holdings.of(hidden(seat), COIN)
        return (Choice({"coins": maximum}, free={"coins": Bounds(1, maximum)}),) if maximum else ()


def _transfer(draft: Draft, coins: int, source: str, target: str) -> tuple[Posting, ...]:
    """Return the posting of coins between a player's two accounts. Raises Impossible by coins.1 for too many."""
    balance = draft.state.holdings.of(source, COIN)
    if coins > balance:
        raise Impossible(
            "negoces2:coins.1",
            "{seat:seat} has {held} coins there, not {coins}",
            "{seat:seat} y a {held} pièces, pas {coins}",
            seat=draft.seat,
            held=balance,
            coins=coins,
        )
    return draft.move(COIN, coins, source, target)

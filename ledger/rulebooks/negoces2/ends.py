"""The end: victory is claimed between two sales, by coins or by goods, and settled when all have answered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal

from msgspec.structs import replace

from ledger.kernel.facts.audience import EVERYONE, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.faces.score import Score
from ledger.kernel.rules.wealth import Asset, Progress
from ledger.rulebooks.negoces2.cards import COIN, GOODS, VICTORY_COINS
from ledger.rulebooks.negoces2.table import Draft, Negoces2, coins_of, hand_shown, label, player, require_phase
from ledger.rulebooks.negoces2.terms import SALE_COINS, Claim, hand, hidden, offer_coins, visible
from ledger.rulebooks.parts.readers import Revealing

chapter = Chapter("End of the game")

TITLE = "Grand négociateur"
"""The title of the winner (end.10)."""

_GOODS = Phrase("goods", "marchandises")
_COINS = Phrase("coins", "pièces")
_COINS_IN_SIGHT = Phrase("coins in sight", "pièces visibles")


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class VictoryClaimed(Revealing, frozen=True, kw_only=True):  # hidden coins, or a card of each good in the hand
    """A player claims victory and shows the proof to everybody (end.3, end.4, end.7)."""

    en: ClassVar[str] = "{seat:seat} claims victory{proof:proof}."
    fr: ClassVar[str] = "{seat:seat} revendique la victoire{proof:proof}."

    rule: str
    seat: str
    way: Literal["coins", "cards"]
    coins: int | None
    """All the player's coins, for a claim by coins; None in a dry run."""

    @property
    def proof(self) -> tuple[Literal["coins", "cards"], int | None]:
        """The proof, for a sentence."""
        return self.way, self.coins

    def apply(self, state: Negoces2) -> None:
        """Store the claim. Each other player may now claim once (end.8)."""
        state.claims[self.seat] = Claim(way=self.way, coins=self.coins)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the proof; the claim itself stays."""
        return self if viewer.seat == self.seat else replace(self, coins=None, postings=())


@chapter.event
class VictoryDeclined(Event, frozen=True, kw_only=True):
    """A player declines to claim, whether they could or not (end.8)."""

    en: ClassVar[str] = "{seat:seat} claims nothing."
    fr: ClassVar[str] = "{seat:seat} ne revendique rien."

    rule: str = "negoces2:end.8"
    seat: str

    def apply(self, state: Negoces2) -> None:
        """Store the answer: each player has a single chance."""
        state.declined.add(self.seat)


@chapter.event
class ClaimsCompared(Revealing, frozen=True, kw_only=True):  # the hidden coins
    """Several players have claimed: the most coins win, whatever was claimed (end.8); a tie is shared (end.9)."""

    at_end: ClassVar[bool] = True
    en: ClassVar[str] = "The claims are compared: {coins:purses}."
    fr: ClassVar[str] = "Les revendications sont comparées : {coins:purses}."

    rule: str
    coins: dict[str, int] | None
    """All coins of each claimant; None in a dry run, and once the end is undone."""

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the coins."""
        return replace(self, rule="negoces2:end.8", coins=None)


@chapter.event
class GameEnded(Revealing, frozen=True, kw_only=True):  # a victory by hidden coins
    """The game ends and the winner is announced (end.10)."""

    at_end: ClassVar[bool] = True
    label: ClassVar[Phrase] = Phrase("The game ends", "La partie se termine")
    en: ClassVar[str] = "{winners:winners}."
    fr: ClassVar[str] = "{winners:winners}."

    rule: str = "negoces2:end.10"
    winners: tuple[str, ...] | None
    """The winners; several share the victory. None in a dry run, and once the end is undone."""

    def apply(self, state: Negoces2) -> None:
        """End the game; only rulings are possible now."""
        state.ended = True
        state.phase = "ended"
        state.turn = None
        state.winners = self.winners or ()

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the winners."""
        return replace(self, winners=None)


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("claim victory, by coins or by cards", "revendiquer la victoire, par les pièces ou par les cartes"),
    when=(
        "between two sales, once everybody has been seller",
        "entre deux ventes, une fois que chacun a été vendeur",
    ),
)
class DeclareVictory(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player claims victory with 31 coins (end.3), or with one card of each good (end.4), between two sales."""

    way: Literal["coins", "cards"]

    def decide(self, draft: Draft) -> None:
        """Refuse an unfounded claim, and show nothing on refusal (end.7)."""
        state = draft.state
        seat = player(draft, "negoces2:end.1")
        _require_window(draft)
        missing = [candidate for candidate in state.order if candidate not in state.sellers]
        draft.require(
            not missing,
            "negoces2:end.2",
            "{missing:seats} {missing:plural|has|have} not been seller yet: the game cannot end",
            "{missing:seats} {missing:plural|n'a|n'ont} pas encore été {missing:plural|vendeur|vendeurs} : "
            "la partie ne peut pas finir",
            missing=missing,
        )
        _require_unanswered(draft, seat)
        if self.way == "coins":
            self._by_coins(draft, seat)
        else:
            self._by_cards(draft, seat)

    def _by_coins(self, draft: Draft, seat: str) -> None:
        """Show all coins, including the hidden coins."""
        coins = coins_of(draft.state, seat)
        if coins < VICTORY_COINS:
            raise Impossible(
                "negoces2:end.3",
                "{seat:seat} has {coins} coins; victory takes {needed}",
                "{seat:seat} a {coins} pièces ; il en faut {needed} pour gagner",
                seat=seat,
                coins=coins,
                needed=VICTORY_COINS,
            )
        hidden_coins = draft.state.holdings.of(hidden(seat), COIN)
        postings = draft.move(COIN, hidden_coins, hidden(seat), visible(seat))
        draft.record(VictoryClaimed(rule="negoces2:end.3", seat=seat, way="coins", coins=coins, postings=postings))

    def _by_cards(self, draft: Draft, seat: str) -> None:
        """Show a card of each good. Contraband replaces no good (setup.11)."""
        state = draft.state
        missing = [card for card in GOODS.values() if not state.holdings.of(hand(seat), card)]
        if missing:
            raise Impossible(
                "negoces2:end.4",
                "{seat:seat} has no {goods}; victory takes one of each of the 8 goods",
                "{seat:seat} n'a pas : {marchandises} ; il faut une carte de chacune des 8 "
                "marchandises pour gagner",
                seat=seat,
                goods=", ".join(label(state, card, "en") for card in missing),
                marchandises=", ".join(label(state, card, "fr") for card in missing),
            )
        draft.record(VictoryClaimed(rule="negoces2:end.4", seat=seat, way="cards", coins=None))

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer both kinds of claim, while claims are possible."""
        return (Choice({"way": "coins"}), Choice({"way": "cards"})) if _may_answer(state, seat) else ()


@chapter.action(
    summary=("claim nothing, once somebody has claimed", "ne rien revendiquer, après une revendication"),
    when=("after a first claim of another player", "après une première revendication d'un autre joueur"),
)
class DeclineVictory(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player declines to claim (end.8).

    All players answer, so the answer does not reveal who could have claimed.
    """

    final: ClassVar[str | None] = "negoces2:end.8"

    def decide(self, draft: Draft) -> None:
        """Refuse without an open claim."""
        seat = player(draft, "negoces2:end.8")
        _require_window(draft)
        if not draft.state.claims:
            raise Impossible(
                "negoces2:end.8",
                "nobody has claimed victory: there is nothing to answer",
                "personne n'a revendiqué la victoire : il n'y a rien à répondre",
            )
        _require_unanswered(draft, seat)
        draft.record(VictoryDeclined(seat=seat))

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer the action after a claim."""
        return (Choice({}),) if state.claims and _may_answer(state, seat) else ()


def settle(draft: Draft) -> None:
    """End the game once a player has claimed victory and all others have answered (end.8 to end.10)."""
    state = draft.state
    if state.ended or not state.claims or len(state.claims) + len(state.declined) < len(state.order):
        return
    winners = tuple(seat for seat in state.order if seat in state.claims)
    if len(winners) > 1:
        coins = {seat: coins_of(state, seat) for seat in winners}
        winners = tuple(seat for seat in winners if coins[seat] == max(coins.values()))
        draft.record(ClaimsCompared(rule="negoces2:end.8" if len(winners) == 1 else "negoces2:end.9", coins=coins))
    draft.record(GameEnded(winners=winners))


def proclaim(draft: Draft, winners: tuple[str, ...], rule: str) -> None:
    """End the game, or change the winners, by ruling."""
    draft.record(GameEnded(rule=rule, winners=winners))


# ----------------------------------------------------------------------------------------------
# Questions
# ----------------------------------------------------------------------------------------------


def _may_answer(state: Negoces2, seat: str) -> bool:
    """Return True if the seat can claim or decline now, or can at least try."""
    open_now = state.phase == "between" and state.sales > 0
    return open_now and seat in state.seats and seat not in state.claims and seat not in state.declined


def _require_window(draft: Draft) -> None:
    """Raise Impossible unless a sale has ended and the next sale has not begun (end.1)."""
    require_phase(draft, "between", "negoces2:end.1")
    if not draft.state.sales:
        raise Impossible(
            "negoces2:end.1",
            "victory is claimed at the end of a sale, and none has been held",
            "la victoire se revendique à la fin d'une vente, et il n'y en a pas eu",
        )


def _require_unanswered(draft: Draft, seat: str) -> None:
    """Raise Impossible for a player who has already claimed or declined (end.8)."""
    if seat in draft.state.claims or seat in draft.state.declined:
        raise Impossible(
            "negoces2:end.8",
            "{seat:seat} has answered already: there is one chance each",
            "{seat:seat} a déjà répondu : chacun n'a qu'une chance",
            seat=seat,
        )


class Negoces2Score(Score[Negoces2]):
    """The winners, and the worth of the seats."""

    def wealth(self, state: Negoces2, seat: str) -> Sequence[Asset]:
        """Return the seat's coins, which decide between claims. Cards have no value (setup.12)."""
        hidden_coins = state.holdings.of(hidden(seat), COIN)
        return (*self.shown_wealth(state, seat), Asset("hidden", COIN, hidden_coins, hidden_coins))

    def shown_wealth(self, state: Negoces2, seat: str) -> tuple[Asset, ...]:
        """Return the coins in front of the seat and the coins laid on the table, which everybody can count.

        Laid coins belong to the player until the sale is completed.
        """
        visible_coins = state.holdings.of(visible(seat), COIN)
        laid = state.holdings.of(offer_coins(seat), COIN)
        if state.sale is not None and state.sale.seller == seat:
            laid += state.holdings.of(SALE_COINS, COIN)
        return (
            Asset("visible", COIN, visible_coins, visible_coins),
            Asset("laid", COIN, laid, laid),
        )

    def progress(self, state: Negoces2, seat: str) -> tuple[Progress, ...]:
        """Return the goods and the coins on the way to a victory (end.3, end.4).

        Goods are for those who see the hand. The coins that count are for the seat, the coins in sight for all.
        """
        in_hand = EVERYONE if hand_shown(state, seat) else only(seat)
        goods = sum(1 for card in GOODS.values() if state.holdings.of(hand(seat), card))
        visible_coins = state.holdings.of(visible(seat), COIN)
        return (
            Progress("goods", _GOODS, goods, len(GOODS), in_hand),
            Progress("coins", _COINS, coins_of(state, seat), VICTORY_COINS, only(seat)),
            Progress("coins", _COINS_IN_SIGHT, visible_coins, VICTORY_COINS),
        )

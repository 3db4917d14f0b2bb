"""Set-up: four merchants, sixty coins, eight series of four goods and a Contraband; the opener."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from ledger.kernel.facts.accounts import BOX, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, Malformed, NeedsDraw
from ledger.kernel.facts.state import Seat
from ledger.kernel.facts.values import SeatId, of_kind
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.rulebooks.negoces2.cards import CARDS, COIN, COINS_EACH, CONTRABAND, GOODS
from ledger.rulebooks.negoces2.table import Draft, Negoces2, Settings, names_at, require_phase
from ledger.rulebooks.negoces2.terms import SALE_CARD, hand, visible
from ledger.rulebooks.parts import opening
from ledger.rulebooks.parts.seats import seat_named

chapter = Chapter("Set-up")

Number = Annotated[int, Meta(ge=1, le=8, description="number of a good"), of_kind("good")]
OneDie = Annotated[
    tuple[Annotated[int, Meta(ge=1, le=4, description="the seat rolled, 1 to 4 clockwise"), of_kind("die")], ...],
    Meta(min_length=1, max_length=1),
]


class Drawn(msgspec.Struct, frozen=True):
    """A card that a player has drawn for the lot: the number of its good."""

    seat: str
    number: int


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class TableLaid(opening.LaidOut, frozen=True, kw_only=True):
    """The table is laid out: 15 visible coins each, Contraband alone on the market (setup.5, setup.10).

    Seats keep their clockwise order for the whole game (setup.13).
    """

    en: ClassVar[str] = "{names:names} sit down at the market with 15 coins each; {contraband:goods} lies there."
    fr: ClassVar[str] = (
        "{names:names} s'assoient autour du marché avec 15 pièces chacun ; la carte {contraband:goods} s'y trouve."
    )

    rule: str = "negoces2:setup.1"

    @property
    def contraband(self) -> str:
        """The card on the market."""
        return CONTRABAND


@chapter.event
class GoodsDealt(Event, frozen=True, kw_only=True):
    """Each player shows two whole series and takes them into the hand (setup.6 to setup.8)."""

    en: ClassVar[str] = "The goods are dealt: {series:series}."
    fr: ClassVar[str] = "Les marchandises sont distribuées : {series:series}."

    rule: str = "negoces2:setup.6"
    series: dict[str, tuple[int, int]]
    """The numbers of the two goods of each seat."""

    def apply(self, state: Negoces2) -> None:
        """Mark the goods as dealt."""
        state.dealt = True


@chapter.event
class StarterDrawn(Event, frozen=True, kw_only=True):
    """A lot decides who opens the auction (setup.14): the highest card, or a die of the service."""

    en: ClassVar[str] = "{seat:seat} is drawn to open the auction{rounds:lot_drawn}."
    fr: ClassVar[str] = "Le sort désigne {seat:seat} pour débuter les enchères{rounds:lot_drawn}."

    rule: str
    seat: str
    method: Literal["cards", "roll"]
    rounds: tuple[tuple[Drawn, ...], ...] = ()
    """The numbers drawn; after the first round only by the players with the highest number (setup.16)."""

    def apply(self, state: Negoces2) -> None:
        """Store the opener. The cards drawn go back before the deal (setup.15)."""
        state.starter = self.seat


@chapter.event
class StarterSet(Event, frozen=True, kw_only=True):
    """The winner of the last game opens the auction (setup.17)."""

    en: ClassVar[str] = "{seat:seat} won the last game and opens the auction."
    fr: ClassVar[str] = "{seat:seat} a gagné la partie précédente et débute les enchères."

    rule: str = "negoces2:setup.17"
    seat: str

    def apply(self, state: Negoces2) -> None:
        """Store the opener, without a lot."""
        state.starter = self.seat


@chapter.event
class AuctionOpened(Event, frozen=True, kw_only=True):
    """The cards are dealt and the opener is known: the auction of Contraband begins (auction.1)."""

    en: ClassVar[str] = "The auction is open: {seat:seat} bids first."
    fr: ClassVar[str] = "Les enchères sont ouvertes : {seat:seat} commence."

    rule: str = "negoces2:auction.1"
    seat: str

    def apply(self, state: Negoces2) -> None:
        """Give the turn to the opener."""
        state.phase = "auction"
        state.turn = self.seat


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


def check_last_winners(players: Iterable[Seat], settings: Settings) -> None:
    """Raise Malformed for a last winner without a seat at the table (setup.17)."""
    names = {player.seat: player.name for player in players}
    for winner in settings.last_winners:
        if winner not in names:
            raise Malformed(
                "last_winners: there is no seat {winner!r} at this table; its players are: {names} ({rule})",
                "last_winners : il n'y a pas de siège {winner!r} à cette table ; ses joueurs sont : "
                "{names} ({rule})",
                winner=winner,
                names=", ".join(names.values()),
                rule="negoces2:setup.17",
                place="/last_winners",
            )


def check_labels(settings: Settings) -> None:
    """Raise Malformed if two kinds of cards share a name (setup.18)."""
    called = names_at(settings)
    for language in ("en", "fr"):
        names = [called[card].in_language(language).casefold() for card in CARDS]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise Malformed(
                "two kinds of cards cannot have the same name: {names}",
                "deux sortes de cartes ne peuvent pas porter le même nom : {names}",
                names=", ".join(twice),
            )


@chapter.action(
    by=("system",),
    summary=("lay out a game", "installer une partie"),
    when=("first of all", "en tout premier"),
)
class SetupGame(opening.LayOut, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The service lays out the table: the first action of every game."""

    def decide(self, draft: Draft) -> None:
        """Give all 60 coins to the players (setup.5); the goods stay in the box until the deal."""
        opening.require_no_table(draft, "negoces2:setup.1")
        coins = tuple(Posting(COIN, COINS_EACH, BOX, visible(player.seat)) for player in self.players)
        market = Posting(CONTRABAND, 1, BOX, SALE_CARD)
        draft.record(TableLaid(postings=(*coins, market), **self.event_fields))


@chapter.action(
    by=("banker",),
    summary=("deal two series of goods to each player", "distribuer deux séries de marchandises à chaque joueur"),
    when=("during set-up, once", "pendant la préparation, une fois"),
)
class DealGoods(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker deals two whole series to each player, as given or at random (setup.6)."""

    series: Annotated[dict[SeatId, tuple[Number, Number]], Meta(max_length=8)] | None = None
    """The numbers of two goods for each seat; None to let the service shuffle."""

    def decide(self, draft: Draft) -> None:
        """Refuse by setup.6 unless each series goes to a single player."""
        state = draft.state
        require_phase(draft, "setup", "negoces2:setup.6")
        if state.dealt:
            raise Impossible(
                "negoces2:setup.6", "the goods are dealt already", "les marchandises sont déjà distribuées"
            )
        request = None if self.series is None else self._numbers(draft, self.series)
        order = [int(number) for number in draft.draws.shuffled("series", request, [str(good) for good in GOODS])]
        series = {seat: (order[2 * index], order[2 * index + 1]) for index, seat in enumerate(state.order)}
        cards = tuple(
            Posting(GOODS[good], CARDS[GOODS[good]].copies, BOX, hand(seat))
            for seat in state.order
            for good in series[seat]
        )
        draft.record(GoodsDealt(series=series, postings=cards))
        _open_auction(draft)

    def _numbers(self, draft: Draft, series: dict[SeatId, tuple[Number, Number]]) -> list[str]:
        """Return the numbers in the order of the seats. Refuse a missing or repeated number."""
        for seat in series:
            seat_named(draft.state, seat, "negoces2:setup.6")
        numbers = [number for seat in draft.state.order for number in series.get(seat, ())]
        if sorted(numbers) != list(GOODS):
            raise Impossible(
                "negoces2:setup.6",
                "each of the 8 series goes whole to one player, two to each of {seats:seats}; not {numbers}",
                "chacune des 8 séries va entière à un joueur, deux à chacun de : {seats:seats} ; pas {numbers}",
                seats=draft.state.order,
                numbers=", ".join(map(str, numbers)),
            )
        return [str(number) for number in numbers]

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer the action until the goods are dealt."""
        return (Choice({}, free=("series",)),) if state.phase == "setup" and not state.dealt else ()


@chapter.action(
    by=("banker",),
    summary=("draw by lot who opens the auction", "tirer au sort qui débute les enchères"),
    when=("during set-up, once, in a first game", "pendant la préparation, une fois, à la première partie"),
)
class DrawStarter(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker draws the opener: the highest card before the deal, or one die (setup.14, setup.15)."""

    method: Literal["cards", "roll"] = "cards"
    cards: Annotated[tuple[Number, ...], Meta(min_length=1, max_length=100)] | None = None
    """The numbers drawn: for each seat clockwise, then for each player with the highest number, and so on."""
    dice: OneDie | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse by setup.17 if a last winner opens. Cards are drawn before the deal (setup.15)."""
        _require_no_starter(draft)
        winner = last_winner(draft.state)
        draft.require(
            winner is None,
            "negoces2:setup.17",
            "{winner:seat} won the last game and opens the auction: no lot is drawn",
            "{winner:seat} a gagné la partie précédente et débute les enchères : pas de tirage au sort",
            winner=winner,
        )
        if (self.dice if self.method == "cards" else self.cards) is not None:
            raise Malformed(
                "the lot is drawn by cards or by a roll, not by both",
                "le sort se tire par des cartes ou par un jet, pas par les deux",
            )
        if self.method == "roll":
            (rolled,) = draft.draws.dice("roll", self.dice, count=1, sides=4)
            draft.record(StarterDrawn(rule="negoces2:setup.14", seat=draft.state.order[rolled - 1], method="roll"))
        else:
            draft.require(
                not draft.state.dealt,
                "negoces2:setup.15",
                "the lot is drawn from the 32 goods cards, and they are dealt: roll it instead (method: roll)",
                "le sort se tire avec les 32 cartes marchandise, et elles sont distribuées : tirez-le par un jet "
                "(method: roll)",
            )
            rounds = self._drawn(draft)
            draft.record(
                StarterDrawn(
                    rule="negoces2:setup.15" if len(rounds) == 1 else "negoces2:setup.16",
                    seat=_highest(rounds[-1])[0],
                    method="cards",
                    rounds=rounds,
                )
            )
        _open_auction(draft)

    def _drawn(self, draft: Draft) -> tuple[tuple[Drawn, ...], ...]:
        """Draw round by round until a single player has the highest number (setup.16)."""
        cards = _Cards(draft, self.cards)
        rounds: list[tuple[Drawn, ...]] = []
        seats = draft.state.order
        while len(seats) > 1:
            rounds.append(tuple(map(Drawn, seats, cards.draw(len(seats)))))
            seats = _highest(rounds[-1])
        if self.cards is not None and cards.remaining:
            raise Malformed(
                "the lot was decided without these cards: {left}",
                "le sort était décidé sans ces cartes : {left}",
                left=", ".join(map(str, cards.remaining)),
            )
        return tuple(rounds)

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer each possible method."""
        if state.phase == "setup" and state.starter is None:
            yield Choice({"method": "cards"}, free=("cards",))
            yield Choice({"method": "roll"}, free=("dice",))


chapter.upcast_action("draw_starter", renamed(roll="dice", into_lists={"dice"}))


_NO_WINNER = Phrase(
    "nobody here is known to have won the last game alone: draw a lot",
    "on ne connaît ici à la partie précédente aucun vainqueur unique : tirez au sort",
)
_ANOTHER_WINNER = Phrase(
    "{seat:seat} is not known to have won the last game: the single last winner here is {winner:seat}",
    "on ne sait pas {seat:que|seat} ait gagné la partie précédente : le seul vainqueur connu est {winner:seat}",
)


@chapter.action(
    by=("banker",),
    summary=("let the winner of the last game open the auction", "faire débuter le vainqueur précédent"),
    when=(
        "during set-up, once, when this table has a single last winner",
        "pendant la préparation, une fois, quand cette table a un vainqueur précédent unique",
    ),
)
class SetStarter(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker makes the last winner the opener (setup.17)."""

    winner: SeatId

    def decide(self, draft: Draft) -> None:
        """Refuse any player except the last winner by setup.17: a lot decides instead."""
        _require_no_starter(draft)
        seat = seat_named(draft.state, self.winner, "negoces2:setup.17")
        winner = last_winner(draft.state)
        words = _NO_WINNER if winner is None else _ANOTHER_WINNER
        draft.require(
            seat == winner,
            "negoces2:setup.17",
            words.en,
            words.fr,
            seat=seat,
            winner=winner,
        )
        draft.record(StarterSet(seat=seat))
        _open_auction(draft)

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer the last winner."""
        winner = last_winner(state)
        return (Choice({"winner": winner}),) if state.phase == "setup" and winner and not state.starter else ()


# ----------------------------------------------------------------------------------------------
# Questions
# ----------------------------------------------------------------------------------------------


def last_winner(state: Negoces2) -> str | None:
    """Return the single winner of the table's last game, if seated. None: a lot decides (setup.17)."""
    winners = state.settings.last_winners
    return winners[0] if len(winners) == 1 and winners[0] in state.seats else None


def _require_no_starter(draft: Draft) -> None:
    require_phase(draft, "setup", "negoces2:setup.14")
    if draft.state.starter is not None:
        raise Impossible(
            "negoces2:setup.14",
            "{starter:seat} is to open the auction: that is decided once",
            "{starter:seat} débute les enchères : cela se décide une fois",
            starter=draft.state.starter,
        )


def _open_auction(draft: Draft) -> None:
    """Open the auction once the goods are dealt and the opener is known."""
    starter = draft.state.starter
    if draft.state.dealt and starter is not None:
        draft.record(AuctionOpened(seat=starter))


class _Cards:
    """The source of the lot: cards from the request, or the 32 goods cards, reshuffled if too few are left."""

    def __init__(self, draft: Draft, request: Sequence[int] | None) -> None:
        self._draws = draft.draws
        self._requested = request is not None
        self._brought = len(request or ())
        self.remaining = list(request or ())
        self._out: Counter[int] = Counter()
        """The cards drawn since the last shuffle of all 32 cards."""

    def draw(self, count: int) -> tuple[int, ...]:
        """Return the next cards.

        Raises NeedsDraw for missing cards in the request, Impossible for too many cards of a kind (setup.15).
        """
        if len(self.remaining) < count:
            self.remaining = self._shuffled(count)
        drawn, self.remaining = tuple(self.remaining[:count]), self.remaining[count:]
        if not self._requested:
            return drawn
        drawn = self._draws.dice("cards", drawn, count=count, sides=len(GOODS))
        self._require_possible(drawn)
        return drawn

    def _require_possible(self, drawn: Sequence[int]) -> None:
        """Refuse more cards of a kind than the 32 contain."""
        if self._out.total() + len(drawn) > sum(CARDS[good].copies for good in GOODS.values()):
            self._out.clear()
        self._out.update(drawn)
        for number, count in sorted(self._out.items()):
            if count > (copies := CARDS[GOODS[number]].copies):
                raise Impossible(
                    "negoces2:setup.15",
                    "there are {copies} cards of {good:good}: {count} of them cannot be drawn",
                    "il y a {copies} cartes de {good:good} : on ne peut pas en tirer {count}",
                    copies=copies,
                    good=number,
                    count=count,
                )

    def _shuffled(self, count: int) -> list[int]:
        if self._requested:
            raise NeedsDraw("cards", count - len(self.remaining), draw="cards", accepted=self._brought)
        deck = [str(number) for number, good in GOODS.items() for _ in range(CARDS[good].copies)]
        try:
            return [int(number) for number in self._draws.shuffled("deck", None, deck)]
        except NeedsDraw:
            raise NeedsDraw("cards", count, draw="cards") from None


def _highest(drawing: tuple[Drawn, ...]) -> tuple[str, ...]:
    """Return the players with the highest number of a round."""
    best = max(card.number for card in drawing)
    return tuple(card.seat for card in drawing if card.number == best)

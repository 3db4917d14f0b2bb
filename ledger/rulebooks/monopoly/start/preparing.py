"""Steps of set-up in some editions: the banker's election, shuffled decks, the titles dealt in the quick game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId, TitleId, of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, pieces, require_stage, title_named
from ledger.rulebooks.parts import titles
from ledger.rulebooks.parts.seats import player as purse
from ledger.rulebooks.parts.seats import seat_named

election = Chapter("The banker")
shuffling = Chapter("Shuffling")
dealing = Chapter("Dealing")

DeckId = Annotated[str, Meta(min_length=1, max_length=40), of_kind("choice")]


# ----------------------------------------------------------------------------------------------
# The banker
# ----------------------------------------------------------------------------------------------


@election.event
class BankerElected(Event, frozen=True, kw_only=True):
    """A player is elected banker; the player's goods stay apart from the bank's."""

    en: ClassVar[str] = "{seat:seat} is elected banker."
    fr: ClassVar[str] = "{seat:seat} est élu banquier."

    seat: str

    def apply(self, state: Monopoly) -> None:
        """Make the seat the banker, instead of any earlier seat."""
        state.bankers = (*state.bankers, self.seat)


@election.action(
    by=("player", "banker"),
    summary=("elect the banker", "élire le banquier"),
    when=("before the start, and later to hand over", "avant le début, et plus tard pour passer la main"),
)
class ElectBanker(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Record which player the table has elected banker."""

    seat: SeatId

    def decide(self, draft: Draft) -> None:
        """Refuse the present banker, and any election at a table with an outside banker."""
        state, rule = draft.state, cite(draft.state, "election")
        draft.require(
            state.settings.elected_banker,
            rule,
            "no player is elected banker at this table",
            "à cette table, on n'élit pas de banquier parmi les joueurs",
        )
        seat = seat_named(state, self.seat, rule)
        if state.bankers[-1:] == (seat,):
            raise Impossible(
                rule, "{seat:seat} is the banker already", "{seat:seat} est déjà le banquier", seat=seat
            )
        draft.record(BankerElected(rule=rule, seat=seat))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer each player until the first election; to hand over later, name the player."""
        if state.settings.elected_banker and not state.bankers:
            yield from (Choice({"seat": candidate}, alike="elect") for candidate in state.order)


# ----------------------------------------------------------------------------------------------
# Decks
# ----------------------------------------------------------------------------------------------


def shuffle_rule(state: Monopoly, deck: str) -> str:
    """Return the rule for shuffling a deck: the deck's own rule, or the common rule of the edition."""
    return state.edition.rules.at.get(deck, {}).get("shuffle") or cite(state, "shuffle")


def unshuffled(state: Monopoly) -> list[str]:
    """Return the piles of cards yet to be shuffled."""
    return [pile for pile in pieces(state).piles if pile not in state.shuffled]


@shuffling.event
class DeckShuffled(Event, frozen=True, kw_only=True):
    """A deck is shuffled and put face down. Its order is known to nobody, so it is not written down."""

    en: ClassVar[str] = "{deck:deck}: the cards are shuffled and lie face down."
    fr: ClassVar[str] = "{deck:deck} : les cartes sont mélangées, face cachée."

    deck: str

    def apply(self, state: Monopoly) -> None:
        """Mark the deck as ready."""
        state.shuffled = state.shuffled | {self.deck}


@shuffling.action(
    by=("banker",),
    summary=("shuffle a deck", "mélanger un paquet"),
    when=("while the table is prepared", "pendant la mise en place"),
)
class ShuffleDeck(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker shuffles a deck and puts it face down."""

    deck: DeckId

    def decide(self, draft: Draft) -> None:
        """Refuse an unknown or already shuffled deck."""
        state, rule = draft.state, shuffle_rule(draft.state, self.deck)
        require_stage(draft, "setup", rule)
        if self.deck not in pieces(state).piles:
            raise Impossible(
                rule,
                "there is no deck {deck!r}; the decks are: {decks:list}",
                "il n'y a pas de paquet {deck!r} ; les paquets sont : {decks:list}",
                deck=self.deck,
                decks=list(pieces(state).piles),
            )
        if self.deck in state.shuffled:
            raise Impossible(
                rule, "{deck:deck} is shuffled already", "{deck:deck} est déjà mélangé", deck=self.deck
            )
        draft.record(DeckShuffled(rule=rule, deck=self.deck))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer each deck yet to be shuffled."""
        if state.stage == "setup":
            yield from (Choice({"deck": deck}, alike="shuffle") for deck in unshuffled(state))


# ----------------------------------------------------------------------------------------------
# The quick game's titles
# ----------------------------------------------------------------------------------------------


def dealt_each(settings: Settings) -> int:
    """Return the number of titles dealt to each player before the start."""
    return settings.deals if settings.quick else settings.titles_dealt


def _dealing_rule(state: Monopoly) -> str:
    return cite(state, "dealt" if not state.settings.quick and state.settings.titles_dealt else "dealing")


@dealing.event
class TitlesDealt(Event, frozen=True, kw_only=True):
    """Each player is dealt some titles, without paying for them."""

    en: ClassVar[str] = "The titles are dealt: {postings:moves}."
    fr: ClassVar[str] = "Les titres sont distribués : {postings:moves}."

    titles: dict[str, tuple[str, ...]]
    """The titles of each seat."""

    def apply(self, state: Monopoly) -> None:
        """Mark the deal as done."""
        state.dealt = True


@dealing.action(
    by=("banker",),
    summary=("deal titles to the players", "distribuer des titres aux joueurs"),
    when=(
        "while the table is prepared, in the quick game, once",
        "pendant la mise en place, dans la partie rapide, une fois",
    ),
)
class DealProperties(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker shuffles the titles and deals the same number to each player, for free."""

    titles: Annotated[dict[SeatId, tuple[TitleId, ...]], Meta(max_length=100)] | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse a wrong number of titles, a title dealt twice, and a deal in the standard game."""
        state, rule = draft.state, _dealing_rule(draft.state)
        require_stage(draft, "setup", rule)
        if not state.settings.quick and not dealt_each(state.settings):
            raise Impossible(
                rule,
                "titles are dealt in the quick game alone",
                "on ne distribue des titres que dans la partie rapide",
            )
        if state.dealt:
            raise Impossible(rule, "the titles are dealt already", "les titres sont déjà distribués")
        each, all_titles = dealt_each(state.settings), tuple(pieces(state).titles)
        draft.draws.offer(None if self.titles is None else self._dealt_titles(draft, self.titles, each, rule))
        count = each * len(state.order)
        drawn = draft.draws.cards("titles", all_titles, count) if count else ()
        dealt = {seat: drawn[index * each : (index + 1) * each] for index, seat in enumerate(state.order)}
        handed = tuple(
            titles.title_posting(title, BANK, purse(seat)) for seat, hand in dealt.items() for title in hand
        )
        draft.record(TitlesDealt(rule=rule, titles=dealt, postings=handed))

    def _dealt_titles(
        self, draft: Draft, dealt: dict[SeatId, tuple[TitleId, ...]], each: int, rule: str
    ) -> list[str]:
        """Return the titles in the order of the seats, each once."""
        state = draft.state
        for seat in dealt:
            seat_named(state, seat, rule)
        hands = [[title_named(draft, item, rule).id for item in dealt.get(seat, ())] for seat in state.order]
        every = [title for some in hands for title in some]
        if any(len(some) != each for some in hands) or len(set(every)) != len(every):
            raise Impossible(
                rule,
                "each of {seats:seats} is dealt {each}, and no title twice",
                "chacun de : {seats:seats} en reçoit {each}, sans titre en double",
                seats=state.order,
                each=each,
            )
        return every

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the deal once, in the quick game."""
        due = state.settings.quick or dealt_each(state.settings)
        deals = state.stage == "setup" and due and not state.dealt
        return (Choice({}),) if deals else ()

"""A town of twelve squares: roll, buy, be the richest. This is the engine; its editions are folders of data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Annotated, Any, ClassVar

import msgspec

from ledger.kernel.arbitration.chapter import arbitration
from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Event, TokenPath
from ledger.kernel.facts.state import State
from ledger.kernel.facts.values import of_kind
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker
from ledger.kernel.rules import wealth
from ledger.kernel.rules.actions import Action, DefaultStep, StepGoal
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.commodities import CommodityWords, Glossary
from ledger.kernel.rules.display import AwaitedView
from ledger.kernel.rules.draft import Draft
from ledger.kernel.rules.faces.accounts import Accounts
from ledger.kernel.rules.faces.board import Board, Place
from ledger.kernel.rules.faces.governance import Governance
from ledger.kernel.rules.faces.language import Language
from ledger.kernel.rules.faces.play import Play
from ledger.kernel.rules.faces.progress import Progress
from ledger.kernel.rules.faces.score import Score
from ledger.kernel.rules.faces.screen import Screen
from ledger.kernel.rules.faces.secrets import Open
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.parts import boards, opening, reading, seats, speaking, titles
from ledger.rulebooks.parts.edition import Edition
from ledger.rulebooks.parts.seats import payment

chapter, disputes = Chapter("The town"), arbitration("The banker")
PLAYERS = (2, 4)
Amount = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Square(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A square of the board; one with a price is a street."""

    id: Annotated[str, msgspec.Meta(pattern="^[a-z_]{1,40}$")]
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    group: str = ""
    price: Amount = 0
    rent: Amount = 0


class Pieces(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The board, in the order of travel."""

    squares: Annotated[tuple[Square, ...], msgspec.Meta(min_length=4, max_length=100)]

    def __post_init__(self) -> None:
        if len({one.id for one in self.squares}) < len(self.squares):
            raise ValueError("two squares have the same id")


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The edition's rule for each role."""

    opening: str
    turn: str
    buy: str
    rent: str
    end: str
    banker: str


Town = Edition[Pieces, Rules]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a table."""

    rounds: Annotated[int, msgspec.Meta(ge=1, le=1000, description="rounds until the end")] = 5
    dice: Annotated[int, msgspec.Meta(ge=1, le=4, description="dice of a roll")] = 1
    cash: Annotated[Amount, msgspec.Meta(description="what each player starts with")] = 100
    own: Annotated[Pieces | None, msgspec.Meta(description="the table's own board")] = None
    reveal_at_end: opening.RevealAtEnd = True


class TownState(State, kw_only=True):
    """The state of a game: streets and money are holdings."""

    edition: Town
    settings: Settings = msgspec.field(default_factory=Settings)
    order: tuple[str, ...] = ()
    positions: dict[str, int] = {}
    turn: str | None = None
    rolled: bool = False
    round: int = 1
    winners: tuple[str, ...] = ()


def own_turn(draft: Draft[TownState], *, rolled: bool) -> tuple[str, Rules]:
    """Return the acting seat, after checking its turn and its roll, and the edition's rules."""
    rules, done = draft.state.edition.rules, draft.state.rolled
    seats.require_turn(draft, str(draft.state.turn), rules.turn)
    en, fr = ("has rolled", "a déjà lancé") if done else ("has not rolled yet", "n'a pas encore lancé")
    draft.require(done == rolled, rules.turn, f"{{seat:seat}} {en}", f"{{seat:seat}} {fr}", seat=draft.seat)
    return draft.seat, rules


@chapter.event
class TownLaidOut(opening.LaidOut, frozen=True, kw_only=True):
    """The players get their cash; the bank gets every street."""

    def apply(self, state: TownState) -> None:
        super().apply(state)
        if state.settings.own is not None:
            state.edition = state.edition.with_pieces(state.settings.own)
        state.positions, state.turn = dict.fromkeys(state.order, 0), state.order[0]


@chapter.event
class TokenMoved(Event, frozen=True, kw_only=True):
    """A player rolls and moves."""

    en: ClassVar[str] = "{seat:seat} rolls {dice:list} and reaches {square:square}."
    fr: ClassVar[str] = "{seat:seat} lance {dice:list} et arrive à {square:square}."
    seat: str
    dice: tuple[int, ...]
    square: int

    def apply(self, state: TownState) -> None:
        state.positions[self.seat], state.rolled = self.square, True

    def token_paths(self) -> tuple[TokenPath, ...]:
        return (TokenPath(self.seat, (boards.place_id(self.square),)),)


@chapter.event
class StreetBought(Event, frozen=True, kw_only=True):
    """A player buys a street of the bank."""

    en: ClassVar[str] = "{title:title} is now {seat:seat}'s, for {price:money}."
    fr: ClassVar[str] = "{title:title} appartient désormais à {seat:seat}, pour {price:money}."
    seat: str
    title: str
    price: int


@chapter.event
class RentPaid(Event, frozen=True, kw_only=True):
    """A visitor pays the owner the rent, into debt if needed."""

    en: ClassVar[str] = "{seat:seat} pays {owner:seat} {amount:money} for {title:title}."
    fr: ClassVar[str] = "{seat:seat} paie {amount:money} à {owner:seat} pour {title:title}."
    seat: str
    owner: str
    title: str
    amount: int


@chapter.event
class TurnPassed(Event, frozen=True, kw_only=True):
    """A turn ends and the next one begins."""

    en: ClassVar[str] = "It is {to:seat}'s turn in round {round}."
    fr: ClassVar[str] = "C'est le tour {to:de|seat} au round {round}."
    to: str
    round: int

    def apply(self, state: TownState) -> None:
        state.turn, state.round, state.rolled = self.to, self.round, False


@chapter.event
class TownClosed(Event, frozen=True, kw_only=True):
    """The last round is over: the richest players win."""

    en: ClassVar[str] = "The game is over, won by {winners:seats}."
    fr: ClassVar[str] = "La partie est terminée, gagnée par {winners:seats}."
    winners: tuple[str, ...]

    def apply(self, state: TownState) -> None:
        state.winners, state.turn, state.ended = self.winners, None, True


@chapter.action(by=("system",), summary=("lay out a game", "installer une partie"), when=("first", "d'abord"))
class LayOutTown(opening.LayOut, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The service lays out the town: streets to the bank, cash to the players."""

    def decide(self, draft: Draft[TownState]) -> None:
        edition, settings = draft.state.edition, opening.stored_settings(Settings, self.settings)
        opening.require_no_table(draft, edition.rules.opening)
        postings = titles.laid_out(one.id for one in (settings.own or edition.pieces).squares if one.price)
        for one in self.players:
            postings += draft.move(edition.currency, settings.cash, BANK, seats.player(one.seat))
        draft.record(TownLaidOut(rule=edition.rules.opening, postings=postings, **self.event_fields))


@chapter.action(summary=("roll and move", "lancer les dés"), when=("in your turn, once", "à son tour, une fois"))
class Roll(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player whose turn it is rolls, moves, and pays the rent of the street: double for a whole group."""

    dice: tuple[Annotated[int, msgspec.Meta(ge=1, le=6), of_kind("die")], ...] | None = None

    def decide(self, draft: Draft[TownState]) -> None:
        seat, rules = own_turn(draft, rolled=False)
        state, squares = draft.state, draft.state.edition.pieces.squares
        dice = draft.draws.dice("dice", self.dice, count=state.settings.dice, sides=6)
        square = boards.path(len(squares), state.positions[seat], sum(dice))[-1]
        draft.record(TokenMoved(rule=rules.turn, seat=seat, dice=dice, square=square))
        title, owner = squares[square].id, titles.owner_of(state, squares[square].id)
        if owner is not None and owner != seat:
            group = [one.id for one in squares if one.group == squares[square].group]
            due = squares[square].rent * (2 if titles.holder_of(state, group) == owner else 1)
            paid = payment(draft, seat, due, rules.rent, seats.player(owner), owing=True)
            draft.record(RentPaid(rule=rules.rent, seat=seat, owner=owner, title=title, amount=due, postings=paid))


@chapter.action(summary=("buy the street", "acheter la rue"), when=("on a free street", "sur une rue libre"))
class BuyStreet(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player whose turn it is buys the street under the token at its price."""

    def decide(self, draft: Draft[TownState]) -> None:
        seat, rules = own_turn(draft, rolled=True)
        one = draft.state.edition.pieces.squares[draft.state.positions[seat]]
        for_sale = one.price > 0 and titles.owner_of(draft.state, one.id) is None
        draft.require(for_sale, rules.buy, "{name} is not for sale", "{name} n'est pas à vendre", name=one.name)
        postings = (
            *payment(draft, seat, one.price, rules.buy),
            titles.title_posting(one.id, BANK, seats.player(seat)),
        )
        draft.record(StreetBought(rule=rules.buy, seat=seat, title=one.id, price=one.price, postings=postings))


@chapter.action(summary=("end the turn", "terminer le tour"), when=("after the roll", "après le lancer"))
class EndTurn(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player whose turn it is ends it; after the last turn of the game the richest win."""

    def decide(self, draft: Draft[TownState]) -> None:
        (_, rules), state = own_turn(draft, rolled=True), draft.state
        to = seats.next_seat(state.order, draft.seat)
        number = state.round + (to == state.order[0])
        if number <= state.settings.rounds:
            draft.record(TurnPassed(rule=rules.turn, to=to, round=number))
        else:
            cash = {one: state.holdings.of(seats.player(one), state.edition.currency) for one in state.order}
            winners = tuple(one for one in state.order if cash[one] == max(cash.values()))
            draft.record(TownClosed(rule=rules.end, winners=winners))


class TownPlay(Play[TownState]):
    def __init__(self, edition: Town) -> None:
        self.edition = edition

    def opening_action(self, opened: Opening) -> Action:
        opening.require_players(self.edition.title, opened.players, PLAYERS, rule=self.edition.rules.opening)
        return opening.lay_out(LayOutTown, opened)


class TownProgress(Progress[TownState]):
    def default_step(self, state: TownState, goal: StepGoal) -> DefaultStep | None:
        turn, due = self.whose_turn(state), goal.was and self.whose_turn(goal.was)
        if goal.was is None and turn and goal.seat:
            due = turn[0], goal.seat
        ends = state.rolled and seats.comes_before(state.order, turn, due)
        return DefaultStep(EndTurn(), state.turn) if ends else None


class TownAccounts(Accounts[TownState]):
    def may_owe(self, account: str, commodity: str) -> bool:
        return account == BOX or commodity == self.currency

    def commodities(self, state: TownState) -> Glossary:
        streets = [titles.deed(one.id) for one in state.edition.pieces.squares if one.price]
        deeds = dict.fromkeys(streets, CommodityWords(sort="title", icon="title"))
        return {self.currency: CommodityWords(sort="money", icon="coin"), **deeds}


class TownScreen(Screen[TownState]):
    def waiting(self, state: TownState, viewer: Viewer, language: str) -> Sequence[AwaitedView]:
        move = "end_turn" if state.rolled else "roll"
        words = Phrase("end the turn", "terminer") if state.rolled else Phrase("roll", "lancer")
        label = words.in_language(language)
        return [AwaitedView(seat=one, label=label, moves=(move,)) for one in self.awaited(state)]


class TownScore(Score[TownState]):
    def wealth(self, state: TownState, seat: str) -> Sequence[wealth.Asset]:
        cash = state.holdings.of(seats.player(seat), state.edition.currency)
        return (wealth.Asset("cash", state.edition.currency, cash, cash),)


class TownLanguage(Language[TownState]):
    wording, parameter_wording, settings_wording = reading.words(files(__name__))

    def speakers(self, state: TownState) -> Mapping[str, Speaker]:
        squares = state.edition.pieces.squares
        streets = {one.id: one.name for one in squares}
        deeds = {titles.deed(street): name for street, name in streets.items()}
        return {
            **speaking.plain_speakers(state, state.edition.currency, deeds),
            "title": speaking.name_speaker(streets),
            "square": speaking.name_speaker({index: one.name for index, one in enumerate(squares)}),
        }


class TownBoard(Board[TownState]):
    def __init__(self, edition: Town) -> None:
        self.edition = edition

    def squares(self) -> list[dict[str, Any]]:
        return [msgspec.to_builtins(square) for square in self.edition.pieces.squares]

    def positions(self, state: TownState) -> Mapping[str, int]:
        return state.positions

    def places(self, state: TownState) -> Sequence[Place]:
        found = [(one, titles.owner_of(state, one.id)) for one in state.edition.pieces.squares]
        return [Place(name=one.name, kind="street" if one.price else "park", owner=owner) for one, owner in found]


def rulebook_of(edition: Town) -> Rulebook[TownState]:
    """Return the rulebook of one edition of the town."""
    return Rulebook(
        id=edition.id,
        title=edition.title,
        players=PLAYERS,
        state=TownState,
        settings=opening.with_defaults(Settings, edition.settings),
        register=edition.register,
        chapters=(chapter, disputes),
        governance=Governance.all_by(edition.rules.banker, end=edition.rules.end),
        play=TownPlay(edition),
        progress=TownProgress(),
        accounts=TownAccounts(edition.currency),
        secrets=Open(),
        language=TownLanguage(),
        screen=TownScreen(),
        score=TownScore(),
        board=TownBoard(edition),
        shared={"edition": edition},
    )


RULEBOOKS = tuple(
    rulebook_of(Edition.read(files(__name__) / name, Pieces, Rules)) for name in ("quiet", "harbour")
)

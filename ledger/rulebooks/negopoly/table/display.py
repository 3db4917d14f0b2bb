"""The display of Negopoly: the board, the pieces on the board, and everything the game waits for.

I.C.6 decides the visibility.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ledger.kernel.facts.audience import Viewer, only
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker, elided
from ledger.kernel.rules.display import (
    AwaitedView,
    BoardGroup,
    BoardMark,
    BoardPlace,
    BoardView,
    ClockView,
    Deed,
    DeedBuilding,
    Display,
    NoticeView,
    PhaseView,
    PieceView,
    PileView,
    PlacePrices,
    PlaceView,
    RentLine,
    TokenView,
    TurnView,
)
from ledger.kernel.rules.faces.screen import Screen
from ledger.kernel.rules.icons import Icon
from ledger.rulebooks.negopoly.board import squares
from ledger.rulebooks.negopoly.cards import decks, weather
from ledger.rulebooks.negopoly.cards.vocabulary import DECKS
from ledger.rulebooks.negopoly.estate import mortgages, real_estate
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table import views
from ledger.rulebooks.negopoly.table.consents import answers
from ledger.rulebooks.negopoly.table.own_table import CORNERS
from ledger.rulebooks.negopoly.table.pieces import BOARD, CARDS, ITEMS, OPERATIONS, TITLES, VEHICLES, Square, Title
from ledger.rulebooks.negopoly.table.speaking import speakers_of
from ledger.rulebooks.negopoly.table.state import Negopoly, in_play, open_passages
from ledger.rulebooks.negopoly.table.statistics import TALLIES
from ledger.rulebooks.negopoly.table.terms import MONEY, Bounty, Contract, Deal, Turn, attached, player
from ledger.rulebooks.negopoly.table.views import audience_of_agreement
from ledger.rulebooks.parts import boards, reading
from ledger.rulebooks.parts.face import faces
from ledger.rulebooks.parts.titles import deed, owner_of, owners_of


class Group(Phrase, frozen=True):
    """The names of a quarter, and the mark beside the quarter's colour."""

    mark: str


class Mark(Phrase, frozen=True):
    """The names and the icon of a mark."""

    icon: Icon


class Drawing(msgspec.Struct, frozen=True):
    """The drawing of the board, as read from display.toml."""

    groups: dict[str, Group]
    icons: dict[str, Icon]
    short: dict[str, str]
    marks: dict[str, Mark]
    phases: dict[str, Phrase]
    steps: dict[str, Phrase]
    piles: dict[str, Phrase]


FACE = faces.read(files("ledger.rulebooks.negopoly"))
DRAWING = msgspec.convert(reading.data(files(__package__), "display.toml"), Drawing)
_ON_TITLES = {"mortgage", "squat", "charge"}
_NAMES = {square.name for square in BOARD}


# ----------------------------------------------------------------------------------------------
# The board
# ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=100)
def drawn(board: tuple[Square, ...], language: str) -> BoardView:
    """Return the ring of the squares. Without exactly four corners, the ring is drawn as a circle."""
    corners = [square.index for square in board if square.kind in CORNERS]
    return boards.ring(
        (_build_place(square, language) for square in board),
        faces.board_face(language, FACE),
        corners=corners if len(corners) == len(CORNERS) else (),
        groups=(
            BoardGroup(id=name, name=group.in_language(language), colour=TALLIES.colours[name], mark=group.mark)
            for name, group in DRAWING.groups.items()
        ),
        marks=(
            BoardMark(id=name, name=mark.in_language(language), icon=mark.icon)
            for name, mark in DRAWING.marks.items()
        ),
        phases=boards.phases_of(DRAWING.steps, language),
    )


def _build_place(square: Square, language: str) -> BoardPlace:
    title = None if square.property is None else TITLES[square.property]
    # A square renamed by the table has no short name.
    short = DRAWING.short.get(square.property or square.kind, UNSET) if square.name in _NAMES else UNSET
    return BoardPlace(
        id=boards.place_id(square.index),
        number=square.index,
        name=square.name,
        short=short,
        group=UNSET if title is None else title.quarter,
        icon=DRAWING.icons.get(square.kind, UNSET),
        commodity=UNSET if title is None else deed(title.id),
        prices=UNSET
        if title is None
        else PlacePrices(
            price=title.price,
            building=title.house_cost,
            mortgage=title.mortgage,
            rents=title.rents,
            rents_by="buildings",
            deed=_rents(title, language),
        ),
        deed=UNSET if title is None else _deed(title, language),
        sells=tuple(item.id for item in ITEMS.values() if item.sold_at == square.kind and item.price) or UNSET,
    )


_AT_ONCE = Phrase("A visitor pays the owner at once.", "Le visiteur paie aussitôt le propriétaire.")


def _deed(title: Title, language: str) -> Deed:
    return Deed(
        price=title.price,
        rents=_rents(title, language),
        building=DeedBuilding(commodity="house", price=title.house_cost, maximum=len(title.rents) - 1),
        mortgage=title.mortgage,
        due_text=_AT_ONCE.in_language(language),
    )


def _rents(title: Title, language: str) -> tuple[RentLine, ...]:
    return tuple(
        RentLine(label=_houses(number).in_language(language), amount=rent)
        for number, rent in enumerate(title.rents)
    )


def _houses(number: int) -> Phrase:
    """Return the words for a number of houses on a title."""
    if number == 0:
        return Phrase("no house", "sans maison")
    return Phrase(f"{number} house" if number == 1 else f"{number} houses", f"{number} maison{'s' * (number > 1)}")


# ----------------------------------------------------------------------------------------------
# Pieces on the board
# ----------------------------------------------------------------------------------------------


def display(state: Negopoly, speakers: Mapping[str, Speaker], language: str) -> Display:
    """Return tokens, titles with their attachments, notices and decks; everything is public.

    A deck without cards in the game gets no pile: the table uses real cards, and the service cannot count them.
    """
    with_cards = {card.deck for card in decks.cards_of(state)}
    return Display(
        tokens=tuple(
            TokenView(seat, boards.place_id(state.positions[seat]), _token_mark(state, seat))
            for seat in state.order
            if seat in state.positions and seat not in state.eliminated
        ),
        places=dict(_places(state, language)),
        notices=tuple(_notices(state, speakers, language)),
        piles=tuple(
            PileView(deck, DRAWING.piles[deck].in_language(language), decks.left_in(state, deck))
            for deck in DECKS
            if deck in with_cards
        ),
    )


def _token_mark(state: Negopoly, seat: str) -> str | UnsetType:
    kind = state.board[state.positions[seat]].kind
    if seat in state.missed and kind in ("prison", "hopital"):
        return "in_prison" if kind == "prison" else "in_hospital"
    return "wanted" if seat in state.wanted else UNSET


def _places(state: Negopoly, language: str) -> Iterator[tuple[str, PlaceView]]:
    owners = owners_of(state)
    for square in state.board:
        title = square.property
        if title is None:
            continue
        owner, lying = owners.get(title, UNSET), state.holdings.account(attached(title))
        if owner is UNSET and not lying:
            continue
        houses = lying.get("house", 0)
        marks = tuple(sorted({kind for commodity in lying if (kind := commodity.partition(":")[0]) in _ON_TITLES}))
        if owner is UNSET and not houses and not marks:
            continue
        rent = UNSET if owner is UNSET or state.blackouts else real_estate.rent_of(state, title)
        yield (
            boards.place_id(square.index),
            PlaceView(
                owner=owner,
                pieces=(PieceView(commodity="house", amount=houses),) if houses else UNSET,
                marks=marks or UNSET,
                rent=rent,
                toll=boards.toll(rent, UNSET, language),
                lift=mortgages.unmortgage_cost(state, TITLES[title]) if "mortgage" in marks else UNSET,
            ),
        )


def _notices(state: Negopoly, speakers: Mapping[str, Speaker], language: str) -> Iterator[NoticeView]:
    """Yield the facts for everybody: weather, bans of meetings, Bombes IEM, K9 rounds, the last round."""

    def words(en: str, fr: str) -> str:
        return Phrase(en, fr).in_language(language)

    for card in weather.active(state):
        yield NoticeView(text=card.title.in_language(language), rule="VI.A.7")
    for ban in state.disruptions:
        colon = words(": ", " : ")
        whom = (
            ""
            if ban.seats is None
            else colon + ", ".join(speakers["seat"](banned, language) for banned in ban.seats)
        )
        until: str | UnsetType = UNSET
        if ban.until is not None:
            name = speakers["seat"](ban.until, language)
            until = words(f"{name}'s next turn", f"prochain tour : {name}")
        yield NoticeView(
            text=words("no private meetings", "pas de réunion privée") + whom, until=until, rule="IV.C.1"
        )
    for seat in sorted(state.blackouts):
        name = speakers["seat"](seat, language)
        yield NoticeView(text=words(f"Bombe IEM ({name})", f"Bombe IEM ({name})"), rule="IX.C.24")
    if state.round in state.k9_rounds:
        yield NoticeView(
            text=words("the K9 checks whoever crosses a checkpoint", "la K9 contrôle même qui ne fait que passer"),
            until=words(f"the end of round {state.round}", f"fin du round {state.round}"),
            rule="VI.E.3",
        )
    if state.last_round and not state.ended:
        yield NoticeView(text=words("this round is the last one", "ce round est le dernier"), rule="II.E.4")


# ----------------------------------------------------------------------------------------------
# Phase, clock and awaited players
# ----------------------------------------------------------------------------------------------


def _phase(state: Negopoly) -> str:
    turn = state.turn
    if state.ended:
        return "ended"
    if state.phase == "setup":
        return "setup"
    if turn is None:
        return "between"
    if state.questions:
        return "question"
    if turn.roll == "due":
        return "before_roll"
    return "to_resolve" if _must_resolve(state, turn) else "after_roll"


def _must_resolve(state: Negopoly, turn: Turn) -> bool:
    return turn.unresolved and squares.is_mandatory(state, turn.seat, state.positions[turn.seat])


def waiting(
    state: Negopoly, viewer: Viewer, speakers: Mapping[str, Speaker], language: str
) -> Iterator[AwaitedView]:
    """Yield everything that the game waits for and the viewer may know: answers, the turn, deals, the banker."""
    if state.ended:
        return
    if state.phase == "setup":
        yield from _before_the_start(state, viewer, language)
        return
    turn, say = state.turn, speakers["seat"]
    running = turn is not None and turn.paused_at is None
    until: datetime | UnsetType = turn.ends_at if turn is not None and running else UNSET
    for question in state.questions:
        answer = Phrase("answer: ", "répondre : ").in_language(language)
        default: str | UnsetType = UNSET
        if running and only(question.seat).admits(viewer):
            default = speakers["answer"](reactions.options_of(state, question)[0], language)
        yield AwaitedView(
            seat=question.seat,
            label=f"{answer}{speakers['goods'](question.kind, language)}",
            moves=(f"answer:{question.id}",),
            until=until,
            default=default,
        )
    if turn is not None and not _is_held(state, turn.seat):
        words, moves = _of_the_turn(state, turn, viewer)
        by_itself = Phrase("the turn ends", "le tour prend fin").in_language(language)
        if moves:
            yield AwaitedView(
                seat=turn.seat,
                label=words.in_language(language),
                moves=moves,
                until=until,
                default=by_itself if running else UNSET,
            )
    if turn is not None and not running and not state.settings.clock_waits:
        words = Phrase("let the clock run again", "faire repartir l'horloge")
        yield AwaitedView(seat="banker", label=words.in_language(language), moves=("resume_clock",))
    for unread in state.unread:
        named = speakers["card"](unread.card, language)
        label = Phrase(f"say what {named} does", f"dire ce que fait {named}").in_language(language)
        yield AwaitedView(seat="banker", label=label, moves=(f"resolve_card:{unread.id}",))
    for agreement in state.open.values():
        if isinstance(agreement, Deal | Contract) and agreement.status == "proposed":
            if audience_of_agreement(agreement).admits(viewer):
                kind = "deal" if isinstance(agreement, Deal) else "contract"
                yield from _to_be_agreed(state, agreement, kind, viewer, say, language)
        elif isinstance(agreement, Bounty):
            yield from _bounty(agreement, say, language)


def _is_held(state: Negopoly, seat: str) -> bool:
    """Return True if a question or a strike waiting for answers stops the player's moves (IX.B.15)."""
    befalls = any(seat in strike.victims and seat not in strike.spared for strike in state.strikes)
    return befalls or squares.holds(state, seat)


def _of_the_turn(state: Negopoly, turn: Turn, viewer: Viewer) -> tuple[Phrase, tuple[str, ...]]:
    """Return the next task of the player in turn, and the moves for the task."""
    if turn.roll == "due":
        return Phrase("roll the dice", "lancer les dés"), ("roll_dice",)
    if _must_resolve(state, turn):
        square_name = state.board[state.positions[turn.seat]].name
        return Phrase(f"resolve the stop on {square_name}", f"résoudre l'arrêt sur {square_name}"), (
            "resolve_square",
        )
    ending = () if state.questions else ("end_turn",)
    title = _offered_by_the_bank(state, turn)
    if title is None:
        return Phrase("end the turn", "terminer son tour"), ending
    # The player's solvency is only for viewers of the player's money (I.C.6).
    balance = state.holdings.of(player(turn.seat), MONEY)
    buying = only(turn.seat).admits(viewer) and (balance >= title.price or state.settings.voluntary_overdraft)
    words = Phrase(
        f"buy {title.name} or leave it, then end the turn",
        f"acheter {title.name} ou non, puis terminer son tour",
    )
    return words, (*(("buy_property",) if buying else ()), "decline_property", *ending)


def _offered_by_the_bank(state: Negopoly, turn: Turn) -> Title | None:
    """Return the bank's title at the player's stop (V.A.2). None if a Bombe IEM closes the square (IX.C.24)."""
    square = None if turn.stop is None or state.blackouts else state.board[turn.stop]
    title = square.property if square is not None and open_passages(state, [square], stop_only=True) else None
    return None if title is None or owner_of(state, title) is not None else TITLES[title]


def _before_the_start(state: Negopoly, viewer: Viewer, language: str) -> Iterator[AwaitedView]:
    """Yield the seats that have still to join or to choose a perk. The choice is private, even its existence."""
    for seat in state.order:
        if seat not in state.personas:
            words = Phrase("join the game", "entrer en jeu").in_language(language)
            yield AwaitedView(seat=seat, label=words, moves=("join_game",))
        elif seat not in state.perks and only(seat).admits(viewer):
            words = Phrase("choose a starting perk", "choisir un avantage de départ").in_language(language)
            yield AwaitedView(seat=seat, label=words, moves=("choose_starter_perk",))
    if viewer.sees_all and len(state.perks) == len(state.order):
        words = Phrase("start the game", "lancer la partie").in_language(language)
        yield AwaitedView(seat="banker", label=words, moves=("start_game",))


def _to_be_agreed(
    state: Negopoly, proposal: Deal | Contract, kind: str, viewer: Viewer, say: Speaker, language: str
) -> Iterator[AwaitedView]:
    """Yield the parties that have not agreed yet."""
    signers = ", ".join(say(signer, language) for signer in proposal.agreed)
    words = {
        "deal": Phrase(f"answer the deal with {signers}", f"répondre à l'accord avec {signers}"),
        "contract": Phrase(f"answer the contract with {signers}", f"répondre au contrat avec {signers}"),
    }[kind]
    for party in proposal.parties:
        if party not in proposal.agreed and party not in state.eliminated:
            moves = answers(state, proposal, party, viewer)
            yield AwaitedView(seat=party, label=words.in_language(language), moves=moves)


def _bounty(bounty: Bounty, say: Speaker, language: str) -> Iterator[AwaitedView]:
    """Yield the banker's pending decision about a bounty."""
    poster = say(bounty.poster, language)
    if bounty.status == "posted":
        words = Phrase(f"decide on the bounty of {poster}", f"décider de la prime : {poster}")
        yield AwaitedView(seat="banker", label=words.in_language(language), moves=(f"approve_bounty:{bounty.id}",))
    elif bounty.claims:
        who = ", ".join(say(claimant, language) for claimant in bounty.claims)
        words = Phrase(
            f"decide who wins the bounty of {poster}: {who}",
            f"décider qui gagne la prime {elided('de', poster)} : {who}",
        )
        moves = (f"award_bounty:{bounty.id}", f"reject_claim:{bounty.id}")
        yield AwaitedView(seat="banker", label=words.in_language(language), moves=moves)


class NegopolyScreen(Screen[Negopoly]):
    """The views of the game."""

    display_is_public = True

    def public_view(self, state: Negopoly) -> dict[str, Any]:
        """Return the public table."""
        return views.public_view(state)

    def own_view(self, state: Negopoly, viewer: Viewer) -> dict[str, Any]:
        """Return the viewer's questions and prices, and the private facts of the viewer's seat (I.C.6)."""
        return views.own_view(state, viewer)

    def summary(self, state: Negopoly) -> dict[str, Any]:
        """Return the round, the turn, the players in play, and the winners."""
        turn = {} if state.turn is None else {"turn": state.turn.seat}
        return {"round": state.round, **turn, "in_play": in_play(state), "winners": list(state.winners)}

    def awaited(self, state: Negopoly) -> Sequence[str]:
        """Return the awaited seats: the players asked and the player in turn; without a turn, all players."""
        answering = [question.seat for question in state.questions]
        return in_play(state) if state.turn is None else (*answering, state.turn.seat)

    def is_due(self, state: Negopoly, seat: str, kind: str, params: Mapping[str, Any]) -> bool:
        """Return True if the move agrees to an open proposal. Its legality may depend on goods sent at once."""
        if kind not in {"agree_deal", "agree_contract"}:
            return False
        proposal = state.open.get(str(params.get("deal") or params.get("contract")))
        return isinstance(proposal, Deal | Contract) and seat not in proposal.agreed

    def board_drawn(self, state: Negopoly | None, language: str) -> BoardView:
        """Return the ring of the table's squares, with the quarters and their colours."""
        return drawn(BOARD if state is None else state.board, language)

    def display(self, state: Negopoly, viewer: Viewer, language: str) -> Display:
        """Return tokens, titles with their attachments, notices and decks; everything is public."""
        return display(state, speakers_of(state), language)

    def turn(self, state: Negopoly) -> TurnView | None:
        """Return the turn under way (II.B)."""
        turn = state.turn
        return None if turn is None else TurnView(turn.seat, turn.started_at)

    def phase(self, state: Negopoly, language: str) -> PhaseView:
        """Return the phase of the turn under way."""
        name = _phase(state)
        return PhaseView(name, DRAWING.phases[name].in_language(language))

    def clock(self, state: Negopoly) -> ClockView | None:
        """Return the clock of the turn under way (II.B.13)."""
        turn = state.turn
        if turn is None or state.ended:
            return None
        if turn.paused_at is None:
            return ClockView(running=True, until=turn.ends_at)
        remaining = max(0, int((turn.ends_at - turn.paused_at).total_seconds()))
        return ClockView(running=False, paused_at=turn.paused_at, seconds=remaining)

    def waiting(self, state: Negopoly, viewer: Viewer, language: str) -> Sequence[AwaitedView]:
        """Return the pending answers, turn and offers of deals, and the banker's pending decisions."""
        return list(waiting(state, viewer, speakers_of(state), language))

    def in_setup(self, state: Negopoly) -> bool:
        """Return True if the game is still in set-up, before the banker's start (II.A)."""
        return state.phase == "setup"

    def components(self) -> dict[str, Any]:
        """Return the components: titles and items with prices, vehicles, cards and card operations."""
        return {
            "titles": [msgspec.to_builtins(title) for title in TITLES.values()],
            "items": [msgspec.to_builtins(item) for item in ITEMS.values()],
            "vehicles": [msgspec.to_builtins(vehicle) for vehicle in VEHICLES.values()],
            "cards": [msgspec.to_builtins(card) for card in CARDS],
            "operations": OPERATIONS,
        }

"""Rulebooks: chapters of actions and events, a register of rules, and the game-specific methods."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar

import msgspec

from ledger.kernel.facts.accounts import BANK, Holdings
from ledger.kernel.facts.agreements import Agreement, Terms
from ledger.kernel.facts.agreements import tag_of as name_of_agreement
from ledger.kernel.facts.audience import BANKER_ONLY, Audience, Viewer, only
from ledger.kernel.facts.consistency import Inconsistency
from ledger.kernel.facts.events import EntryEvents, Event, UndoneDraw, tag_of
from ledger.kernel.facts.refusals import Malformed, Refusal, UnknownKind
from ledger.kernel.facts.state import Shared, State
from ledger.kernel.journal.entry import body
from ledger.kernel.language.parameter_words import UNNAMED, ParameterWording
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import AccountName, Speaker, as_it_is
from ledger.kernel.language.setting_words import UNSAID, SettingsWording
from ledger.kernel.language.wording import UNWORDED, ActionWords, Wording
from ledger.kernel.language.words import PHASES, say_askers, say_case, say_remedies
from ledger.kernel.rules.actions import Action, DefaultStep, StepGoal
from ledger.kernel.rules.bots import BANKER, RANDOM, WHIM, Bot
from ledger.kernel.rules.chapter import Chapter, Upcast
from ledger.kernel.rules.codec import Codec
from ledger.kernel.rules.commodities import CommodityWords, Glossary
from ledger.kernel.rules.display import AwaitedView, BoardView, ClockView, Display, PhaseView, TurnView
from ledger.kernel.rules.draft import Draft
from ledger.kernel.rules.opening import End, Opening
from ledger.kernel.rules.register import Register
from ledger.kernel.rules.wealth import Asset

S = TypeVar("S", bound=State)


class Rulebook(ABC, Generic[S]):
    """The rules of a game. A subclass implements the game-specific methods; this class has the rest.

    Actions and events are collected from the chapters at construction; the kinds are unique over all chapters.
    The class attributes below may be set by the class, or by the instance before construction ends. Several
    rulebooks of a class, with equal chapters, are the editions of an engine.
    """

    id: str
    title: str
    currency: str
    """The commodity used as money."""
    money_is_told: bool = True
    """True if the whole audience of a ruling reads the money moved between two hidden purses; otherwise only
    the owners of the purses do.
    """
    players: tuple[int, int]
    """The smallest and the largest number of players."""
    settings: type[msgspec.Struct]
    state: type[State]
    correction_rule: str
    """The rule for corrections of the history."""
    dispute_rule: str
    """The rule for contesting an outcome."""
    ruling_rule: str
    """The rule for rulings of the banker."""
    privacy_rule: str
    """The rule that keeps strangers, and an uninvited banker, out of a private deal."""
    end_rule: str
    """The rule against changing a game that has ended."""
    player_undo: bool = False
    """True if players may undo their last action without the banker (see `undo.require_may_undo`). The
    corrections of the rulebook are then open to players.
    """
    display_is_public: bool = False
    """True if `display` is equal for all viewers."""
    strategies: Mapping[str, Bot] = {RANDOM: WHIM, BANKER: WHIM}
    """The bots of simulated games, by name."""
    simulated_tables: Sequence[Mapping[str, Any]] = ({},)
    """The tables of simulated games, in turn: the settings that differ from the defaults, and as `dice` the
    source of the dice ("service" by default).
    """
    account_names: Mapping[str, AccountName] = {}
    """The names of accounts, by id or, for a kind of account, by the part before the last colon: {"market": …,
    "hand": …} name "market" and "hand:ana".
    """
    agreement_types: Mapping[str, type[Agreement]] = {}
    """The kinds of agreement by the name of the collection: {"loans": Loan, …}."""
    agreement_names: Mapping[str, Phrase] = {}
    """The readable names of the collections of agreements: {"loans": Loans, …}."""
    wording: Wording = UNWORDED
    """The words for the actions: labels, groups, ranks and verbs."""
    parameter_wording: ParameterWording = UNNAMED
    """The words for the parameters of the actions."""
    settings_wording: SettingsWording = UNSAID
    """The words for the settings: titles, groups, and the order of the form."""
    shared: Mapping[str, Shared] = {}
    """The values shared by all states of a game, by the name of the state's field."""

    @property
    def engine(self) -> str:
        """The name of the engine shared by several editions; by default the id of the game."""
        return self.id

    def __init__(self, register: Register, chapters: Iterable[Chapter]) -> None:
        self.register = register
        self.chapters = tuple(chapters)
        self.actions: dict[str, type[Action]] = {}
        self.events: dict[str, type[Event]] = {}
        self.upcasts: dict[str, Upcast] = {}
        self.action_upcasts: dict[str, tuple[Upcast, ...]] = {}
        for chapter in self.chapters:
            for kind, action in chapter.actions.items():
                if kind in self.actions:
                    raise ValueError(f"two actions are called {kind}")
                self.actions[kind] = action
            for event in chapter.events:
                if tag_of(event) in self.events:
                    raise ValueError(f"two events are called {tag_of(event)}")
                self.events[tag_of(event)] = event
            for tag, upcast in chapter.upcasts.items():
                if tag in self.upcasts:
                    raise ValueError(f"two upcasts start from {tag}")
                self.upcasts[tag] = upcast
            for kind, upcasts in chapter.action_upcasts.items():
                self.action_upcasts[kind] = (*self.action_upcasts.get(kind, ()), *upcasts)
        if unknown := self.action_upcasts.keys() - self.actions.keys():
            raise ValueError(f"upcasts of actions that there are not: {', '.join(sorted(unknown))}")
        if stale := self.upcasts.keys() & self.events.keys():
            raise ValueError(f"upcasts start from the shape of today: {', '.join(sorted(stale))}")
        self._codec: Codec[S] = Codec(
            actions=self.actions,
            events=self.events,
            upcasts=self.upcasts,
            action_upcasts=self.action_upcasts,
            state=self.state,
            agreements=self.agreement_types.values(),
            may_owe=self.may_owe,
            shared=self.shared.values(),
        )

    # Game-specific methods --------------------------------------------------------------------

    @abstractmethod
    def opening_action(self, opening: Opening) -> Action:
        """Return the first action of a game, performed by the banker. Raises a Refusal for an illegal opening."""

    @abstractmethod
    def may_owe(self, account: str, commodity: str) -> bool:
        """Return True if the account may hold less than nothing of the commodity, as the issuer or as a
        permitted debtor.
        """

    @abstractmethod
    def holding_audience(self, state: S, account: str, commodity: str) -> Audience:
        """Return the audience of the amount of the commodity in the account, in the state.

        The end of the game does not matter here: `Viewer.revealed` covers the end, at earlier moments as well.
        """

    def veil(self, commodity: str) -> str | None:
        """Return the name ("card") that replaces a commodity for viewers who may not identify the commodity in
        an account.

        Such viewers see the amount. None hides the holding completely.
        """
        return None

    def has_fixed_audience(self, account: str) -> bool:
        """Return True if the audience of the account's holdings is constant throughout the game.

        Otherwise (a card lies face down, then face up) each balance of a statement is shown to the audience at
        the moment of the balance, which is slower to find.
        """
        return False

    def settle(self, draft: Draft[S]) -> None:
        """Record the automatic consequences of an action after the decision (a victory, an elimination)."""

    def due(self, state: S, at: datetime) -> tuple[Action, str | None] | None:
        """Return the action due for the system, and the seat concerned; None if nothing is due.

        An action due before any deadline is due at once: it is performed together with the causing action, as a
        separate entry. An action due only by time is performed before the next action. A due action refuses to
        be decided when not due, because a correction decides it again.
        """
        return None

    def deadlines(self, state: S) -> Sequence[datetime] | None:
        """Return the times at which something falls due without any action; empty if nothing ever does.

        Before the first deadline, only actions due at once are due, whatever the time. After the last one, the
        due actions and all consequences no longer depend on the time. None if the rulebook cannot tell.
        """
        return () if type(self).due is Rulebook.due else None

    def closed_kinds(self, state: S, seat: str) -> Collection[str]:
        """Return kinds of action refused to the seat in the state for every choice; moves skip such kinds.

        The list may be incomplete. Waivers do not count here. A refusal is explained as if nothing were listed.
        """
        return ()

    def default_step(self, state: S, goal: StepGoal) -> DefaultStep | None:
        """Return the next step of the game itself before an action that is refused in the state.

        The step is the effect of passing time: the default answer to a question, the effect of a stop, the end
        of a turn. None if no step stands before the action. Steps are taken one at a time, with a new call
        after each.
        """
        return None

    def wrong_turn(self, state: S, goal: StepGoal) -> Refusal | None:
        """Return the refusal for an action of another turn, or None.

        Called in corrections only, with `goal.was` set.
        """
        return None

    def is_done(self, state: S, goal: StepGoal) -> bool:
        """Return True if the purpose of a refused action is already achieved, such as the end of a turn that is
        over.

        Called in corrections only, with `goal.was` set. The action then counts, and changes nothing.
        """
        return False

    def whose_turn(self, state: S) -> tuple[int, str] | None:
        """Return the round and the seat of the turn under way, from the summary.

        None for a game without turns, or between turns.
        """
        summary = self.summary(state)
        round_, seat = summary.get("round"), summary.get("turn")
        return None if round_ is None or seat is None else (round_, seat)

    def restore_draws(self, draft: Draft[S], undone: Sequence[UndoneDraw]) -> None:
        """Record the new positions of the cards of draws undone by a correction (`parts.decks.back_on_top`).

        Called right after the recording of a correction with undone draws, on the corrected state; and again,
        with the same draws, when the correction itself is decided again. Does nothing by default: a card of an
        undone draw is an ordinary card of the pile.
        """

    @property
    def puts_back(self) -> bool:
        """True if the game puts undone draws back."""
        return type(self).restore_draws is not Rulebook.restore_draws

    def resume_action(self, state: S) -> tuple[Action, str | None] | None:
        """Return the system action that resumes a game forked from the state, and the seat. None if no clock
        was running.
        """
        return None

    def exchanged(self, here: End[S], there: End[S]) -> Opening:
        """Return the opening of a game that continues `here`, with a seat of `there` in exchange for a seat of
        `here`.

        Raises a Refusal of the rules of the exchange, and Malformed in a game without exchanges.
        """
        raise Malformed(
            "{title} has no exchange of seats between games",
            "{title} ne connaît pas d'échange de places entre parties",
            title=self.title,
        )

    def view(self, state: S, viewer: Viewer) -> dict[str, Any]:
        """Return the visible parts of the state as plain data, without accounts and agreements.

        Combines `public_view` and `own_view`.
        """
        return {**self.public_view(state), **self.own_view(state, viewer)}

    def public_view(self, state: S) -> dict[str, Any]:
        """Return the part of the view common to all viewers, computed once for all; possibly empty.

        Do not change the returned data.
        """
        return {}

    def own_view(self, state: S, viewer: Viewer) -> dict[str, Any]:
        """Return the part of the view that depends on the viewer; by default the summary.

        Revelation and knowledge of the end come from the viewer (`Viewer.sees_all`, `Viewer.knows_the_end`,
        `Audience.admits`) and not from the state: earlier moments are read after the end, and an undone end can
        be read as well.
        """
        return self.summary(state)

    def describe_changes(
        self, state: S, before: Mapping[str, Any], after: Mapping[str, Any], language: str
    ) -> Iterator[str]:
        """Yield the differences of two views of a game as sentences in "en" or "fr", the most important first.

        The views are plain data from `view`, so the sentences contain only visible facts. `state` gives the
        names. Empty by default.
        """
        return iter(())

    @abstractmethod
    def summary(self, state: S) -> dict[str, Any]:
        """Return a short public summary: `round`, the number of the round; `turn`, the seat to play.

        A game with eliminations lists the remaining seats as `in_play`.
        """

    def turn_order(self, state: S) -> Sequence[str]:
        """Return all seats in turn order, eliminated seats included: the state's `order`, if any, or else
        sorted.
        """
        order: Sequence[str] = getattr(state, "order", ())
        return order or sorted(state.seats)

    def is_due(self, state: S, seat: str, kind: str, params: Mapping[str, Any]) -> bool:
        """Return True if the game waits for this legal move of a seat, "" for the banker, although `waiting`
        leaves the move out.

        For moves whose legality does not follow from the state alone. Called only for kinds with the rank
        "due".
        """
        return False

    def awaited(self, state: S) -> Sequence[str]:
        """Return the seats that the game waits for, such as the seat to play or to answer; by default all
        seats.
        """
        return tuple(state.seats)

    def out(self, state: S) -> frozenset[str]:
        """Return the eliminated seats: the game waits for none of them."""
        playing = self.summary(state).get("in_play")
        return frozenset(state.seats) - {*playing} if playing else frozenset()

    def board_drawn(self, state: S | None, language: str) -> BoardView | None:
        """Return the drawn board, constant during a game; without a state, the board of a default game.

        None for a game without a board, or with squares that tell everything (`parts.boards.drawn`).
        """
        return None

    def pieces_in_play(self, state: S) -> msgspec.Struct | None:
        """Return the pieces of a game whose table brought its own; None if `components` has the pieces of every
        game.
        """
        return None

    def display(self, state: S, viewer: Viewer, language: str) -> Display | None:
        """Return the pieces on the board visible to the viewer; None if the squares tell everything.

        Every holding in the display passes through `sight`, like the holdings of accounts.
        """
        return None

    def turn(self, state: S) -> TurnView | None:
        """Return the turn under way; None for a game without turns, or between turns."""
        seat = self.summary(state).get("turn")
        return None if seat is None else TurnView(seat)

    def phase(self, state: S, language: str) -> PhaseView:
        """Return the phase of the game, with the label in "en" or "fr"."""
        name = "ended" if state.ended else "setup" if self.in_setup(state) else "play"
        return PhaseView(name, PHASES[name].in_language(language))

    def clock(self, state: S) -> ClockView | None:
        """Return the clock of the turn under way; None without a running or paused clock."""
        return None

    def waiting(self, state: S, viewer: Viewer, language: str) -> Sequence[AwaitedView]:
        """Return the events that the game waits for, as far as the viewer may know, with labels in "en" or
        "fr".

        The moves are given by their ids, "kind" or "kind:…" (`ActionWords.per`). All are legal, and of kinds
        with the rank "due". A move is left out unless the legality follows from facts visible to the viewer.
        States are read often, so the answer comes from facts, without trying moves.
        """
        label = Phrase("to play", "à jouer").in_language(language)
        return (
            [] if state.ended else [AwaitedView(seat=seat, label=label, moves=()) for seat in self.awaited(state)]
        )

    def worth_audience(self, state: S, seat: str) -> Audience:
        """Return the audience of a seat's worth: the seat's player, because a sum would reveal more than the
        visible parts.
        """
        return only(seat)

    def winners(self, state: S) -> Sequence[str]:
        """Return the winners; empty while the game goes on."""
        return ()

    def inconsistencies(self, state: S) -> Iterable[Inconsistency]:
        """Return the inconsistencies of the state, which normal actions never produce.

        A correction with the cascade `keep` may produce some, because later actions stay as recorded. So may
        `adjust`.
        """
        return ()

    def wealth(self, state: S, seat: str) -> Sequence[Asset]:
        """Return the worth of a seat, line by line, in the game's money; empty for a game without worth."""
        return ()

    def shown_wealth(self, state: S, seat: str) -> Sequence[Asset] | None:
        """Return the public part of a seat's wealth, line by line; None for a game without such a part.

        The lines are shown to every viewer, so each line consists of holdings with a public audience.
        """
        return None

    def agreements(self, state: S, collection: str) -> list[Agreement]:
        """Return every agreement of a collection, ended agreements included, in order of opening."""
        return []

    def has_ended(self, state: S, agreement: Agreement) -> bool:
        """Return True if the agreement has ended."""
        return agreement.status != "open"

    def open_agreements(self, state: S) -> Iterable[Agreement]:
        """Return the open agreements of all collections; fast even late in a long game."""
        agreements = (
            agreement for collection in self.agreement_types for agreement in self.agreements(state, collection)
        )
        return (agreement for agreement in agreements if not self.has_ended(state, agreement))

    def terms(self, state: S, agreement: Agreement, language: str) -> Terms:
        """Return the terms of an agreement in "en" or "fr": title, parties, status, due date."""
        kind = name_of_agreement(agreement)
        return Terms(label=kind, title=f"{kind.capitalize()} {agreement.id}", status=agreement.status)

    def in_setup(self, state: S) -> bool:
        """Return True while the table is being prepared; a game without a set-up is in play from the start."""
        return False

    def private_matters(self, events: Sequence[Event]) -> Mapping[str, frozenset[str]]:
        """Return the private deals behind the events of an action, by id, each with its parties."""
        return {}

    def purse(self, seat: str) -> str:
        """Return the account from which a seat pays."""
        return f"player:{seat}"

    def accounts_of(self, seat: str) -> tuple[str, ...]:
        """Return the accounts of a seat, empty accounts included."""
        return (self.purse(seat),)

    def account_on(self, commodity: str) -> str | None:
        """Return the account of pieces on a unique piece, such as the houses on a title; None if nothing can
        lie on the piece.
        """
        return None

    def seat_of(self, state: S, account: str) -> str | None:
        """Return the seat that owns an account; None for an account without an owner."""
        return next((seat for seat in state.seats if account in self.accounts_of(seat)), None)

    def knows_account(self, state: S, account: str) -> bool:
        """Return True if the account exists as a source or target of a transfer. A typing mistake must not open
        an account.
        """
        return account == BANK or bool(state.holdings.account(account)) or self.seat_of(state, account) is not None

    def knows_commodity(self, state: S, commodity: str) -> bool:
        """Return True if the commodity exists."""
        return commodity == self.currency or state.holdings.holder(commodity) is not None

    def commodities(self, state: S) -> Glossary:
        """Return the publicly known commodities, held or not, with their words."""
        return {self.currency: CommodityWords(sort="money")}

    def groups(self, state: S, language: str) -> Mapping[str, str]:
        """Return the names of the groups of commodities outside the board, in "en" or "fr"."""
        return {}

    def movable(self, state: S, viewer: Viewer) -> Mapping[str, Sequence[str]]:
        """Return the commodities that a ruling may move, as far as the viewer may know.

        Each commodity has the accounts between which it may move. A rulebook with publicly known pieces returns
        all pieces to every viewer.
        """
        accounts = [BANK, *(account for seat in state.seats for account in self.accounts_of(seat))]
        commodities = {self.currency}
        for account, balances in state.holdings.items():
            visible = {
                item
                for item in balances
                if viewer.sees_all or self.holding_audience(state, account, item).admits(viewer)
            }
            commodities |= visible
            if visible and account not in accounts:
                accounts.append(account)
        return dict.fromkeys(sorted(commodities), tuple(accounts))

    def agreement_audience(self, agreement: Agreement) -> Audience:
        """Return the audience of an agreement: by default the banker alone."""
        return BANKER_ONLY

    @abstractmethod
    def speakers(self, state: S) -> Mapping[str, Speaker]:
        """Return the speakers that name the values of the game in sentences."""

    def components(self) -> dict[str, Any]:
        """Return the pieces and prices of the game, as plain data for a frontend; empty by default."""
        return {}

    # Derived methods --------------------------------------------------------------------------

    def naming(self, state: S) -> Mapping[str, Speaker]:
        """Return the speakers that name the values of the game in refusals: the speakers of sentences, and
        summaries for actions.
        """
        speakers = self.speakers(state)
        seat = speakers.get("seat", as_it_is)

        def account(value: Any, language: str) -> str:
            """Return the name of the seat that owns an account; an account without an owner unchanged."""
            return seat(self.seat_of(state, value) or value, language)

        words = {
            "action": self._say_action,
            "account": account,
            "askers": say_askers,
            "case": say_case,
            "remedies": say_remedies,
        }
        return {**words, **speakers}

    def _say_action(self, kind: Any, language: str) -> str:
        action = self.actions.get(kind)
        if action is None:
            return str(kind)
        return Phrase(f'"{action.summary.en}"', f"« {action.summary.fr} »").in_language(language)

    def words_of(self, kind: str, discriminator: str = "") -> ActionWords:
        """Return the words for a kind of action, and for the moves with the given discriminator (see
        `ActionWords.per`).
        """
        return self.wording.of(kind, self.actions[kind].summary, discriminator)

    @property
    def veils(self) -> bool:
        """True if the game has veiled commodities."""
        return type(self).veil is not Rulebook.veil

    def blank(self) -> S:
        """Return the state before the first action."""
        blank: S = self.state(holdings=Holdings(self.may_owe), **self.shared)  # type: ignore[arg-type, assignment]
        return blank

    def action_type(self, kind: str) -> type[Action]:
        """Return the class of an action. Raises UnknownKind."""
        action = self.actions.get(kind)
        if action is None:
            raise UnknownKind(
                "{rulebook} has no action {kind!r}",
                "{rulebook} n'a pas d'action {kind!r}",
                rulebook=self.id,
                kind=kind,
            )
        return action

    def action(self, kind: str, params: bytes) -> Action:
        """Return an action from a kind and parameters as JSON. Raises UnknownKind or Malformed."""
        self.action_type(kind)
        return self._codec.action(kind, params)

    def params(self, kind: str, params: bytes) -> dict[str, Any]:
        """Return the stored parameters of an action as plain data, under current names."""
        return self._codec.params(kind, params)

    def public_params(self, kind: str, params: bytes) -> bytes | None:
        """Return an action's public parameters as canonical JSON, or None."""
        action = self.actions.get(kind)
        if action is None or action.redacted is Action.redacted:
            return None
        try:
            redacted = self.action(kind, params).redacted()
        except Malformed:
            return None
        return None if redacted is None else body(redacted)

    def event(self, stored: bytes | msgspec.Raw) -> Event:
        """Return a stored event from the body, of the current or an older shape.

        Raises msgspec.ValidationError for an unknown shape.
        """
        return self._codec.event(stored)

    def facts(self, entries: Sequence[bytes]) -> list[EntryEvents[Event]]:
        """Decode the parts of stored entries that the fold reads. The events may be of any age.

        Raises msgspec.ValidationError if an event has an unknown shape, and msgspec.DecodeError for bytes that
        are no entry.
        """
        return self._codec.read_events(entries)

    def to_snapshot(self, state: S) -> bytes:
        """Return the state as bytes, for a snapshot; equal histories give equal bytes in every process."""
        return self._codec.to_snapshot(state)

    def from_snapshot(self, snapshot: bytes) -> S:
        """Return the state from a snapshot. Raises msgspec.ValidationError for a snapshot of another shape."""
        return self._codec.from_snapshot(snapshot)

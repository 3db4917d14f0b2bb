"""Rulebooks: chapters of actions and events, a register of rules, and the questions that a game answers."""

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
from ledger.kernel.facts.events import Event, Facts, Undrawn, tag_of
from ledger.kernel.facts.refusals import Malformed, Refusal, UnknownKind
from ledger.kernel.facts.state import Shared, State
from ledger.kernel.journal.entry import body
from ledger.kernel.language.parameter_words import UNNAMED, ParameterWording
from ledger.kernel.language.sentences import AccountName, Speaker, as_it_is
from ledger.kernel.language.setting_words import UNSAID, SettingsWording
from ledger.kernel.language.wording import UNWORDED, ActionWords, Phrase, Wording
from ledger.kernel.language.words import PHASES, say_askers, say_case, say_remedies
from ledger.kernel.rules.actions import Action, DefaultStep, Toward
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
    """The rules of one game. A subclass answers what is particular to it; the rest is here.

    Actions and events are collected from the chapters at construction; their kinds are unique over all chapters.
    The values declared below may be set by the class, or by the instance before construction ends: several
    rulebooks of one class, with the same chapters, are the editions of one engine.
    """

    id: str
    title: str
    currency: str
    """The commodity that is money."""
    money_is_told: bool = True
    """Whether everybody who may know of a ruling reads how much money it moves between two hidden purses;
    otherwise only the owners of the purses do."""
    players: tuple[int, int]
    """The smallest and the largest number of players."""
    settings: type[msgspec.Struct]
    state: type[State]
    correction_rule: str
    """The rule by which the history is corrected."""
    dispute_rule: str
    """The rule by which an outcome is contested."""
    ruling_rule: str
    """The rule by which the banker rules."""
    privacy_rule: str
    """The rule that keeps strangers, and the banker unasked, out of a private deal."""
    end_rule: str
    """The rule by which a game that has ended stays as it is."""
    player_undo: bool = False
    """Whether players may undo their own last action without the banker (see `undo.require_may_undo`); the
    rulebook's correction is then open to them."""
    display_is_public: bool = False
    """Whether `display` is the same for every viewer."""
    strategies: Mapping[str, Bot] = {RANDOM: WHIM, BANKER: WHIM}
    """Who plays in simulated games, by name."""
    simulated_tables: Sequence[Mapping[str, Any]] = ({},)
    """The tables at which simulated games are played, in turn: the settings where they differ from the defaults,
    and as `dice` who throws them ("service" unless it says so)."""
    account_names: Mapping[str, AccountName] = {}
    """What people call the game's accounts, by their id or, for those of a kind, by what stands before its last
    colon: {"market": …, "hand": …} name "market" and "hand:ana"."""
    agreement_types: Mapping[str, type[Agreement]] = {}
    """Kinds of agreement by the name of their collection: {"loans": Loan, …}."""
    agreement_names: Mapping[str, Phrase] = {}
    """What people call the agreements of a collection: {"loans": Loans, …}."""
    wording: Wording = UNWORDED
    """What people call the actions: labels, groups, ranks and verbs."""
    parameter_wording: ParameterWording = UNNAMED
    """What people call the parameters of the actions."""
    settings_wording: SettingsWording = UNSAID
    """What people call the settings: titles, groups, and the order of the form."""
    shared: Mapping[str, Shared] = {}
    """What every state of a game refers to, by the name of the state's field."""

    @property
    def engine(self) -> str:
        """The name of the engine that several editions share; a game of its own kind is its own engine."""
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

    # What a rulebook answers --------------------------------------------------------------------

    @abstractmethod
    def opening_action(self, opening: Opening) -> Action:
        """The first action of a game, performed by the banker. Raises a Refusal when the opening is not legal."""

    @abstractmethod
    def may_owe(self, account: str, commodity: str) -> bool:
        """Whether the account may hold less than nothing of the commodity: its issuer, or who may be in debt."""

    @abstractmethod
    def holding_audience(self, state: S, account: str, commodity: str) -> Audience:
        """Who may see how much of the commodity the account holds, at the moment of this state.

        The end of the game does not matter here: `Viewer.revealed` stands for it, at earlier moments as well.
        """

    def veil(self, commodity: str) -> str | None:
        """The name ("card") that stands for a commodity to viewers who may not see which one an account holds.

        They see how many there are. None when they see nothing of it.
        """
        return None

    def audience_lasts(self, account: str) -> bool:
        """Whether the audience of the account's holdings is the same at every moment of the game.

        Where it is not (a card lies face down, then face up), each balance of a statement is shown to those who
        could see it at its moment, which takes longer to find out.
        """
        return False

    def settle(self, draft: Draft[S]) -> None:
        """Record what follows by itself after an action is decided (a victory, an elimination)."""

    def due(self, state: S, at: datetime) -> tuple[Action, str | None] | None:
        """The action that is due, for the system to perform, and the seat that it concerns; None for nothing.

        What is due before any deadline is due at once: it is performed together with the action that made it so,
        as an entry of its own. What only the time has made due is performed before the next action. An action that
        is due refuses to be decided where it is not due, because a correction decides it again.
        """
        return None

    def deadlines(self, state: S) -> Sequence[datetime] | None:
        """The times at which something falls due while nobody acts; empty when nothing ever does.

        Before the first of them nothing is due but what is due at once, whatever the time. After the last one,
        what is due and all that it leads to no longer depend on the time. A rulebook that cannot tell gives None.
        """
        return () if type(self).due is Rulebook.due else None

    def closed_kinds(self, state: S, seat: str) -> Collection[str]:
        """Kinds of action that are refused to the seat in this state, whatever is chosen; moves do not try them.

        Not every such kind need be named. No waiver counts here. A refusal is explained as if nothing were named.
        """
        return ()

    def default_step(self, state: S, toward: Toward) -> DefaultStep | None:
        """The next thing that the game does by itself before an action that is refused on this state.

        It is what passing time would bring: the default answer to a question, the effect of a stop, the end of a
        turn. None when nothing of the kind stands before the action. Steps are taken one at a time, and this is
        asked again after each.
        """
        return None

    def misplaced(self, state: S, toward: Toward) -> Refusal | None:
        """Why an action that was taken in one turn must not be decided on this state, which is in another turn.

        None when it may be tried. Asked in corrections only, where `toward.was` is set.
        """
        return None

    def is_done(self, state: S, toward: Toward) -> bool:
        """Whether what a refused action was for has come about already: the turn that it ends is over.

        Asked in corrections only, where `toward.was` is set. The action then counts, and changes nothing.
        """
        return False

    def whose_turn(self, state: S) -> tuple[int, str] | None:
        """The round and the seat of the turn under way, as the summary has them.

        None where a game has no turns, or between them.
        """
        shown = self.summary(state)
        round_, seat = shown.get("round"), shown.get("turn")
        return None if round_ is None or seat is None else (round_, seat)

    def put_back(self, draft: Draft[S], undone: Sequence[Undrawn]) -> None:
        """Record where the cards of draws that a correction has undone lie now (`parts.decks.back_on_top`).

        Asked right after a correction is recorded, on the state that it gives, when it undoes any draw; and again,
        with the same draws, when the correction itself is decided again. Nothing unless the game says so: a card
        whose draw is undone is one of its pile like any other.
        """

    @property
    def puts_back(self) -> bool:
        """Whether the game puts undone draws back."""
        return type(self).put_back is not Rulebook.put_back

    def taking_up(self, state: S) -> tuple[Action, str | None] | None:
        """The first action, by the system, of a new game that goes on from this state of another game.

        Gives the action and the seat it concerns. None when nothing has to be done because no clock was running.
        """
        return None

    def exchanged(self, here: End[S], there: End[S]) -> Opening:
        """The opening of a game that goes on from `here`, with a seat of `there` in the place of one of its own.

        Raises a Refusal where the rules have no such exchange, and Malformed in most games.
        """
        raise Malformed(
            "{title} has no exchange of seats between games",
            "{title} ne connaît pas d'échange de places entre parties",
            title=self.title,
        )

    def view(self, state: S, viewer: Viewer) -> dict[str, Any]:
        """What the viewer may see of the state apart from accounts and agreements, as plain data.

        It is made of `public_view` and `own_view`.
        """
        return {**self.public_view(state), **self.own_view(state, viewer)}

    def public_view(self, state: S) -> dict[str, Any]:
        """The part of the view that is the same for all viewers, and is worked out once for them; perhaps nothing.

        Do not change what is given.
        """
        return {}

    def own_view(self, state: S, viewer: Viewer) -> dict[str, Any]:
        """The part of the view that depends on the viewer; all of it, the summary, unless the game says more.

        Whether everything is revealed, or the end known, is asked of the viewer (`Viewer.sees_all`,
        `Viewer.knows_the_end`, `Audience.admits`) and not of the state: earlier moments are read after the end,
        and an end that was undone can be read as well.
        """
        return self.summary(state)

    def changes_told(
        self, state: S, before: Mapping[str, Any], after: Mapping[str, Any], language: str
    ) -> Iterator[str]:
        """How two views of one game differ, as sentences in "en" or "fr", the most telling first.

        The views are those of `view`, as plain data, so a viewer is told what they may see. `state` gives the
        names. Nothing unless the game has words for it.
        """
        return iter(())

    @abstractmethod
    def summary(self, state: S) -> dict[str, Any]:
        """A short public summary: `round`, the number of the round; `turn`, the seat whose turn it is.

        A game that seats can be out of has the others as `in_play`.
        """

    def turn_order(self, state: S) -> Sequence[str]:
        """All seats in the order of turns, also those out of the game: the state's `order` where it has one."""
        order: Sequence[str] = getattr(state, "order", ())
        return order or sorted(state.seats)

    def is_due(self, state: S, seat: str, kind: str, params: Mapping[str, Any]) -> bool:
        """Whether the game waits for this legal move of a seat, "" for the banker, though `waiting` leaves it out.

        For moves of which a state alone does not tell whether they are legal. Asked only of the kinds whose words
        have the rank "due".
        """
        return False

    def awaited(self, state: S) -> Sequence[str]:
        """The seats that the game waits for: whose turn it is, who must answer; all of them unless it says so."""
        return tuple(state.seats)

    def out(self, state: S) -> frozenset[str]:
        """The seats that are out of the game: of them nothing is awaited any more."""
        playing = self.summary(state).get("in_play")
        return frozenset(state.seats) - {*playing} if playing else frozenset()

    def board_drawn(self, state: S | None, language: str) -> BoardView | None:
        """The board as it is drawn, which never changes in a game; without a state, that of a game by default.

        None for a game that has none, or whose squares say it all (`parts.boards.drawn`).
        """
        return None

    def pieces_in_play(self, state: S) -> msgspec.Struct | None:
        """The pieces of a game whose table may bring its own; None where `components` has those of every game."""
        return None

    def display(self, state: S, viewer: Viewer, language: str) -> Display | None:
        """What lies on the board, as the viewer may see it; None where the squares say it all.

        Every holding in it passes through `seeing`, as those of accounts do.
        """
        return None

    def turn(self, state: S) -> TurnView | None:
        """The turn under way; None where a game has no turns, or between them."""
        seat = self.summary(state).get("turn")
        return None if seat is None else TurnView(seat)

    def phase(self, state: S, language: str) -> PhaseView:
        """What the game has come to, with its label in "en" or "fr"."""
        name = "ended" if state.ended else "setup" if self.in_setup(state) else "play"
        return PhaseView(name, PHASES[name][language == "fr"])

    def clock(self, state: S) -> ClockView | None:
        """The clock of the turn under way; None where none runs or stands."""
        return None

    def waiting(self, state: S, viewer: Viewer, language: str) -> Sequence[AwaitedView]:
        """What the game waits for, as far as the viewer may know, with labels in "en" or "fr".

        The moves are named by their ids, "kind" or "kind:…" (`ActionWords.per`). They are legal, and of kinds
        whose words have the rank "due". Whether a move is legal must follow from what the viewer may see;
        otherwise it is left out. States are read often: facts decide, and no move is tried.
        """
        label = "à jouer" if language == "fr" else "to play"
        return (
            [] if state.ended else [AwaitedView(seat=seat, label=label, moves=()) for seat in self.awaited(state)]
        )

    def worth_audience(self, state: S, seat: str) -> Audience:
        """Who may see what a seat is worth: its own player, because a sum would tell what its parts do not."""
        return only(seat)

    def winners(self, state: S) -> Sequence[str]:
        """Who has won; nobody while the game goes on."""
        return ()

    def inconsistencies(self, state: S) -> Iterable[Inconsistency]:
        """What does not fit together in the state, as the game's actions alone never leave it.

        A correction with the cascade `keep` may: it keeps later actions as they were recorded. So may `adjust`.
        """
        return ()

    def wealth(self, state: S, seat: str) -> Sequence[Asset]:
        """What a seat is worth, line by line, in the game's money; nothing where a game does not count it."""
        return ()

    def shown_wealth(self, state: S, seat: str) -> Sequence[Asset] | None:
        """The part of a seat's wealth that lies open to everybody, line by line; None where a game has none.

        It is shown to every viewer alike. So each line is made of holdings whose audience is everybody.
        """
        return None

    def agreements(self, state: S, collection: str) -> list[Agreement]:
        """Every agreement of a collection, ended ones included, in the order of their opening."""
        return []

    def has_ended(self, state: S, agreement: Agreement) -> bool:
        """Whether the agreement has ended."""
        return agreement.status != "open"

    def open_agreements(self, state: S) -> Iterable[Agreement]:
        """Every agreement that has not ended, of whatever collection; quick also late in a long game."""
        found = (one for collection in self.agreement_types for one in self.agreements(state, collection))
        return (one for one in found if not self.has_ended(state, one))

    def terms(self, state: S, agreement: Agreement, language: str) -> Terms:
        """What an agreement is about, in "en" or "fr": its title, its parties, how it stands, when it is due."""
        kind = name_of_agreement(agreement)
        return Terms(label=kind, title=f"{kind.capitalize()} {agreement.id}", status=agreement.status)

    def in_setup(self, state: S) -> bool:
        """Whether the table is still being prepared; a game without a set-up is played from the start."""
        return False

    def private_matters(self, events: Sequence[Event]) -> Mapping[str, frozenset[str]]:
        """The private deals that an action with these events is about, by id, each with its parties."""
        return {}

    def purse(self, seat: str) -> str:
        """The account from which a seat pays."""
        return f"player:{seat}"

    def accounts_of(self, seat: str) -> tuple[str, ...]:
        """The accounts that belong to a seat, whether they hold anything or not."""
        return (self.purse(seat),)

    def account_on(self, commodity: str) -> str | None:
        """The account of what lies on a unique piece, such as the houses on a title; None where nothing can."""
        return None

    def seat_of(self, state: S, account: str) -> str | None:
        """The seat to which an account belongs; None for any other account."""
        return next((seat for seat in state.seats if account in self.accounts_of(seat)), None)

    def knows_account(self, state: S, account: str) -> bool:
        """Whether the account exists, so that something may move from or to it: a typing mistake opens none."""
        return account == BANK or bool(state.holdings.account(account)) or self.seat_of(state, account) is not None

    def knows_commodity(self, state: S, commodity: str) -> bool:
        """Whether the commodity exists."""
        return commodity == self.currency or state.holdings.holder(commodity) is not None

    def commodities(self, state: S) -> Glossary:
        """The commodities that everybody may know of, whether anybody holds them or not, with their words."""
        return {self.currency: CommodityWords(sort="money")}

    def groups(self, state: S, language: str) -> Mapping[str, str]:
        """The names of the groups of commodities that are no groups of the board, in "en" or "fr"."""
        return {}

    def movable(self, state: S, viewer: Viewer) -> Mapping[str, Sequence[str]]:
        """The commodities that a ruling may move, as far as the viewer may know of them.

        Each comes with the accounts between which it may be moved. A rulebook whose pieces everybody knows gives
        them to every viewer.
        """
        accounts = [BANK, *(account for seat in state.seats for account in self.accounts_of(seat))]
        commodities = {self.currency}
        for account, held in state.holdings.items():
            seen = {
                one for one in held if viewer.sees_all or self.holding_audience(state, account, one).admits(viewer)
            }
            commodities |= seen
            if seen and account not in accounts:
                accounts.append(account)
        return dict.fromkeys(sorted(commodities), tuple(accounts))

    def agreement_audience(self, agreement: Agreement) -> Audience:
        """Who may see an agreement: the banker alone, unless the game says so."""
        return BANKER_ONLY

    @abstractmethod
    def speakers(self, state: S) -> Mapping[str, Speaker]:
        """How sentences name the values of this game."""

    def components(self) -> dict[str, Any]:
        """The pieces and prices of the game, as plain data for a frontend; none unless it has some."""
        return {}

    # What follows from it -----------------------------------------------------------------------

    def naming(self, state: S) -> Mapping[str, Speaker]:
        """How refusals name the values of this game: as its sentences do; actions by what they do."""
        speakers = self.speakers(state)
        seat = speakers.get("seat", as_it_is)

        def account(value: Any, language: str) -> str:
            """The name of the seat to which an account belongs; any other account as it is."""
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
        return f"« {action.summary[1]} »" if language == "fr" else f'"{action.summary[0]}"'

    def words_of(self, kind: str, discriminator: str = "") -> ActionWords:
        """What people call a kind of action, and its moves with this discriminator (see `ActionWords.per`)."""
        return self.wording.of(kind, self.actions[kind].summary, discriminator)

    @property
    def veils(self) -> bool:
        """Whether anything of the game may show under a veil."""
        return type(self).veil is not Rulebook.veil

    def blank(self) -> S:
        """The state before the first action."""
        blank: S = self.state(holdings=Holdings(self.may_owe), **self.shared)  # type: ignore[arg-type, assignment]
        return blank

    def action_type(self, kind: str) -> type[Action]:
        """The class of an action. Raises UnknownKind."""
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
        """An action from its kind and its parameters as JSON. Raises UnknownKind or Malformed."""
        self.action_type(kind)
        return self._codec.action(kind, params)

    def params(self, kind: str, params: bytes) -> dict[str, Any]:
        """Stored parameters of an action as plain data, under the names of today."""
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
        """A stored event body, of today's shape or of an older one.

        Raises msgspec.ValidationError when it is of neither.
        """
        return self._codec.event(stored)

    def facts(self, entries: Sequence[bytes]) -> list[Facts[Event]]:
        """What the fold reads of stored entries, whose events may be of any age.

        Raises msgspec.ValidationError when an event has no known shape, and msgspec.DecodeError for bytes that are
        no entry.
        """
        return self._codec.facts(entries)

    def freeze(self, state: S) -> bytes:
        """The state as bytes, for a snapshot; the same history gives the same bytes in every process."""
        return self._codec.freeze(state)

    def thaw(self, snapshot: bytes) -> S:
        """The state back from a snapshot. Raises msgspec.ValidationError when its shape is another."""
        return self._codec.thaw(snapshot)

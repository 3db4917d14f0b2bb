"""Rulebooks: the core of a game, and its faces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from ledger.kernel.facts.accounts import Holdings
from ledger.kernel.facts.events import Event, tag_of
from ledger.kernel.facts.state import Shared, State
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker, as_it_is
from ledger.kernel.language.wording import ActionWords
from ledger.kernel.language.words import say_askers, say_case, say_remedies
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.chapter import Chapter, Upcast
from ledger.kernel.rules.codec import Codec
from ledger.kernel.rules.faces.accounts import Accounts
from ledger.kernel.rules.faces.agreements import Agreements
from ledger.kernel.rules.faces.board import Board
from ledger.kernel.rules.faces.editions import Editions
from ledger.kernel.rules.faces.governance import Governance
from ledger.kernel.rules.faces.language import Language
from ledger.kernel.rules.faces.play import Play
from ledger.kernel.rules.faces.progress import Progress
from ledger.kernel.rules.faces.score import Score
from ledger.kernel.rules.faces.screen import Screen
from ledger.kernel.rules.faces.secrets import Secrets
from ledger.kernel.rules.faces.simulation import Simulation
from ledger.kernel.rules.faces.tallies import Tallies
from ledger.kernel.rules.register import Register, Rule
from ledger.kernel.rules.revisions import KERNEL, Revision

S = TypeVar("S", bound=State)

_SETTINGS = re.compile(r"\b[Ss]ettings?\b[^.;:)]*|\w+_\w+")
_WORD = re.compile(r"\w+")


class Rulebook(Generic[S]):
    """The rules of a game: the core, and a face for each matter.

    Actions and events are collected from the chapters; the kinds are unique over all chapters. `players` are the
    smallest and the largest number of players. `engine` is the name of the engine shared by several editions; by
    default the id of the game. `shared` has the values shared by all states of a game, by the name of the state's
    field. `revisions` has the revisions of the rules in order; without any, all entries are of revision 1. A game
    without clocks, agreements, winners, bots, board, statistics or own editions leaves those faces out.
    """

    def __init__(
        self,
        *,
        id: str,  # noqa: A002
        title: str,
        players: tuple[int, int],
        settings: type[msgspec.Struct],
        state: type[State],
        register: Register,
        chapters: Iterable[Chapter],
        governance: Governance,
        play: Play[S],
        accounts: Accounts[S],
        secrets: Secrets[S],
        language: Language[S],
        screen: Screen[S] | None = None,
        progress: Progress[S] | None = None,
        agreements: Agreements[S] | None = None,
        score: Score[S] | None = None,
        simulation: Simulation | None = None,
        board: Board[S] | None = None,
        tallies: Tallies | None = None,
        editions: Editions | None = None,
        engine: str = "",
        shared: Mapping[str, Shared] | None = None,
        revisions: Sequence[Revision] = (),
    ) -> None:
        self.id, self.title, self.engine, self.players = id, title, engine or id, players
        self.settings, self.state, self.register, self.shared = settings, state, register, shared or {}
        self.revisions = revisions
        self.governance, self.play, self.accounts = governance, play, accounts
        self.secrets, self.language = secrets, language
        self.screen: Screen[S] = screen or Screen()
        self.progress: Progress[S] = progress or Progress()
        self.agreements: Agreements[S] = agreements or Agreements()
        self.score: Score[S] = score or Score()
        self.simulation = simulation or Simulation()
        self.board, self.tallies, self.editions = board, tallies or Tallies(), editions
        self.chapters = tuple(chapters)
        self.actions: dict[str, type[Action]] = {}
        self.events: dict[str, type[Event]] = {}
        self.upcasts: dict[str, Upcast] = {}
        self.action_upcasts: dict[str, tuple[Upcast, ...]] = {}
        self._collect()
        self.codec: Codec[S] = Codec(
            rulebook=id,
            actions=self.actions,
            events=self.events,
            upcasts=self.upcasts,
            action_upcasts=self.action_upcasts,
            state=state,
            agreements=self.agreements.agreement_types.values(),
            may_owe=accounts.may_owe,
            shared=self.shared.values(),
        )

    def _collect(self) -> None:
        """Collect the actions, events and upcasts of the chapters. Raises ValueError for a repeated name."""
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

    @property
    def revision(self) -> tuple[int, int]:
        """The revision of the rules of today, and of the rules of the kernel."""
        return len(self.revisions) or 1, len(KERNEL)

    def mended(self, revision: tuple[int, int], kinds: Iterable[str]) -> bool:
        """Return True if rules mended after a revision may decide one of these kinds of action otherwise."""
        newer = (*self.revisions[revision[0] :], *KERNEL[revision[1] :])
        return not {kind for row in newer for kind in row.kinds}.isdisjoint(kinds)

    def settings_for(self, rule_id: str) -> tuple[str, ...]:
        """Return the names of the settings that decide a rule otherwise: those named in the rule's decision.

        A name of one word stands after "setting" or "settings".
        """
        rule = self.register.get(rule_id)
        named = _SETTINGS.findall("" if rule is None else rule.decision)
        words = {word for text in named for word in _WORD.findall(text)}
        return tuple(field.name for field in msgspec.structs.fields(self.settings) if field.name in words)

    def rule(self, rule_id: str, language: str, state: State | None = None) -> Rule | None:
        """Return a rule in the words for the settings of a game, or for the defaults; None for an unknown id."""
        rule = self.register.get(rule_id, language)
        return None if rule is None else self.worded(rule, language, state)

    def worded(self, rule: Rule, language: str, state: State | None = None) -> Rule:
        """Return a rule of the register in the words for the settings of a game, or for the defaults."""
        if not rule.varies:
            return rule
        settings = self.settings() if state is None else state.settings  # type: ignore[attr-defined]
        named: Any = self.blank() if state is None else state
        return rule.worded(settings, language, self.language.speakers(named))

    def blank(self) -> S:
        """Return the state before the first action."""
        blank: S = self.state(holdings=Holdings(self.accounts.may_owe), **self.shared)  # type: ignore[arg-type, assignment]
        return blank

    def naming(self, state: S) -> Mapping[str, Speaker]:
        """Return the speakers that name the values of the game in refusals: the speakers of sentences, and
        summaries for actions.
        """
        speakers = self.language.speakers(state)
        seat = speakers.get("seat", as_it_is)

        def account(value: Any, language: str) -> str:
            """Return the name of the seat that owns an account; an account without an owner unchanged."""
            return seat(self.accounts.seat_of(state, value) or value, language)

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
        return self.language.wording.of(kind, self.actions[kind].summary, discriminator)

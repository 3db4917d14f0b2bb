"""Drafts: the copy of the state on which an action is decided, with the operations open to the action."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from ledger.kernel.dice.chance import Chance
from ledger.kernel.facts.accounts import CONSERVATION, Posting
from ledger.kernel.facts.audience import BANKER, Audience, Viewer, only, seats_of
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.labels import Name
from ledger.kernel.facts.refusals import Impossible, Malformed, RuleBroken, RuleNote
from ledger.kernel.facts.shapes import holds_maps
from ledger.kernel.facts.state import State
from ledger.kernel.facts.values import LARGEST
from ledger.kernel.journal.citing import Cited
from ledger.kernel.journal.entry import body
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker
from ledger.kernel.rules.draws import Draws
from ledger.kernel.rules.faces.accounts import Accounts
from ledger.kernel.rules.faces.governance import Governance
from ledger.kernel.rules.faces.secrets import Secrets

S = TypeVar("S", bound=State)


_SHORT = {
    (True, True): Phrase(
        "{account:account} has {held:money} and cannot spend {amount:money} without {missing:money} more",
        "{account:account} a {held:money} et ne peut pas dépenser {amount:money} sans {missing:money} de plus",
    ),
    (True, False): Phrase(
        "{account:account} cannot spend {amount:money}",
        "{account:account} ne peut pas dépenser {amount:money}",
    ),
    (False, True): Phrase(
        "{account:account} has {held} × {commodity:goods}, not {amount}",
        "{account:account} a {held} × {commodity:goods}, et non {amount}",
    ),
    (False, False): Phrase(
        "{account:account} does not have {amount} × {commodity:goods}",
        "{account:account} n'a pas {amount} × {commodity:goods}",
    ),
}
"""The refusals for a lack of funds, by two flags: the commodity is money; the requester may know the balance."""


class StoredEvents(Protocol):
    """A reader of stored events, such as the codec of a rulebook."""

    def event(self, stored: bytes, /) -> Event:
        """Return the event stored in the bytes."""


class DraftRules(Protocol[S]):
    """The parts of a rulebook that an action needs during a decision. Every `Rulebook` has them."""

    @property
    def id(self) -> str:
        """The rulebook's id."""

    @property
    def register(self) -> Container[str]:
        """The ids of the rules of the rulebook."""

    @property
    def codec(self) -> StoredEvents:
        """The reader of stored events."""

    @property
    def governance(self) -> Governance:
        """The rules for the banker's work."""

    @property
    def accounts(self) -> Accounts[S]:
        """The money and the accounts of the game."""

    @property
    def secrets(self) -> Secrets[S]:
        """The audiences of holdings."""

    def naming(self, state: S) -> Mapping[str, Speaker]:
        """Return the speakers that name the values of the game in refusals."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A requested action.

    `by` is the seat id of the requesting player, "banker", or "system"; `seat` is the seat acted for.
    `override` is the banker's reason for waiving rules. `cited` holds the existing actions of the journal named
    by the action (`Action.cites`). For an action decided again, `draws` are the recorded draws, `waives` the
    rules waived at the time (no further rule is waived now), and `opens_as` the id of the agreement opened by
    the action. `again` is set for every decision of a correction: the action has its place in the history
    (`Draft.is_placed`), and `put_back` has the cards of undone draws by the name of the draw, if the game puts
    them back on top. `undrawn` is set to decide without a card that nobody drew. `recorded` is set for an action
    of the journal decided again unchanged: amounts allowed at the time stay allowed.
    """

    action: Any
    seat: str | None
    by: str
    at: datetime
    override: str | None = None
    draws: Mapping[str, Sequence[int | str]] = {}
    waives: frozenset[str] | None = None
    opens_as: str | None = None
    cited: Mapping[Name, Cited] = {}
    again: bool = False
    put_back: Mapping[str, Sequence[int | str]] = {}
    undrawn: bool = False
    recorded: bool = False


class Draft(Generic[S]):
    """A copy of the state for the decision of an action, with the events recorded so far.

    `copy` is an existing copy to use, still without any recorded event.
    """

    def __init__(
        self,
        rulebook: DraftRules[S],
        state: S,
        request: Request,
        chance: Chance | None,
        *,
        copy: S | None = None,
    ) -> None:
        self.rulebook = rulebook
        self.state: S = state.copy() if copy is None else copy
        self.is_untouched = True
        """True as long as nothing is recorded, so that the next action may be decided on the same copy."""
        self.number = state.version + 1
        self.by = request.by
        self.at = request.at
        self.override = request.override
        self.is_placed = request.again
        """True if the action has its place in the history already, so that no clock refuses it."""
        self.is_replayed = request.again and request.recorded
        """True if a correction decides an action of the journal again, unchanged: the table has played it."""
        self.undrawn = request.undrawn or request.by == "system"
        self.cited = request.cited
        may_give = chance is None or request.by in {"banker", "system"}
        put_back = request.put_back if request.again else None
        gives_again = request.again and request.recorded
        self.draws = Draws(request.draws, chance, may_give=may_give, put_back=put_back, gives_again=gives_again)
        self.events: list[Event] = []
        self.warnings: list[RuleNote] = []
        self._seat = request.seat
        self._recorded = request.recorded
        self._waives = request.waives
        self._waived = request.waives or frozenset()
        self._opens_as = request.opens_as or str(self.number)
        self._opened = 0

    @property
    def seat(self) -> str:
        """The seat acted for. Raises Malformed for an action without a seat."""
        if self._seat is None:
            raise Malformed(
                "this action is performed for a seat: name it",
                "cette action se fait au nom d'un siège : indiquez-le",
            )
        return self._seat

    @property
    def speaker(self) -> str:
        """The speaker of the action: the seat acted for, or "banker" without a seat."""
        return self._seat or "banker"

    @property
    def viewer(self) -> Viewer:
        """The requester as a viewer, for the content of refusals. A banker who also plays has the view of their
        seat.
        """
        plays = self.state.banker_plays
        if self.by == "banker" and plays is not None:
            return Viewer("banker", plays, covered=True)
        return BANKER if self.by in {"banker", "system"} else Viewer("player", self.by)

    def may_name(self, seats: Audience) -> bool:
        """Return True if the requester is among those who know a hidden thing. Recorded actions stand anyway."""
        return self._recorded or seats.admits(self.viewer)

    def record(self, event: Event) -> None:
        """Apply the event to the draft, and keep it.

        Raises Impossible if a posting cannot be made, or would make a holding larger than the service counts.
        Nothing is kept then.
        """
        if event.postings and not self._recorded:
            self._require_countable(event.postings)
        if holds_maps(type(event)):
            # The journal sorts the keys of maps. Reading the stored form gives decisions and folds one order of
            # keys.
            event = self.rulebook.codec.event(body(event))
        self.is_untouched = False
        self.state.record(event)
        self.events.append(event)

    def _require_countable(self, postings: Sequence[Posting]) -> None:
        """Refuse postings that would make a holding, even of the bank, larger than `LARGEST`."""
        beyond = self.state.holdings.beyond(postings)
        if beyond is None:
            return
        account, commodity, amount = beyond
        audience = self.rulebook.secrets.holding_audience(self.state, account, commodity)
        values: dict[str, Any] = {"account": account, "commodity": commodity, "most": LARGEST}
        if audience.admits(self.viewer):
            raise Impossible(
                CONSERVATION,
                "{account:account} would hold {amount} × {commodity:goods}; no account holds or owes more than "
                "{most}",
                "{account:account} détiendrait {amount} × {commodity:goods} ; aucun compte ne détient ni ne doit "
                "plus de {most}",
                amount=amount,
                **values,
            ).to(audience)
        raise Impossible(
            CONSERVATION,
            "{account:account} would hold too much: no account holds or owes more than {most} × {commodity:goods}",
            "{account:account} détiendrait trop : aucun compte ne détient ni ne doit plus de {most} × "
            "{commodity:goods}",
            **values,
        ).to(audience | only(self.viewer.seat))

    def require(
        self,
        holds: bool,
        rule: str,
        en: str,
        fr: str,
        /,
        *,
        beside: tuple[str, ...] = (),
        known_to: Audience | None = None,
        **values: Any,
    ) -> None:
        """Refuse by the rule unless the condition holds. With the banker's waiver, warn and continue.

        Takes the refusal as English and French templates, with values. `beside` lists further rules to cite; a
        rule cited in the past stays there for actions with that rule waived. `known_to` limits the readers of the
        refusal in the journal, if the condition or a value is not public to all viewers of the action.
        """
        if not holds:
            broken = RuleBroken(rule, en, fr, **values).citing(*beside)
            broken.readers = known_to
            self.refuse(broken)

    def refuse(self, broken: RuleBroken) -> None:
        """Refuse by a rule. If the banker waived the rule, or a rule cited beside it, warn and continue.

        The warning of an action decided again names the rule waived at the time.
        """
        rules = (broken.rule, *broken.also_cited)
        if self.override is None or not (self._waives is None or self._waives.intersection(rules)):
            raise broken
        rule = next((rule for rule in rules if rule in self._waived), broken.rule)
        broken.named_by(self.rulebook.naming(self.state))
        readers = None if broken.readers is None else seats_of(broken.readers)
        self.warnings.append(RuleNote(rule, broken.en, broken.fr, readers))

    def require_now(self, holds: bool, rule: str, en: str, fr: str, /, **values: Any) -> None:
        """Refuse an action requested now, beyond any waiver, unless the condition holds (`refuse_now`)."""
        if not holds:
            self.refuse_now(Impossible(rule, en, fr, **values))

    def refuse_now(self, refusal: Impossible) -> None:
        """Refuse an action requested now: it would change nothing, or it names facts that have changed.

        An action with a place in the history stands all the same: a correction before it has changed the facts.
        """
        if not self.is_placed:
            raise refusal

    def may_warn(self, rule: str) -> bool:
        """Return True if the action may be recorded with a warning by the rule. An action decided again may
        only have recorded warnings.
        """
        return self._waives is None or rule in self._waives

    def warn(self, rule: str, en: str, fr: str, /, **values: Any) -> None:
        """Add a warning by the rule to the action, for the banker alone. Nothing is refused."""
        warned = RuleBroken(rule, en, fr, **values).named_by(self.rulebook.naming(self.state))
        self.warnings.append(RuleNote(rule, warned.en, warned.fr, told=()))

    def set_aside(self, rules: Iterable[str], reason: str) -> None:
        """Waive the rules from now on, as a ruling does. Does nothing if the request already waives rules."""
        named = frozenset(rules)
        if named and self.override is None:
            self.override = reason
            self._waives = named

    def require_funds(
        self, account: str, commodity: str, amount: int, rule: str, *, beside: tuple[str, ...] = ()
    ) -> None:
        """Refuse by the rule if the account holds less than the amount. `beside` lists further rules to cite.

        The refusal names the balance only to viewers who may see the holding. The text kept in the journal (a
        warning, or the reason for a voided action) is readable for the viewers of the holding and for the
        requesting seat.
        """
        balance = self.state.holdings.of(account, commodity)
        if balance >= amount:
            return
        audience = self.rulebook.secrets.holding_audience(self.state, account, commodity)
        is_visible = audience.admits(self.viewer)
        values = {"account": account, "commodity": commodity, "amount": amount} | (
            {"held": balance, "missing": amount - balance} if is_visible else {}
        )
        words = _SHORT[commodity == self.rulebook.accounts.currency, is_visible]
        self.refuse(
            RuleBroken(rule, words.en, words.fr, **values)
            .citing(*beside)
            .to(audience if is_visible else audience | only(self.viewer.seat))
        )

    @property
    def label(self) -> str:
        """The lasting name of the action: the number, or "60-1" for the first action inserted by correction 60."""
        return self._opens_as

    def new_id(self) -> str:
        """Return an id for an agreement opened by the action: the action's number, then number-2, number-3…"""
        self._opened += 1
        return self._opens_as if self._opened == 1 else f"{self._opens_as}-{self._opened}"

    def move(self, commodity: str, amount: int, source: str, target: str) -> tuple[Posting, ...]:
        """Return the posting of the amount as a tuple for an event; an empty tuple for an amount of 0."""
        return (Posting(commodity, amount, source, target),) if amount else ()

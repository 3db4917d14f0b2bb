"""Drafts: the copy of the state on which one action is decided, and what the action may do with it."""

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
from ledger.kernel.facts.refusals import Impossible, Malformed, RuleBroken, Warned
from ledger.kernel.facts.shapes import holds_maps
from ledger.kernel.facts.state import State
from ledger.kernel.facts.values import LARGEST
from ledger.kernel.journal.citing import Cited
from ledger.kernel.journal.entry import body
from ledger.kernel.language.sentences import Speaker
from ledger.kernel.rules.draws import Draws

S = TypeVar("S", bound=State)


S_contra = TypeVar("S_contra", bound=State, contravariant=True)


_SHORT = {
    (True, True): (
        "{account:account} has {held:money} and cannot spend {amount:money}",
        "{account:account} a {held:money} et ne peut pas dépenser {amount:money}",
    ),
    (True, False): (
        "{account:account} cannot spend {amount:money}",
        "{account:account} ne peut pas dépenser {amount:money}",
    ),
    (False, True): (
        "{account:account} has {held} × {commodity:goods}, not {amount}",
        "{account:account} a {held} × {commodity:goods}, et non {amount}",
    ),
    (False, False): (
        "{account:account} does not have {amount} × {commodity:goods}",
        "{account:account} n'a pas {amount} × {commodity:goods}",
    ),
}
"""Too little in an account: whether money is meant, and whether who asks may know how much there is."""


class DraftRules(Protocol[S_contra]):
    """What an action may ask of the rulebook while it is decided. Every `Rulebook` answers it."""

    @property
    def id(self) -> str:
        """The rulebook's id."""

    @property
    def register(self) -> Container[str]:
        """The ids of its rules."""

    @property
    def currency(self) -> str:
        """The commodity that is money."""

    @property
    def money_is_told(self) -> bool:
        """Whether a ruling names the money that it moves between hidden purses (see `Rulebook.money_is_told`)."""

    def event(self, stored: bytes, /) -> Event:
        """The event that was stored in these bytes."""

    @property
    def dispute_rule(self) -> str:
        """The rule by which an outcome is contested."""

    @property
    def ruling_rule(self) -> str:
        """The rule by which the banker rules."""

    @property
    def privacy_rule(self) -> str:
        """The rule that keeps strangers, and the banker unasked, out of a private deal."""

    @property
    def end_rule(self) -> str:
        """The rule by which a game that has ended stays as it is."""

    def purse(self, seat: str) -> str:
        """The account from which a seat pays."""

    def naming(self, state: S_contra) -> Mapping[str, Speaker]:
        """How refusals name the values of this game."""

    def knows_account(self, state: S_contra, account: str) -> bool:
        """Whether there is such an account to move something from or to."""

    def knows_commodity(self, state: S_contra, commodity: str) -> bool:
        """Whether there is such a thing to be moved."""

    def holding_audience(self, state: S_contra, account: str, commodity: str) -> Audience:
        """Who may see how much of the commodity the account holds."""

    def veil(self, commodity: str) -> str | None:
        """The name under which a commodity shows to those who may not see which one it is; None for nothing."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """An action asked for.

    `by` is the seat id of the player who asks, "banker", or "system"; `seat` on whose behalf. `override` is the
    banker's reason for waiving rules. When an action is decided again, `draws` are those recorded with it,
    `waives` the rules that were waived then (no others are now), and `opens_as` the id of what it opens. `cited`
    are the actions of the journal that it names (`Action.cites`), those that there are. `again` is set for
    everything that a correction decides: it happened in its time, so no clock refuses it. `undrawn` is whether it
    goes on without a card that nobody drew. `recorded` is set for an action of the journal that is decided again
    as it was recorded: amounts that were allowed in its time stay.
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
    undrawn: bool = False
    recorded: bool = False


class Draft(Generic[S]):
    """A copy of the state on which one action is decided, with the events recorded so far.

    `copy` is the copy when there is one already; nothing may be recorded on it yet.
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
        """Whether nothing has been recorded, so that another action may be decided on the same copy."""
        self.number = state.version + 1
        self.by = request.by
        self.now = request.at
        self.override = request.override
        self.again = request.again
        self.undrawn = request.undrawn or request.by == "system"
        self.cited = request.cited
        may_give = chance is None or request.by in {"banker", "system"}
        self.draws = Draws(request.draws, chance, may_give=may_give)
        self.events: list[Event] = []
        self.warnings: list[Warned] = []
        self._seat = request.seat
        self._recorded = request.recorded
        self._waives = request.waives
        self._opens_as = request.opens_as or str(self.number)
        self._opened = 0

    @property
    def seat(self) -> str:
        """The seat on whose behalf the action is performed. Raises Malformed when it names none."""
        if self._seat is None:
            raise Malformed(
                "this action is performed for a seat: name it",
                "cette action se fait au nom d'un siège : indiquez-le",
            )
        return self._seat

    @property
    def speaker(self) -> str:
        """Who speaks: the seat on whose behalf the action is performed, "banker" when it names none."""
        return self._seat or "banker"

    @property
    def viewer(self) -> Viewer:
        """Who asks, which decides what a refusal may reveal. A banker who also plays sees what their seat sees."""
        plays = self.state.banker_plays
        if self.by == "banker" and plays is not None:
            return Viewer("banker", plays, covered=True)
        return BANKER if self.by in {"banker", "system"} else Viewer("player", self.by)

    def record(self, event: Event) -> None:
        """Apply the event to the draft and keep it.

        Raises Impossible when a posting cannot be made, or would make a holding larger than the service counts;
        nothing is kept then.
        """
        if event.postings and not self._recorded:
            self._require_countable(event.postings)
        if holds_maps(type(event)):
            # The journal sorts the keys of maps: what follows their order must not differ from a fold.
            event = self.rulebook.event(body(event))
        self.is_untouched = False
        self.state.record(event)
        self.events.append(event)

    def _require_countable(self, postings: Sequence[Posting]) -> None:
        """Refuse postings that would make a holding larger than `LARGEST`, that of the bank among them."""
        beyond = self.state.holdings.beyond(postings)
        if beyond is None:
            return
        account, commodity, amount = beyond
        audience = self.rulebook.holding_audience(self.state, account, commodity)
        told: dict[str, Any] = {"account": account, "commodity": commodity, "most": LARGEST}
        if audience.admits(self.viewer):
            raise Impossible(
                CONSERVATION,
                "{account:account} would hold {amount} × {commodity:goods}; no account holds or owes more than "
                "{most}",
                "{account:account} détiendrait {amount} × {commodity:goods} ; aucun compte ne détient ni ne doit "
                "plus de {most}",
                amount=amount,
                **told,
            ).to(audience)
        raise Impossible(
            CONSERVATION,
            "{account:account} would hold too much: no account holds or owes more than {most} × {commodity:goods}",
            "{account:account} détiendrait trop : aucun compte ne détient ni ne doit plus de {most} × "
            "{commodity:goods}",
            **told,
        ).to(audience | only(self.viewer.seat))

    def require(
        self, holds: bool, rule: str, en: str, fr: str, /, *, known_to: Audience | None = None, **values: Any
    ) -> None:
        """Refuse by this rule unless the condition holds. With the banker's waiver, warn and go on.

        Takes the refusal as English and French templates, and the values that fill them. `known_to` says who may
        read it in the journal, when the condition or a value is not for everybody who sees the action.
        """
        if not holds:
            broken = RuleBroken(rule, en, fr, **values)
            broken.known_to = known_to
            self.refuse(broken)

    def refuse(self, broken: RuleBroken) -> None:
        """Refuse by a rule. With the banker's waiver of it, or of a rule that it is cited beside, "
        "warn and go on."""
        rule = broken.rule
        if self.override is None or not (self._waives is None or self._waives & {rule, *broken.beside}):
            raise broken
        broken.named_by(self.rulebook.naming(self.state))
        told = None if broken.known_to is None else seats_of(broken.known_to)
        self.warnings.append(Warned(rule, broken.en, broken.fr, told))

    def may_warn(self, rule: str) -> bool:
        """Whether the action may be recorded with a warning by this rule; decided again, only if it was then."""
        return self._waives is None or rule in self._waives

    def warn(self, rule: str, en: str, fr: str, /, **values: Any) -> None:
        """Keep a warning by this rule with the action, for the banker alone; nothing is refused."""
        warned = RuleBroken(rule, en, fr, **values).named_by(self.rulebook.naming(self.state))
        self.warnings.append(Warned(rule, warned.en, warned.fr, told=()))

    def set_aside(self, rules: Iterable[str], reason: str) -> None:
        """Waive these rules from here on, as a ruling does; nothing changes when the request waives already."""
        named = frozenset(rules)
        if named and self.override is None:
            self.override = reason
            self._waives = named

    def require_funds(
        self, account: str, commodity: str, amount: int, rule: str, *, beside: tuple[str, ...] = ()
    ) -> None:
        """Refuse by this rule when the account holds less than the amount; `beside` are the rules cited with it.

        The refusal says how much the account holds only to those who may see that holding. What the journal keeps
        (a warning, why an action is voided) is read by them and by the seat that asked.
        """
        held = self.state.holdings.of(account, commodity)
        if held >= amount:
            return
        audience = self.rulebook.holding_audience(self.state, account, commodity)
        seen = audience.admits(self.viewer)
        told = {"account": account, "commodity": commodity, "amount": amount} | ({"held": held} if seen else {})
        words = _SHORT[commodity == self.rulebook.currency, seen]
        self.refuse(
            RuleBroken(rule, *words, **told)
            .citing(*beside)
            .to(audience if seen else audience | only(self.viewer.seat))
        )

    @property
    def label(self) -> str:
        """The action's lasting name: its number, or "60-1" for the first action that correction 60 inserts."""
        return self._opens_as

    def new_id(self) -> str:
        """An id for an agreement that this action opens: the action's number, then number-2, number-3…"""
        self._opened += 1
        return self._opens_as if self._opened == 1 else f"{self._opens_as}-{self._opened}"

    def move(self, commodity: str, amount: int, source: str, target: str) -> tuple[Posting, ...]:
        """The posting of this amount, as an event takes it; an empty tuple when the amount is 0."""
        return (Posting(commodity, amount, source, target),) if amount else ()

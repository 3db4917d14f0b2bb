"""IX.B by ruling. Services of the bar given to a player or withdrawn by the banker, with all effects.

A service is more than a holding: a hack has a target (IX.B.10), and everybody sees how many services a player
has (IX.B.15). As with a purchase, the kind of the service remains the player's secret (I.C.6).
"""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.audience import Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, Malformed
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.mercenaries.hacks import HACK
from ledger.rulebooks.negopoly.mercenaries.kidnapping import KIDNAPPING
from ledger.rulebooks.negopoly.mercenaries.services import Service
from ledger.rulebooks.negopoly.mercenaries.strikes import DEFENCE, TEAM, disclose
from ledger.rulebooks.negopoly.table.pieces import ITEMS
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, owner_of, seat_named, title_named
from ledger.rulebooks.negopoly.table.terms import attached, player

chapter = Chapter("IX.B. Services by ruling")

_RULES: dict[str, str] = {DEFENCE: "IX.B.5", HACK: "IX.B.10", KIDNAPPING: "IX.B.12", TEAM: "IX.B.14"}
"""The rule of each service's effect."""


class _ByRuling(Event, frozen=True, kw_only=True):
    """A ruling about a service of a player, with the fields of a purchase (`services.ServiceTaken`)."""

    rule: str
    seat: str
    service: Service | None
    """The kind of the service; None for viewers who may only know that a service exists."""
    target: str | None = None
    title: str | None = None
    owner: str | None = None

    @property
    def what(self) -> tuple[Any, ...]:
        """The service with its target and title, without a price."""
        return (self.service, None, self.target, self.title)

    def audience(self) -> Audience:
        """Return the player, and the owner of a defended title."""
        return only(self.seat, self.owner)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide everything except the change in the number of services."""
        return replace(self, rule="IX.B.1", service=None, target=None, title=None, owner=None, postings=())


@chapter.event
class ServiceGranted(_ByRuling, frozen=True, kw_only=True):
    """A ruling gives a player a service of the bar; nothing is paid."""

    en: ClassVar[str] = "By a ruling, {seat:seat} has {what:service}."
    fr: ClassVar[str] = "Par une décision, {seat:seat} dispose de : {what:service}."

    def apply(self, state: Negopoly) -> None:
        """Count one more secret service. Hacks are used in the order of arrival."""
        state.services[self.seat] = state.services.get(self.seat, 0) + 1
        if self.target is not None:
            state.hacks.append((self.seat, self.target))


@chapter.event
class ServiceWithdrawn(_ByRuling, frozen=True, kw_only=True):
    """A ruling takes an unused service away from a player; nothing is refunded."""

    en: ClassVar[str] = "By a ruling, {seat:seat} no longer has {what:service}."
    fr: ClassVar[str] = "Par une décision, {seat:seat} ne dispose plus de : {what:service}."

    def apply(self, state: Negopoly) -> None:
        """Count one secret service fewer, and forget the target of a hack."""
        disclose(state, self.seat)
        if self.target is not None:
            state.require_part((self.seat, self.target) in state.hacks)
            state.hacks.remove((self.seat, self.target))


def grant(
    draft: Draft, seat: str, service: Service, *, target: str | None = None, title: str | None = None
) -> None:
    """Give a player a service for free.

    Raises Malformed if the target or the title does not go with the service, and Impossible for a player's own
    identity or a title of the bank.
    """
    _require_words(service, target, title)
    rule = _RULES[service]
    if target is not None and seat_named(draft.state, target, rule) == seat:
        raise Impossible(
            rule,
            "{seat:seat} cannot steal their own identity",
            "{seat:seat} ne peut pas voler sa propre identité",
            seat=seat,
        )
    owner = None
    if title is not None:
        owner = owner_of(draft.state, title_named(title).id)
        if owner is None:
            raise Impossible(
                rule,
                "{title} belongs to the bank: there is nobody to defend it for",
                "{title} appartient à la banque : il n'y a personne pour qui le défendre",
                title=title_named(title).name,
            )
    account = player(seat) if title is None else attached(title)
    draft.record(
        ServiceGranted(
            rule=rule,
            seat=seat,
            service=service,
            target=target,
            title=title,
            owner=owner,
            postings=(Posting(service, 1, BANK, account),),
        )
    )


def withdraw(
    draft: Draft, seat: str, service: Service, *, target: str | None = None, title: str | None = None
) -> None:
    """Take an unused service away from a player, without a refund.

    Raises Malformed if the target or the title does not go with the service, and Impossible if the player lacks
    the service.
    """
    _require_words(service, target, title)
    state, rule = draft.state, _RULES[service]
    account = player(seat) if title is None else attached(title_named(title).id)
    exists = state.holdings.of(account, service) and (target is None or (seat, target) in state.hacks)
    if not exists:
        raise Impossible(
            rule,
            "there is no such service to withdraw: {service} of {seat:seat}{on}",
            "il n'y a pas de tel service à retirer : {service} {seat:de|seat}{sur}",
            service=ITEMS[service].name,
            seat=seat,
            on=_about(draft, target, title, "against", "on"),
            sur=_about(draft, target, title, "contre", "sur"),
        )
    draft.record(
        ServiceWithdrawn(
            rule=rule,
            seat=seat,
            service=service,
            target=target,
            title=title,
            owner=None if title is None else owner_of(state, title),
            postings=(Posting(service, 1, account, BANK),),
        )
    )


def _require_words(service: Service, target: str | None, title: str | None) -> None:
    if (target is not None) != (service == HACK) or (title is not None) != (service == DEFENCE):
        raise Malformed(
            "a hack names a target, a defence a title, and nothing else names either",
            "un hack nomme une cible, une défense un titre, et rien d'autre n'en nomme",
        )


def _about(draft: Draft, target: str | None, title: str | None, against: str, on: str) -> str:
    """Return the target or the title as the end of a sentence, after a word of the sentence's language."""
    if target is not None:
        seat = draft.state.seats.get(target)
        return f", {against} {target if seat is None else seat.name}"
    return "" if title is None else f", {on} {title_named(title).name}"

"""IX.B. Mercenary actions: attacks and squats with an immediate effect, and services for later use.

`kidnapping` uses kidnappings, `hacks` fires hacks, `strikes` uses defences and security teams.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.audience import Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, Malformed
from ledger.kernel.facts.values import SeatId, TitleId
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.estate import houses, mortgages, remote_property
from ledger.rulebooks.negopoly.estate.real_estate import spare_rent
from ledger.rulebooks.negopoly.goods import shops
from ledger.rulebooks.negopoly.mercenaries import bar, reactions
from ledger.rulebooks.negopoly.mercenaries.hacks import HACK
from ledger.rulebooks.negopoly.mercenaries.kidnapping import KIDNAPPING
from ledger.rulebooks.negopoly.mercenaries.strikes import DEFENCE, TEAM
from ledger.rulebooks.negopoly.table.pieces import ITEMS, TITLES, Title
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    change_passage,
    houses_on,
    is_mortgaged,
    is_squatted,
    others_in_play,
    own_turn,
    owner_of,
    seat_named,
    title_named,
)
from ledger.rulebooks.negopoly.table.terms import MONEY, Strike, attached, player
from ledger.rulebooks.parts.titles import owners_of

chapter = Chapter("IX.B. Mercenary actions")

ATTACK = "attack"
SQUAT = "squat"

Service = Literal["defence", "hack", "kidnapping", "security_team"]

_PRICED_BY: dict[str, str] = {DEFENCE: "IX.B.6", HACK: "IX.B.11", KIDNAPPING: "IX.B.13", TEAM: "IX.B.14"}
"""The rule of each service's price."""


def attack_price(title: Title) -> int:
    """Return the price of an attack on the title, in whole ₦: three times the mortgage value (IX.B.3)."""
    return 3 * title.mortgage


def squat_price(title: Title) -> int:
    """Return the price of a squat of the title, in whole ₦: half the mortgage, rounded up (IX.B.9, I.B.1)."""
    return -(-title.mortgage // 2)


def defence_price(title: Title) -> int:
    """Return the price of a defence of the title, in whole ₦: the mortgage value (IX.B.6)."""
    return title.mortgage


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


class _Hired(Event, frozen=True, kw_only=True):
    """The purchase of a mercenary action, the only action of a visit (IX.A.3)."""

    seat: str
    price: int | None
    visit: int | None
    """The index of the stop with access to the bar, among the passages of the turn."""

    def apply(self, state: Negopoly) -> None:
        """Mark the visit as used."""
        change_passage(state, self.visit, served=True)


@chapter.event
class AttackOrdered(_Hired, frozen=True, kw_only=True):
    """A player pays for an attack on a title, even if it is stopped (IX.B.1, IX.B.3)."""

    en: ClassVar[str] = "{seat:seat} pays {price:money} for an attack on {title:title}."
    fr: ClassVar[str] = "{seat:seat} paie {price:money} pour une attaque contre {title:title}."

    rule: str = "IX.B.3"
    title: str


@chapter.event
class TitleSquatted(_Hired, frozen=True, kw_only=True):
    """Squatters occupy a title: meanwhile the title has no function (IX.B.7, IX.B.9)."""

    en: ClassVar[str] = "{seat:seat} pays {price:money} to have {title:title} squatted."
    fr: ClassVar[str] = "{seat:seat} paie {price:money} pour faire squatter {title:title}."

    rule: str = "IX.B.7"
    title: str


@chapter.event
class SquattersEvicted(Event, frozen=True, kw_only=True):
    """A player passing by evicts the squatters of a title (IX.B.8)."""

    en: ClassVar[str] = "{seat:seat} chases the squatters of {title:title} away."
    fr: ClassVar[str] = "{seat:seat} fait fuir les squatteurs {title:de|title}."

    rule: str = "IX.B.8"
    seat: str
    title: str

    def apply(self, state: Negopoly) -> None:
        """Waive the rent of the present stop (V.A.8)."""
        spare_rent(state, self.title)


@chapter.event
class ServiceTaken(_Hired, frozen=True, kw_only=True):
    """A player buys a service for later use; its kind, its target and its title are the buyer's secret (I.C.6).

    Everybody sees that the player has one more service. The owner of the title also knows a defence.
    """

    en: ClassVar[str] = "{seat:seat} pays for {taken:service}."
    fr: ClassVar[str] = "{seat:seat} paie {taken:service}."

    rule: str
    service: Service | None
    target: str | None = None
    """The target of a hack."""
    title: str | None = None
    """The title of a defence."""
    owner: str | None = None
    """The owner of the title."""

    @property
    def taken(self) -> tuple[Any, ...]:
        """The purchase: the service, with its price, its target and its title."""
        return (self.service, self.price, self.target, self.title)

    def apply(self, state: Negopoly) -> None:
        """Count one more secret service. Hacks are used in the order of purchase."""
        super().apply(state)
        state.services[self.seat] = state.services.get(self.seat, 0) + 1
        if self.target is not None:
            state.hacks.append((self.seat, self.target))

    def audience(self) -> Audience:
        """Return the buyer, and the owner of a defended title."""
        return only(self.seat, self.owner)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide everything except the existence of the service."""
        return replace(
            self, rule="IX.B.1", price=None, service=None, target=None, title=None, owner=None, postings=()
        )


def speak_of(seat: Speaker, money: Speaker) -> Callable[[Any, str], str]:
    """Return a formatter for a service in sentences, from the formatters of seats and money."""

    def service(value: Any, language: str) -> str:
        kind, price, target, title = value
        if kind is None:
            return Phrase("a service of the bar", "un service du bar").in_language(language)
        parts = [
            ITEMS[kind].name,
            *([TITLES[title].name] if title else []),
            *([seat(target, language)] if target else []),
        ]
        paid = "" if price is None else f" ({money(price, language)})"
        return f"{', '.join(parts)}{paid}"

    return service


# ----------------------------------------------------------------------------------------------
# Attacks and squats
# ----------------------------------------------------------------------------------------------


def _owned(draft: Draft, title_id: str, rule: str) -> Title:
    """Return the title with the id, owned by a player. Refuse a title of the bank."""
    title = title_named(title_id)
    if owner_of(draft.state, title.id) is None:
        raise Impossible(
            rule,
            "{title} belongs to the bank: there is nobody to hire mercenaries against or for",
            "le titre {title} appartient à la banque : il n'y a personne à attaquer ni à protéger",
            title=title.name,
        )
    return title


def _titles_owned(state: Negopoly) -> list[str]:
    owners = owners_of(state)
    return [title for title in TITLES if title in owners]


def _wealth_for(state: Negopoly, seat: str, price: int) -> str:
    """Return "enough" if the seat can pay the price, else "too little"."""
    enough = state.settings.voluntary_overdraft or state.holdings.of(player(seat), MONEY) >= price
    return "enough" if enough else "too little"


@chapter.action(
    summary=("have a title attacked by mercenaries", "faire attaquer une propriété"),
    when=("in your own turn, stopped on a bar or beside one", "pendant son tour, à l'arrêt sur un bar ou à côté"),
)
class AttackProperty(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player at the bar pays three times a title's mortgage value to remove a house or mortgage it (IX.B.2)."""

    title: TitleId

    def decide(self, draft: Draft) -> None:
        """Pay first (IX.B.1); then defences and security teams may stop the attack (IX.B.5, IX.B.14)."""
        visit = bar.enter(draft)
        title = _owned(draft, self.title, "IX.B.2")
        draft.require(
            not is_mortgaged(draft.state, title.id),
            "IX.B.4",
            "{title} is already mortgaged and cannot be attacked",
            "le titre {title} est déjà hypothéqué et ne peut pas être attaqué",
            title=title.name,
        )
        price = attack_price(title)
        hired = bar.hire(draft, visit, price, "IX.B.3")
        draft.record(
            AttackOrdered(seat=draft.seat, title=title.id, price=price, visit=hired.visit, postings=hired.paid)
        )
        reactions.strike(draft, Strike(kind=ATTACK, by=draft.seat, rule="IX.B.2", titles=(title.id,)))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer, at the bar, every title of a player without a mortgage."""
        if bar.is_open(state):
            for title in _titles_owned(state):
                if not is_mortgaged(state, title):
                    price = attack_price(TITLES[title])
                    yield Choice({"title": title}, alike=_wealth_for(state, seat, price), cost=price)


@reactions.carries_out(ATTACK)
def _attack(draft: Draft, strike: Strike) -> None:
    """Remove a house, or mortgage a title without houses (IX.B.2). Do nothing to a mortgaged title (V.C.7)."""
    for title_id in strike.titles:
        title = TITLES[title_id]
        if houses_on(draft.state, title_id):
            houses.destroy(draft, title, cause=ATTACK, rule=strike.rule)
        elif not is_mortgaged(draft.state, title_id):
            mortgages.mortgage(draft, title, cause=ATTACK, rule=strike.rule)


@chapter.action(
    summary=("have a title squatted", "faire squatter une propriété"),
    when=("in your own turn, stopped on a bar or beside one", "pendant son tour, à l'arrêt sur un bar ou à côté"),
)
class SquatProperty(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player at the bar pays half a title's mortgage value to have it squatted, anywhere (IX.B.7, IX.B.9)."""

    title: TitleId

    def decide(self, draft: Draft) -> None:
        """Squat a title, mortgaged or not. Neither defences nor security teams stop a squat (IX.B.5, IX.B.14)."""
        visit = bar.enter(draft)
        title = _owned(draft, self.title, "IX.B.7")
        if is_squatted(draft.state, title.id):
            raise Impossible(
                "IX.B.7",
                "{title} is already squatted",
                "le titre {title} est déjà squatté",
                title=title.name,
            )
        price = squat_price(title)
        hired = bar.hire(draft, visit, price, "IX.B.9")
        squatters = Posting(SQUAT, 1, BANK, attached(title.id))
        draft.record(
            TitleSquatted(
                seat=draft.seat,
                title=title.id,
                price=price,
                visit=hired.visit,
                postings=(*hired.paid, squatters),
            )
        )

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer, at the bar, every title of a player without squatters."""
        if bar.is_open(state):
            for title in _titles_owned(state):
                if not is_squatted(state, title):
                    price = squat_price(TITLES[title])
                    yield Choice({"title": title}, alike=_wealth_for(state, seat, price), cost=price)


@chapter.action(
    summary=("chase squatters away", "faire fuir des squatteurs"),
    when=("in your own turn, passing by the title", "pendant son tour, en passant sur la propriété"),
)
class EvictSquatters(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player passing by, or with Bleu foncé, evicts the squatters of a title for free (IX.B.8, V.E.18)."""

    title: TitleId

    def decide(self, draft: Draft) -> None:
        """Refuse without squatters. After a stop on the title, the visitor still owes no rent (V.A.8)."""
        title = title_named(self.title)
        own_turn(draft, "IX.B.8")
        if not is_squatted(draft.state, title.id):
            raise Impossible(
                "IX.B.8", "{title} is not squatted", "le titre {title} n'est pas squatté", title=title.name
            )
        remote = remote_property.reach(draft, title.id, rule="IX.B.8")
        gone = Posting(SQUAT, 1, attached(title.id), BANK)
        draft.record(SquattersEvicted(rule=remote or "IX.B.8", seat=draft.seat, title=title.id, postings=(gone,)))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each squatted title."""
        return [Choice({"title": title}) for title in TITLES if is_squatted(state, title)]


# ----------------------------------------------------------------------------------------------
# Services
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=(
        "buy a defence, a hack, a kidnapping or a security team",
        "acheter une défense, un hack, un kidnapping ou une équipe de sécurité",
    ),
    when=("in your own turn, stopped on a bar or beside one", "pendant son tour, à l'arrêt sur un bar ou à côté"),
)
class TakeService(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player at the bar secretly buys a service for later use (IX.B.6, IX.B.11, IX.B.13, IX.B.14).

    A hack has a `target`, another player. A defence has a `title` of any player.
    """

    service: Service
    target: SeatId | None = None
    title: TitleId | None = None

    def decide(self, draft: Draft) -> None:
        """Buy one of the four services. They share an action, so that its kind reveals nothing (I.C.6)."""
        if (self.target is not None) != (self.service == HACK) or (self.title is not None) != (
            self.service == DEFENCE
        ):
            raise Malformed(
                "a hack names a target, a defence a title, and nothing else names either",
                "un hack nomme une cible, une défense un titre, et rien d'autre n'en nomme",
            )
        visit = bar.enter(draft)
        seat = draft.seat
        rule = _PRICED_BY[self.service]
        price, account, owner = shops.price_of(draft.state, seat, self.service), player(seat), None
        if self.target is not None:
            self._check_target(draft, self.target)
        if self.title is not None:
            title = _owned(draft, self.title, rule)
            price, account, owner = defence_price(title), attached(title.id), owner_of(draft.state, title.id)
        hired = bar.hire(draft, visit, price, rule)
        draft.record(
            ServiceTaken(
                rule=rule,
                seat=seat,
                service=self.service,
                price=price,
                target=self.target,
                title=self.title,
                owner=owner,
                visit=hired.visit,
                postings=(*hired.paid, Posting(self.service, 1, BANK, account)),
            )
        )

    def _check_target(self, draft: Draft, target: str) -> None:
        if seat_named(draft.state, target, "IX.B.10") == draft.seat:
            raise Impossible(
                "IX.B.10",
                "{seat:seat} cannot steal their own identity",
                "{seat:seat} ne peut pas voler sa propre identité",
                seat=target,
            )

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer at the bar: a team, a kidnapping, a hack of each other player, a defence of each owned title."""
        if not bar.is_open(state):
            return
        yield Choice({"service": TEAM})
        yield Choice({"service": KIDNAPPING})
        for other in others_in_play(state, seat):
            yield Choice({"service": HACK, "target": other}, alike=HACK)
        for title in _titles_owned(state):
            price = defence_price(TITLES[title])
            alike = (DEFENCE, _wealth_for(state, seat, price))
            yield Choice({"service": DEFENCE, "title": title}, alike=alike, cost=price)

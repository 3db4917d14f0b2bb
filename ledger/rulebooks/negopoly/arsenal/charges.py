"""IX.C.10 to IX.C.17. C4: charges are placed and removed when passing, and fired from two rounds later.

A charge in an inventory is a "c4". On a title, a charge is a "charge:ana:3" attached to the title: the name
holds the placer and the round. So the holdings contain every fact about charges, and charges follow the title.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, NamedTuple

from msgspec import Meta

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId, TitleId, of_kind
from ledger.kernel.rules.actions import Action, Bounds, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.arsenal import disruption, weapons
from ledger.rulebooks.negopoly.estate import houses
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.squares import hospital, prison
from ledger.rulebooks.negopoly.table.pieces import TITLES, Title
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    houses_on,
    in_play,
    nothing_befalls,
    open_passages,
    own_turn,
    owner_of,
    passed,
    square_of,
    title_named,
)
from ledger.rulebooks.negopoly.table.terms import USED, Strike, attached, player

chapter = Chapter("IX.C. C4")

C4 = "c4"
PLACED = "charge:"

DELAY = 2
"""Number of rounds between the placing of a charge and the first round for firing (IX.C.14)."""

Count = Annotated[int, Meta(ge=1, le=1000, description="charges"), of_kind("quantity")]


class Charge(NamedTuple):
    """The charges placed by one seat in one round."""

    seat: str
    round: int
    amount: int = 1

    @property
    def commodity(self) -> str:
        """The commodity of the charges, attached to a title."""
        return f"{PLACED}{self.seat}:{self.round}"

    @property
    def ready(self) -> int:
        """The first round for firing (IX.C.14)."""
        return self.round + DELAY


def placed(commodity: str, amount: int = 1) -> Charge | None:
    """Return the charges for a commodity. None if the commodity is no placed charge."""
    if not commodity.startswith(PLACED):
        return None
    seat, _, round_placed = commodity.removeprefix(PLACED).partition(":")
    return Charge(seat, int(round_placed), amount)


def charges_on(state: Negopoly, title: str) -> list[Charge]:
    """Return the charges on a title, oldest first."""
    holdings = state.holdings.account(attached(title))
    charges = [placed(commodity, amount) for commodity, amount in holdings.items() if commodity.startswith(PLACED)]
    return sorted(
        (charge for charge in charges if charge is not None), key=lambda charge: (charge.round, charge.seat)
    )


def public_view(state: Negopoly, title: str) -> list[dict[str, Any]]:
    """Return the public facts of the charges on a title: placer, number, and first round for firing."""
    return [
        {"seat": charge.seat, "amount": charge.amount, "ready": charge.ready}
        for charge in charges_on(state, title)
    ]


def ready_on(state: Negopoly, title: str, seat: str) -> list[Charge]:
    """Return the charges on a title that the seat can fire now, oldest first (IX.C.14)."""
    return [charge for charge in charges_on(state, title) if charge.seat == seat and charge.ready <= state.round]


def has_ready(state: Negopoly, seat: str) -> bool:
    """Return True if the seat can fire charges anywhere on the board (II.B.1)."""
    return any(ready_on(state, title, seat) for title in TITLES)


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class ChargesPlaced(weapons.Use, frozen=True, kw_only=True):
    """A player places charges on the houses of a title; the event holds the round (IX.C.12)."""

    en: ClassVar[str] = "{seat:seat} places {amount} C4 {amount:plural|charge|charges} on {title:title}."
    fr: ClassVar[str] = "{seat:seat} pose {amount} {amount:plural|charge|charges} de C4 sur {title:title}."

    rule: str = "IX.C.12"
    title: str
    amount: int
    round: int


@chapter.event
class ChargesRemoved(Event, frozen=True, kw_only=True):
    """A player passing by a title removes charges from it and keeps them (IX.C.13)."""

    en: ClassVar[str] = (
        "{seat:seat} takes {amount} C4 {amount:plural|charge|charges} of {placer:seat} off {title:title}."
    )
    fr: ClassVar[str] = (
        "{seat:seat} retire {amount} {amount:plural|charge|charges} de C4 {placer:de|seat} sur {title:title}."
    )

    rule: str = "IX.C.13"
    seat: str
    title: str
    placer: str
    amount: int


@chapter.event
class ChargesExploded(weapons.Use, frozen=True, kw_only=True):
    """A placer fires charges on a title (IX.C.14); other events hold the effects."""

    en: ClassVar[str] = "{seat:seat} blows up {amount} C4 {amount:plural|charge|charges} on {title:title}."
    fr: ClassVar[str] = (
        "{seat:seat} fait exploser {amount} {amount:plural|charge|charges} de C4 sur {title:title}."
    )

    rule: str = "IX.C.14"
    title: str
    amount: int


@chapter.event
class ChargesSet(Event, frozen=True, kw_only=True):
    """A ruling says how many charges of a player's, placed in a round, are on a title (IX.C.12)."""

    en: ClassVar[str] = (
        "By a ruling, {amount} C4 {amount:plural|charge|charges} of {seat:seat}, placed in round {round}, "
        "{amount:plural|is|are} on {title:title}."
    )
    fr: ClassVar[str] = (
        "Par une décision, {amount} {amount:plural|charge|charges} de C4 {seat:de|seat}, du round {round}, "
        "{amount:plural|est|sont} sur {title:title}."
    )

    rule: str = "IX.C.12"
    title: str
    seat: str
    round: int
    amount: int


def set_charges(draft: Draft, title: Title, seat: str, number: int, amount: int) -> None:
    """Set by ruling how many charges a player has placed on a title in a round.

    Refuses, unless waived, new charges on a title without a house (IX.C.12). Raises Impossible for a future
    round (IX.C.14), for an unchanged number, and for new charges on a title of the bank (IX.C.12).
    """
    state = draft.state
    if number > state.round:
        raise Impossible(
            "IX.C.14",
            "charges cannot have been placed in round {round}: this is round {now}",
            "des charges n'ont pas pu être posées au round {round} : c'est le round {now}",
            round=number,
            now=state.round,
        )
    charge = Charge(seat, number)
    present = state.holdings.of(attached(title.id), charge.commodity)
    draft.require_now(
        present != amount,
        "IX.C.12",
        "the charges of {seat:seat} from round {round} on {title} number {amount} already",
        "les charges {seat:de|seat} du round {round} sur {title} sont déjà au nombre de {amount}",
        title=title.name,
        amount=amount,
        round=number,
        seat=seat,
    )
    if amount > present and owner_of(state, title.id) is None:
        raise Impossible(
            "IX.C.12",
            "{title} belongs to the bank: nobody's house is there to place a charge on",
            "{title} est à la banque : il n'y a la maison de personne où poser une charge",
            title=title.name,
        )
    draft.require(
        amount <= present or houses_on(state, title.id) > 0,
        "IX.C.12",
        "{title} has no house to place a charge on",
        "{title} n'a pas de maison où poser une charge",
        title=title.name,
    )
    added = draft.move(charge.commodity, max(0, amount - present), BANK, attached(title.id))
    removed = draft.move(charge.commodity, max(0, present - amount), attached(title.id), BANK)
    draft.record(ChargesSet(title=title.id, seat=seat, round=number, amount=amount, postings=(*added, *removed)))


# ----------------------------------------------------------------------------------------------
# Placing and removing
# ----------------------------------------------------------------------------------------------


def _require_live(draft: Draft) -> None:
    """Refuse while a Bombe IEM freezes charges (IX.C.27)."""
    draft.require(
        not disruption.charges_frozen(draft.state),
        "IX.C.27",
        "a Bombe IEM is active until the next turn of {users:seats}: no charge explodes, is placed or removed",
        "une Bombe IEM agit jusqu'au prochain tour ({users:seats}) : les charges sont toutes désactivées",
        users=sorted(draft.state.blackouts),
    )


@chapter.action(
    summary=("place C4 charges on a title", "poser des charges de C4 sur une propriété"),
    when=(
        "in your own turn, passing by a title that has a house, as its one weapon",
        "pendant son tour, en passant sur une propriété qui a une maison, comme seule arme",
    ),
)
class PlaceC4(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player passing by a title with a house places charges on it; their own title counts too (IX.C.12)."""

    title: TitleId
    amount: Count = 1

    def decide(self, draft: Draft) -> None:
        """Place any number on one title as one weapon use."""
        title = title_named(self.title)
        use = f"place:{title.id}"
        weapons.take_up(draft, use, limit=None, on_the_way=True)
        seat, state = draft.seat, draft.state
        _require_live(draft)
        passed(draft, [square_of(state, title.id)], "IX.C.12")
        draft.require(
            houses_on(state, title.id) > 0,
            "IX.C.12",
            "{title} has no house to place a charge on",
            "{title} n'a pas de maison où poser une charge",
            title=title.name,
        )
        draft.require_funds(player(seat), C4, self.amount, "IX.C.12")
        charge = Charge(seat, state.round, self.amount)
        draft.record(
            ChargesPlaced(
                seat=seat,
                use=use,
                title=title.id,
                amount=self.amount,
                round=state.round,
                postings=(
                    Posting(C4, self.amount, player(seat), BANK),
                    Posting(charge.commodity, self.amount, BANK, attached(title.id)),
                ),
            )
        )

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer one charge on each title passed with a house. The number may be raised."""
        if weapons.armed(state, seat, C4):
            available = state.holdings.of(player(seat), C4)
            for title in _titles_passed(state):
                if houses_on(state, title):
                    yield Choice({"title": title, "amount": 1}, free={"amount": Bounds(1, available)})


@chapter.action(
    summary=("take C4 charges off a title", "retirer des charges de C4 d'une propriété"),
    when=("in your own turn, passing by the title", "pendant son tour, en passant sur la propriété"),
)
class RemoveC4(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player passing by a title removes charges of any placer and keeps them (IX.C.13).

    Without `amount` all charges of the placer, otherwise the oldest ones. `placer` may be left out if there is
    only one.
    """

    title: TitleId
    placer: SeatId | None = None
    amount: Count | None = None

    def decide(self, draft: Draft) -> None:
        """Remove the charges without a die. A removal is no weapon use."""
        title = title_named(self.title)
        own_turn(draft, "IX.C.13")
        seat = draft.seat
        _require_live(draft)
        passed(draft, [square_of(draft.state, title.id)], "IX.C.13")
        charges = [
            charge
            for charge in charges_on(draft.state, title.id)
            if self.placer is None or charge.seat == self.placer
        ]
        placer = self._placer(title, charges)
        removed = _oldest(title, charges, self.amount, "IX.C.13")
        total = sum(charge.amount for charge in removed)
        draft.record(
            ChargesRemoved(
                seat=seat,
                title=title.id,
                placer=placer,
                amount=total,
                postings=(
                    *(Posting(charge.commodity, charge.amount, attached(title.id), BANK) for charge in removed),
                    Posting(C4, total, BANK, player(seat)),
                ),
            )
        )

    def _placer(self, title: Title, charges: list[Charge]) -> str:
        """Return the placer of the charges. Raises Impossible without charges, or with charges of several
        placers.
        """
        placers = sorted({charge.seat for charge in charges})
        if not placers:
            raise Impossible(
                "IX.C.13",
                "{title} has no such charges",
                "{title} ne porte pas de telles charges",
                title=title.name,
            )
        if len(placers) > 1:
            raise Impossible(
                "IX.C.13",
                "say whose charges to take off {title}; there are some of: {placers:seats}",
                "indiquez de qui retirer les charges sur {title} ; il y en a de : {placers:seats}",
                title=title.name,
                placers=placers,
            )
        return placers[0]

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each placer's charges on each title passed; the number may be lowered."""
        if state.turn is not None and state.turn.seat == seat:
            for title in _titles_passed(state):
                numbers: Counter[str] = Counter()
                for charge in charges_on(state, title):
                    numbers[charge.seat] += charge.amount
                for placer in sorted(numbers):
                    yield Choice({"title": title, "placer": placer}, free={"amount": Bounds(1, numbers[placer])})


def _titles_passed(state: Negopoly) -> list[str]:
    """Return the titles of the squares passed by the current player, while the passages count."""
    squares = [square for square in state.board if square.property is not None]
    passed_squares = {passage.square for passage in open_passages(state, squares)}
    return [str(square.property) for square in squares if square.index in passed_squares]


def _oldest(title: Title, charges: list[Charge], amount: int | None, rule: str) -> list[Charge]:
    """Return the oldest charges: `amount` of them, or all for None. Raises Impossible if there are fewer."""
    total = sum(charge.amount for charge in charges)
    if amount is not None and amount > total:
        raise Impossible(
            rule,
            "{title} has {there} such charges, not {amount}",
            "{title} porte {there} charges de ce genre, pas {amount}",
            title=title.name,
            there=total,
            amount=amount,
        )
    missing, selected = total if amount is None else amount, []
    for charge in charges:
        if missing:
            selected.append(charge._replace(amount=min(missing, charge.amount)))
            missing -= selected[-1].amount
    return selected


# ----------------------------------------------------------------------------------------------
# Firing
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=("blow up one's charges on a title", "faire exploser ses charges sur une propriété"),
    when=(
        "in your own turn, after the roll, from two rounds after placing, from anywhere, as its one weapon",
        "pendant son tour, après le lancer, dès deux rounds après la pose, de n'importe où, comme seule arme",
    ),
)
class DetonateC4(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player fires charges that they placed two rounds ago or more: all on a title, or `amount` of them."""

    title: TitleId
    amount: Count | None = None

    def decide(self, draft: Draft) -> None:
        """Destroy a house with each charge while houses remain. Always hit players on the square and adjacent
        squares.

        A pending kidnapping is answered first, because a kidnapping moves players to or from the squares
        (IX.B.15).
        """
        title = title_named(self.title)
        state, seat = draft.state, draft.seat
        use = f"detonate:{title.id}"
        weapons.take_up(draft, use, limit=None)
        for item in in_play(state):
            nothing_befalls(draft, item)
        _require_live(draft)
        fired = self._fired(draft, title)
        total = sum(item.amount for item in fired)
        draft.record(
            ChargesExploded(
                seat=seat,
                use=use,
                title=title.id,
                amount=total,
                postings=tuple(Posting(item.commodity, item.amount, attached(title.id), USED) for item in fired),
            )
        )
        square = square_of(state, title.id).index
        beside = weapons.neighbours(state, square)
        hit = tuple(item for item in in_play(state) if state.positions[item] == square)
        terrorists = tuple(item for item in in_play(state) if state.positions[item] in beside)
        # A security team stops one effect (IX.B.14). Each house, the square and the adjacent squares are
        # separate effects.
        for _ in range(min(total, houses_on(state, title.id))):
            reactions.strike(draft, Strike(kind=C4, by=seat, rule="IX.C.15", titles=(title.id,)))
        if hit:
            reactions.strike(draft, Strike(kind=C4, by=seat, rule="IX.C.16", victims=hit))
        if terrorists:
            reactions.strike(draft, Strike(kind=C4, by=seat, rule="IX.C.17", victims=terrorists))

    def _fired(self, draft: Draft, title: Title) -> list[Charge]:
        """Return the charges to fire. Refuses by IX.C.14 charges of another player and charges placed too
        recently.
        """
        state, seat = draft.state, draft.seat
        own_charges = [charge for charge in charges_on(state, title.id) if charge.seat == seat]
        if not own_charges:
            raise Impossible(
                "IX.C.14",
                "{seat:seat} has no charge on {title}",
                "{seat:seat} n'a pas de charge sur {title}",
                seat=seat,
                title=title.name,
            )
        ready = [charge for charge in own_charges if charge.ready <= state.round]
        draft.require(
            bool(ready),
            "IX.C.14",
            "the charges of {seat:seat} on {title} can be fired from round {ready}, not in round {round}",
            "les charges {seat:de|seat} sur {title} peuvent exploser à partir du round {ready}, pas "
            "au round {round}",
            seat=seat,
            title=title.name,
            ready=own_charges[0].ready,
            round=state.round,
        )
        return _oldest(title, ready or own_charges, self.amount, "IX.C.14")

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer all charges ready for firing, title by title. The number may be lowered."""
        if state.turn is not None and state.turn.seat == seat:
            for title in TITLES:
                if ready := ready_on(state, title, seat):
                    maximum = sum(charge.amount for charge in ready)
                    yield Choice({"title": title}, free={"amount": Bounds(1, maximum)})


@reactions.carries_out(C4)
def _explode(draft: Draft, strike: Strike) -> None:
    """Apply one effect of an explosion by the cited rule. Without a house left, none is destroyed (V.C.7)."""
    for title in strike.titles:
        if houses_on(draft.state, title):
            houses.destroy(draft, TITLES[title], cause=C4, rule=strike.rule)
    for seat in strike.victims:
        if strike.rule == "IX.C.16":
            hospital.admit(draft, seat, cause="explosion", rule=strike.rule)
        else:
            prison.arrest(draft, seat, cause="terrorist", rule=strike.rule)

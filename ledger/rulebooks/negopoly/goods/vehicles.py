"""VIII. Vehicles: bought at NC Custom, used once a turn, before the roll or after.

vehicles.toml describes each vehicle; stock and prices are in `shops`, the protection of the Tank in `tank`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, Malformed
from ledger.kernel.facts.values import PlaceNumber, of_kind
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.board import walking
from ledger.rulebooks.negopoly.cards import weather
from ledger.rulebooks.negopoly.estate import quarters
from ledger.rulebooks.negopoly.goods import shops
from ledger.rulebooks.negopoly.table.pieces import ITEMS, VEHICLES, Vehicle, VehicleId, in_short
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    change_turn,
    open_passages,
    own_turn,
    passed,
    squares_of,
    throw,
)
from ledger.rulebooks.negopoly.table.terms import Drawn, OneDie, Stretch, player

chapter = Chapter("VIII. Vehicles")


# ----------------------------------------------------------------------------------------------
# The dealer
# ----------------------------------------------------------------------------------------------


@shops.counter(shops.DEALER)
def _at_the_dealer(draft: Draft, item_id: str) -> str:
    """Require a stop on NC Custom (VIII.A.1), or the Vert quarter in the player's own turn (V.E.8)."""
    dealers = squares_of(draft.state, shops.DEALER)
    stopped = open_passages(draft.state, dealers, stop_only=True)
    if quarters.has_ability(draft.state, draft.seat, "vert") and not stopped:
        own_turn(draft, "V.E.8")
        disruption.require_reach(draft)
        return "V.E.8"
    passed(draft, dealers, "VIII.A.1", stop_only=True)
    return "VIII.A.1"


def is_open(state: Negopoly, seat: str) -> bool:
    """Return True if the dealer is open to the seat, in its own turn: after a stop or with the Vert quarter."""
    if state.turn is None or state.turn.seat != seat:
        return False
    stopped = open_passages(state, squares_of(state, shops.DEALER), stop_only=True)
    return bool(stopped) or quarters.has_ability(state, seat, "vert")


@chapter.action(
    summary=("buy a vehicle", "acheter un véhicule"),
    when=(
        "in your own turn, stopped on NC Custom, or from anywhere with the Vert quarter",
        "pendant son tour, à l'arrêt sur NC Custom, ou de partout avec le quartier Vert",
    ),
)
class BuyVehicle(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player at NC Custom buys a vehicle from the stock (VIII.A)."""

    commodity: VehicleId

    def decide(self, draft: Draft) -> None:
        """Sell a vehicle. The buyer may use the vehicle in the present turn."""
        rule = shops.may_buy(draft, self.commodity)
        shops.sell(draft, draft.seat, self.commodity, rule=rule)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each model if the dealer is open."""
        if is_open(state, seat):
            yield from (Choice({"commodity": vehicle}) for vehicle in VEHICLES)


chapter.upcast_action("buy_vehicle", renamed(vehicle="commodity"))
chapter.upcast_action("buy_vehicle", in_short)


# ----------------------------------------------------------------------------------------------
# Using a vehicle
# ----------------------------------------------------------------------------------------------


@chapter.event
class VehicleUsed(Event, frozen=True, kw_only=True):
    """A player uses up a vehicle (VIII.2): it adds squares to the move, or teleports."""

    en: ClassVar[str] = "{seat:seat} uses a vehicle, {vehicle:goods}{how.en}."
    fr: ClassVar[str] = "{seat:seat} utilise un véhicule, {vehicle:goods}{how.fr}."

    rule: str
    """The rule of the vehicle."""
    seat: str
    vehicle: str
    die: int | None = None
    steps: int = 0
    """The squares to move (negative: backwards)."""
    square: int | None = None
    """The square to teleport to."""
    waits: bool = False
    """A vehicle used before the roll: the squares come at the end of the move (VIII.C.3)."""

    @property
    def how(self) -> Phrase:
        """The move as the end of a sentence, in English and French."""
        thrown = Phrase("", "") if self.die is None else Phrase(f" (die {self.die})", f" (dé {self.die})")
        if self.square is not None:
            return thrown
        if not self.steps:
            return Phrase(f"{thrown.en}: it breaks down", f"{thrown.fr} : il tombe en panne")
        squares = abs(self.steps)
        where = Phrase("forward", "en avant") if self.steps > 0 else Phrase("back", "en arrière")
        plural = "s" if squares > 1 else ""
        moment = Phrase(" after the roll", " après le lancer") if self.waits else Phrase("", "")
        return Phrase(
            f"{thrown.en}: {squares} square{plural} {where.en}{moment.en}",
            f"{thrown.fr} : {squares} case{plural} {where.fr}{moment.fr}",
        )

    def apply(self, state: Negopoly) -> None:
        """Mark the vehicle as used in the turn. Before the roll, keep the squares for the end of the move."""
        turn = state.turn
        if turn is not None and turn.seat == self.seat:
            waiting = (Stretch(self.steps, self.rule),) if self.waits else ()
            change_turn(state, vehicles=(*turn.vehicles, self.vehicle), extension=(*turn.extension, *waiting))


@chapter.action(
    summary=("use a vehicle", "utiliser un véhicule"),
    when=(
        "in your own turn, before or after the roll, once",
        "pendant son tour, avant ou après le lancer, une fois",
    ),
)
class UseVehicle(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player uses a vehicle in their turn (VIII.B): `steps` chooses the squares, `square` is for the teleporter.

    Before the roll, the squares are added to the end of the move; after it, the token moves at once (VIII.C).
    """

    commodity: VehicleId
    steps: Annotated[int, Meta(ge=-100, le=100), of_kind("quantity")] | None = None
    square: PlaceNumber | None = None
    dice: OneDie | None = None
    draws: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Refuse a second vehicle and a move without anything to extend. Then throw or choose, and move."""
        draft.draws.offer(self.draws)
        turn = own_turn(draft, "II.D.4", waivable=False)
        seat = turn.seat
        vehicle = VEHICLES[self.commodity]
        name = ITEMS[vehicle.id].name
        draft.require(
            not turn.vehicles,
            "VIII.1",
            "{seat:seat} has already used a vehicle this turn ({used}): one a turn",
            "{seat:seat} a déjà utilisé un véhicule ce tour-ci ({used}) : un seul par tour",
            seat=seat,
            used=", ".join(ITEMS[used].name for used in turn.vehicles),
        )
        weather.require(draft, "vehicle")
        draft.require_funds(player(seat), vehicle.id, 1, "VIII.2")
        if turn.roll != "due" and not vehicle.teleports and (turn.roll == "gone" or turn.halted):
            raise Impossible(
                "VIII.C.3",
                "{seat:seat} has no move of dice that {vehicle} could extend this turn",
                "{seat:seat} n'a pas de déplacement aux dés que {vehicle} pourrait prolonger ce tour-ci",
                seat=seat,
                vehicle=name,
            )
        die, steps, square = self._movement(draft, vehicle)
        spent = shops.spent(draft.state, seat, vehicle.id)
        waits = turn.roll == "due" and square is None
        draft.record(
            VehicleUsed(
                rule=vehicle.rule,
                seat=seat,
                vehicle=vehicle.id,
                die=die,
                steps=steps,
                square=square,
                waits=waits,
                postings=(spent,),
            )
        )
        if square is not None:
            # The teleporter ignores the dice: the stop of the dice is not even crossed (VIII.B.9, VIII.C.1).
            walking.land(draft, seat, square, rule=vehicle.rule)
        elif steps and not waits:
            walking.move_on(draft, seat, Stretch(steps, vehicle.rule))

    def _movement(self, draft: Draft, vehicle: Vehicle) -> tuple[int | None, int, int | None]:
        """Return the die, the squares to move and the square to teleport to, for the kind of vehicle."""
        state = draft.state
        if vehicle.teleports:
            if self.square is None or self.steps is not None or self.dice is not None:
                raise Malformed(
                    "{vehicle:goods} takes `{what}`, and nothing else",
                    "{vehicle:goods} prend `{what}`, et rien d'autre",
                    vehicle=vehicle.id,
                    what="square",
                )
            if self.square >= len(state.board):
                raise Impossible(
                    vehicle.rule,
                    "there is no square {square}; the last one is {last}",
                    "il n'y a pas de case {square} ; la dernière est la {last}",
                    square=self.square,
                    last=len(state.board) - 1,
                )
            return None, 0, self.square
        unasked = self.steps if vehicle.die else self.dice
        if self.square is not None or unasked is not None:
            raise Malformed(
                "{vehicle:goods} takes `{what}`, and nothing else",
                "{vehicle:goods} prend `{what}`, et rien d'autre",
                vehicle=vehicle.id,
                what="dice" if vehicle.die else "steps",
            )
        if vehicle.die:
            (die,) = throw(draft, "vehicle die", self.dice)
            return die, vehicle.die[die - 1], None
        only = vehicle.steps[0] if len(vehicle.steps) == 1 else None
        steps = only if self.steps is None else self.steps
        if steps is None or steps not in vehicle.steps:
            raise Impossible(
                vehicle.rule,
                "{vehicle:goods} moves {allowed} squares, not {steps}",
                "{vehicle:goods} se déplace de {allowed} cases, pas {steps}",
                vehicle=vehicle.id,
                allowed=" / ".join(f"{count:+}" for count in vehicle.steps),
                steps="-" if steps is None else f"{steps:+}",
            )
        return None, steps, None

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each vehicle held with each possible move."""
        if state.turn is None or state.turn.seat != seat:
            return
        inventory = state.holdings.account(player(seat))
        for vehicle in VEHICLES.values():
            if vehicle.id not in inventory:
                continue
            if vehicle.teleports:
                yield from (Choice({"commodity": vehicle.id, "square": square.index}) for square in state.board)
            elif vehicle.die:
                yield Choice({"commodity": vehicle.id})
            else:
                yield from (Choice({"commodity": vehicle.id, "steps": steps}) for steps in vehicle.steps)


chapter.upcast_action("use_vehicle", renamed(vehicle="commodity", die="dice", into_lists={"dice"}))
chapter.upcast_action("use_vehicle", in_short)

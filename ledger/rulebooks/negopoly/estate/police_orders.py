"""V.E.13 to V.E.17. Orange: the holder is immune to the police, and may instruct them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS, came_late, has_ability, holder_of
from ledger.rulebooks.negopoly.estate.real_estate import was_inert
from ledger.rulebooks.negopoly.table.pieces import ITEMS, TITLES, Square
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    is_squatted,
    others_in_play,
    seat_named,
    square_of,
    still_in,
)
from ledger.rulebooks.negopoly.table.terms import POLICE, player

chapter = Chapter("V.E. Orange and the police")

Order = Literal["check", "arrest"]
"""A police measure that the holder of Orange may forbid against a player (V.E.17)."""


# ----------------------------------------------------------------------------------------------
# Immunity and instructions
# ----------------------------------------------------------------------------------------------


@chapter.event
class CheckWithheld(Event, frozen=True, kw_only=True):
    """The police do not check the holder of Orange (V.E.13), or a player whom the holder protects (V.E.17)."""

    en: ClassVar[str] = "The police let {seat:seat} pass on {square:square}."
    fr: ClassVar[str] = "La police laisse passer {seat:seat} sur {square:square}."

    rule: str
    seat: str
    square: int


@chapter.event
class ArrestWithheld(Event, frozen=True, kw_only=True):
    """The police do not arrest the holder of Orange (V.E.13), or a player whom the holder protects (V.E.17).

    `cause` is the reason of the arrest that does not happen.
    """

    en: ClassVar[str] = "The police do not arrest {seat:seat}."
    fr: ClassVar[str] = "La police n'arrête pas {seat:seat}."

    rule: str
    seat: str
    cause: str


def spared(state: Negopoly, seat: str, order: Order) -> str | None:
    """Return the rule that forbids the police to check (or to arrest) the seat now. None without such a rule."""
    if has_ability(state, seat, "orange"):
        return "V.E.13"
    named = (seat, order) in state.police_orders and holder_of(state, "orange") is not None
    return "V.E.17" if named else None


def public_view(state: Negopoly) -> list[dict[str, str]]:
    """Return the instructions in force."""
    return [{"player": seat, "order": order} for seat, order in sorted(state.police_orders)]


def withhold_check(draft: Draft, seat: str) -> bool:
    """Record a check prevented by Orange. Return True if the police may not check the player."""
    rule = spared(draft.state, seat, "check")
    if rule is not None:
        draft.record(CheckWithheld(rule=rule, seat=seat, square=draft.state.positions[seat]))
    return rule is not None


def withhold_arrest(draft: Draft, seat: str, *, cause: str) -> bool:
    """Record an arrest prevented by Orange. Return True if the police may not arrest the player."""
    rule = spared(draft.state, seat, "arrest")
    if rule is not None:
        draft.record(ArrestWithheld(rule=rule, seat=seat, cause=cause))
    return rule is not None


# ----------------------------------------------------------------------------------------------
# Confiscated goods, checks and the K9 trainer
# ----------------------------------------------------------------------------------------------


@chapter.event
class SpoilsHandedOver(Event, frozen=True, kw_only=True):
    """The holder of Orange gets what the police have confiscated, (commodity, amount) each (V.E.14)."""

    en: ClassVar[str] = "The police hand over to {seat:seat}: {goods:list}."
    fr: ClassVar[str] = "La police remet à {seat:seat} : {goods:list}."

    rule: str = "V.E.14"
    seat: str
    taken: tuple[tuple[str, int], ...]

    @property
    def goods(self) -> list[str]:
        """The goods by name, with the numbers."""
        return [f"{amount} × {ITEMS[commodity].name}" for commodity, amount in self.taken]


def hand_over(draft: Draft, goods: tuple[tuple[str, int], ...]) -> None:
    """Give the holder of Orange, if any, the goods just confiscated, as pairs (commodity, amount) (V.E.14)."""
    holder = holder_of(draft.state, "orange")
    if holder is not None and goods:
        postings = tuple(Posting(commodity, amount, POLICE, player(holder)) for commodity, amount in goods)
        draft.record(SpoilsHandedOver(seat=holder, taken=goods, postings=postings))


def watches(state: Negopoly, visitor: str, title: str) -> bool:
    """Return True if the police check the visitor for a stop on the title (V.E.15).

    No check on a title with squatters now or at the time of the stop (IX.B.7), and no check for a stop made
    before the quarter was complete.
    """
    if TITLES[title].quarter != "orange" or is_squatted(state, title) or was_inert(state, visitor, title):
        return False
    if came_late(state, "orange"):
        return False
    return holder_of(state, "orange") not in (None, visitor)


def counters(state: Negopoly, seat: str) -> list[Square]:
    """Return the squares used as a Comico by the seat: the seat's Orange titles while Orange is active
    (V.E.16).

    Empty for a stop made before the quarter was complete.
    """
    if not has_ability(state, seat, "orange") or came_late(state, "orange"):
        return []
    return [square_of(state, title) for title in QUARTERS["orange"] if not is_squatted(state, title)]


# ----------------------------------------------------------------------------------------------
# Instructions
# ----------------------------------------------------------------------------------------------


_ORDERS = {"check": Phrase("check", "contrôler"), "arrest": Phrase("arrest", "arrêter")}


class _Instruction(Event, frozen=True, kw_only=True):
    """A public instruction of the holder of Orange to the police."""

    rule: str = "V.E.17"
    seat: str
    player: str
    order: Order

    @property
    def what(self) -> Phrase:
        """The verb, in English and French."""
        return _ORDERS[self.order]


@chapter.event
class PoliceWaived(_Instruction, frozen=True, kw_only=True):
    """The holder of Orange forbids the police to check, or to arrest, a player (V.E.17)."""

    en: ClassVar[str] = "{seat:seat} tells the police not to {what.en} {player:seat}."
    fr: ClassVar[str] = "{seat:seat} demande à la police de ne pas {what.fr} {player:seat}."

    def apply(self, state: Negopoly) -> None:
        """Store the instruction until a revocation or the loss of the quarter."""
        state.police_orders.add((self.player, self.order))


@chapter.event
class WaiverRevoked(_Instruction, frozen=True, kw_only=True):
    """The police may check, or arrest, the player again (V.E.17)."""

    en: ClassVar[str] = "{seat:seat} lets the police {what.en} {player:seat} again."
    fr: ClassVar[str] = "{seat:seat} laisse à nouveau la police {what.fr} {player:seat}."

    def apply(self, state: Negopoly) -> None:
        """Remove the instruction."""
        state.police_orders.discard((self.player, self.order))


def _require_orange(draft: Draft) -> str:
    """Return the acting seat after checking for the ability of Orange (V.E.17)."""
    seat = still_in(draft)
    draft.require(
        has_ability(draft.state, seat, "orange"),
        "V.E.17",
        "{seat:seat} does not hold the whole Orange quarter free of mortgages, and has no word with the police",
        "{seat:seat} ne tient pas tout le quartier Orange libre d'hypothèque, et n'a pas l'oreille de la police",
        seat=seat,
    )
    return seat


@chapter.action(
    summary=(
        "tell the police not to check or not to arrest a player",
        "demander à la police de ne pas contrôler ou de ne pas arrêter un joueur",
    ),
    when=("at any moment, holding the Orange quarter", "à tout moment, en tenant le quartier Orange"),
)
class WaivePolice(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The holder of Orange forbids the police to check, or to arrest, another player from now on (V.E.17)."""

    target: SeatId
    measure: Order

    def decide(self, draft: Draft) -> None:
        """Refuse an instruction already in force.

        An instruction covers all later checks or arrests, everywhere.
        """
        seat = _require_orange(draft)
        protected = seat_named(draft.state, self.target, "V.E.17")
        if protected == seat:
            raise Impossible(
                "V.E.13",
                "{seat:seat} is immune to the police and needs no leave",
                "{seat:seat} jouit de l'immunité et n'a besoin d'aucune faveur",
                seat=seat,
            )
        if (protected, self.measure) in draft.state.police_orders:
            raise Impossible(
                "V.E.17",
                "the police have been told so already about {target:seat}",
                "la police a déjà reçu cette demande au sujet {target:de|seat}",
                target=protected,
            )
        draft.record(PoliceWaived(seat=seat, player=protected, order=self.measure))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer both instructions for each rival."""
        if has_ability(state, seat, "orange"):
            for protected in others_in_play(state, seat):
                for order in _ORDERS:
                    if (protected, order) not in state.police_orders:
                        yield Choice({"target": protected, "measure": order})


chapter.upcast_action("waive_police", renamed(player="target", order="measure"))


@chapter.action(
    summary=("revoke what one has told the police", "revenir sur ce que l'on a demandé à la police"),
    when=("at any moment, while the instruction stands", "à tout moment, tant que la demande tient"),
)
class RevokeWaiver(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The holder of Orange lets the police check, or arrest, a player again (V.E.17)."""

    target: SeatId
    measure: Order

    def decide(self, draft: Draft) -> None:
        """Refuse without an instruction. Earlier checks and arrests prevented by the instruction are not made
        up for.
        """
        seat = _require_orange(draft)
        if (self.target, self.measure) not in draft.state.police_orders:
            raise Impossible(
                "V.E.17",
                "the police have not been told so about {target:seat}",
                "la police n'a pas reçu cette demande au sujet {target:de|seat}",
                target=self.target,
            )
        draft.record(WaiverRevoked(seat=seat, player=self.target, order=self.measure))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each instruction in force."""
        if has_ability(state, seat, "orange"):
            yield from (
                Choice({"target": protected, "measure": order}) for protected, order in sorted(state.police_orders)
            )


chapter.upcast_action("revoke_waiver", renamed(player="target", order="measure"))

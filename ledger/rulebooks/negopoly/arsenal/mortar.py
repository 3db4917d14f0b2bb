"""IX.C.22 and IX.C.23. The Mortier: three shots at adjacent squares, in one turn or in several.

A copy with fewer shots left is another kind of goods (VIII.D.4): "mortier", "mortier_2", "mortier_1".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.values import TitleId, of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.rulebooks.negopoly.arsenal import disruption, weapons
from ledger.rulebooks.negopoly.estate import houses, mortgages, real_estate
from ledger.rulebooks.negopoly.goods import shops
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table.pieces import TITLES, in_short
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, houses_on, is_mortgaged, own_turn, square_of
from ledger.rulebooks.negopoly.table.terms import USED, Strike, player

chapter = Chapter("IX.C. Mortier")

Copy = Annotated[Literal["mortier", "mortier_2", "mortier_1"], of_kind("commodity")]

MORTAR: Copy = "mortier"

SPENT = "mortier_0"
"""Name of the use after the last shot."""

SHOTS: dict[str, int] = {"mortier": 3, "mortier_2": 2, "mortier_1": 1}
"""Number of shots in a copy, by kind (IX.C.22)."""


@chapter.event
class MortarFired(weapons.Use, frozen=True, kw_only=True):
    """A player fires one shot of a Mortier at a title on an adjacent square; the copy loses one shot (IX.C.22)."""

    en: ClassVar[str] = "{seat:seat} fires a Mortier at {title:title}: {left} {left:plural|shot|shots} left."
    fr: ClassVar[str] = (
        "{seat:seat} tire au Mortier sur {title:title} : {left} {left:plural|tir restant|tirs restants}."
    )

    rule: str = "IX.C.22"
    title: str
    left: int


@chapter.action(
    summary=("fire one shot of a Mortier", "tirer un coup de Mortier"),
    when=(
        "in your own turn, after the roll, at a title next to one's square, three shots a copy",
        "pendant son tour, après le lancer, sur une propriété voisine, trois tirs par exemplaire",
    ),
)
class FireMortar(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player with a Mortier fires one shot at a title on an adjacent square (IX.C.22).

    `copy` chooses the copy; by default it is the one used in this turn, else the one with most shots.
    """

    title: TitleId
    commodity: Copy | None = None

    def decide(self, draft: Draft) -> None:
        """Fire without a die. All shots of one copy in a turn are one weapon use; the rest may be fired later."""
        own_turn(draft, "II.D.2", "II.B.10")
        copy = self.commodity or _copy_in_use(draft.state, draft.seat)
        used = draft.state.turn.weapon if draft.state.turn is not None else None
        draft.require(
            used != SPENT,
            "IX.C.22",
            "{seat:seat} has fired the last of the three shots of this Mortier",
            "{seat:seat} a tiré le dernier des trois coups de ce Mortier",
            seat=draft.seat,
        )
        weapons.take_up(draft, copy, limit=None)
        weapons.in_hand(draft, copy)
        seat, state = draft.seat, draft.state
        title = weapons.aimed_at(draft, self.title, "IX.C.22")
        position, square = state.positions[seat], square_of(state, title.id).index
        draft.require(
            square in weapons.neighbours(state, position),
            "IX.C.22",
            "{seat:seat} is on {here}: a Mortier reaches the two squares next to it, not {title}",
            "{seat:seat} est sur {here} : un Mortier atteint les deux cases voisines, pas {title}",
            seat=seat,
            here=state.board[position].name,
            title=title.name,
        )
        disruption.require_reach(draft, square)
        remaining = SHOTS[copy] - 1
        draft.record(
            MortarFired(
                seat=seat,
                use=f"{MORTAR}_{remaining}",
                title=title.id,
                left=remaining,
                postings=_one_shot_fewer(draft, copy, remaining),
            )
        )
        reactions.strike(draft, Strike(kind=MORTAR, by=seat, rule="IX.C.23", titles=(title.id,)))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer each copy in hand, at each title on an adjacent square."""
        for copy in SHOTS:
            if weapons.armed(state, seat, copy):
                for title in weapons.titles_near(state, seat, own_square=False):
                    yield Choice({"title": title, "commodity": copy})


chapter.upcast_action("fire_mortar", renamed(copy="commodity"))
chapter.upcast_action("fire_mortar", in_short)


def _copy_in_use(state: Negopoly, seat: str) -> str:
    """Return the copy fired by the seat in the current turn, else the seat's copy with most shots."""
    turn = state.turn
    if turn is not None and turn.weapon in SHOTS and turn.weapons_used:
        return turn.weapon
    inventory = state.holdings.account(player(seat))
    return next((copy for copy in SHOTS if copy in inventory), MORTAR)


def _one_shot_fewer(draft: Draft, copy: str, remaining: int) -> tuple[Posting, ...]:
    """Return the postings of one shot: a copy with `remaining` shots replaces the copy.

    The first shot uses up the item sold by the shop. After the last shot it may return to the shop (IX.C.3). A
    copy from a card or a ruling, with fewer shots, was never sold.
    """
    holder = player(draft.seat)
    gone = Posting(copy, 1, holder, USED if copy == MORTAR else BANK)
    if remaining:
        return (gone, Posting(f"{MORTAR}_{remaining}", 1, BANK, holder))
    back = shops.spent(draft.state, draft.seat, MORTAR).target
    sold = draft.state.holdings.of(USED, MORTAR) > 0
    return (gone, Posting(MORTAR, 1, USED, back)) if sold and back != USED else (gone,)


@reactions.carries_out(MORTAR)
def _shell(draft: Draft, strike: Strike) -> None:
    """Reset a mortgaged title; otherwise destroy a house; without a house, mortgage the title."""
    for title in strike.titles:
        if is_mortgaged(draft.state, title):
            real_estate.reset(draft, title, cause=MORTAR, rule=strike.rule)
        elif houses_on(draft.state, title):
            houses.destroy(draft, TITLES[title], cause=MORTAR, rule=strike.rule)
        else:
            mortgages.mortgage(draft, TITLES[title], cause=MORTAR, rule=strike.rule)

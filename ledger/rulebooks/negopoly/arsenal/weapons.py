"""IX.C and II.B.10. The arsenal: weapons sold at the bar, the one weapon use of a turn, and targets.

Each family of weapons has a file, and uses a weapon in these steps:
    weapons.take_up(draft, "glock26")  # own turn, after the roll, no other weapon in the turn
    weapons.in_hand(draft, "glock26")
    draft.record(…, postings=(weapons.spent(draft, "glock26"),))  # the event is a `Use`
    reactions.strike(draft, Strike(…))  # the effect on the victims, unless stopped
"""

from __future__ import annotations

from collections.abc import Iterable

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.rulebooks.negopoly.board import squares
from ledger.rulebooks.negopoly.estate import quarters
from ledger.rulebooks.negopoly.goods import shops
from ledger.rulebooks.negopoly.mercenaries import bar
from ledger.rulebooks.negopoly.table.pieces import ARSENAL, TITLES, Title, WeaponId, in_short
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    change_turn,
    own_turn,
    owner_of,
    passed,
    squares_of,
    title_named,
)
from ledger.rulebooks.negopoly.table.terms import Pieces, player
from ledger.rulebooks.parts import boards
from ledger.rulebooks.parts.titles import owners_of

chapter = Chapter("IX.C. Arsenal")

# ----------------------------------------------------------------------------------------------
# Weapon uses
# ----------------------------------------------------------------------------------------------


class Use(Event, frozen=True, kw_only=True):
    """The use of a weapon by a player: the one use of the turn (II.B.10), or a further shot of the weapon."""

    seat: str
    use: str
    """Name of the use. A different name in one turn would be a second use."""

    def apply(self, state: Negopoly) -> None:
        """Count the use in the seat's turn."""
        turn = state.turn
        if turn is not None and turn.seat == self.seat:
            change_turn(state, weapon=self.use, weapons_used=turn.weapons_used + 1)


def take_up(
    draft: Draft, use: str, *, limit: int | None = 1, too_many: str = "IX.C.2", on_the_way: bool = False
) -> None:
    """Check that the acting seat may use a weapon now: in its own turn, after the roll, and as its only weapon.

    `use` names the use: the weapon, or a common name for several shots or charges of one use. `limit` is the
    maximum number of shots or charges (None: no limit), refused by `too_many`. Refuses by II.B.10 before the
    roll, by IX.C.2 for a second weapon, and by II.B.7 while the stop has a mandatory effect, unless the weapon
    may be used `on_the_way`.
    """
    turn = own_turn(draft, "II.D.2", "II.B.10")
    seat = draft.seat
    draft.require(
        turn.roll != "due",
        "II.B.10",
        "{seat:seat} has not rolled yet: a weapon is used during or after the move",
        "{seat:seat} n'a pas encore lancé les dés : une arme s'utilise pendant ou après le déplacement",
        seat=seat,
    )
    draft.require(
        turn.weapon in {None, use},
        "IX.C.2",
        "{seat:seat} has already used a weapon this turn ({used:goods})",
        "{seat:seat} a déjà utilisé une arme ce tour-ci ({used:goods})",
        seat=seat,
        used=turn.weapon,
    )
    draft.require(
        limit is None or turn.weapons_used < limit,
        too_many,
        "{seat:seat} has used {used:goods} {times} times this turn, and may no more than {most} times",
        "{seat:seat} a utilisé {used:goods} {times} fois ce tour-ci, et ne le peut pas plus de {most} fois",
        seat=seat,
        used=turn.weapon,
        times=turn.weapons_used,
        most=limit,
    )
    draft.require(
        on_the_way or not squares.is_pending(draft.state, seat),
        "II.B.7",
        "the effect of {square} comes before a weapon: resolve the square first",
        "l'effet de {square} passe avant une arme : résolvez d'abord la case",
        square=draft.state.board[draft.state.positions[seat]].name,
    )


def in_hand(draft: Draft, weapon: str) -> None:
    """Check that the acting seat has the weapon. Refuses by II.B.11."""
    draft.require_funds(player(draft.seat), weapon, 1, "II.B.11")


def spent(draft: Draft, weapon: str) -> Posting:
    """Return the posting for the acting seat's copy, used up (IX.C.2)."""
    return shops.spent(draft.state, draft.seat, weapon)


def aimed_at(draft: Draft, title_id: str, rule: str) -> Title:
    """Return a title by id after checking for an owner.

    Raises Impossible for a title of the bank.
    """
    title = title_named(title_id)
    if owner_of(draft.state, title.id) is None:
        raise Impossible(
            rule,
            "{title} belongs to the bank: there is nothing to hit",
            "le titre {title} appartient à la banque : il n'y a rien à frapper",
            title=title.name,
        )
    return title


def neighbours(state: Negopoly, square: int) -> frozenset[int]:
    """Return the two adjacent squares."""
    return boards.neighbours(len(state.board), square)


def titles_near(state: Negopoly, seat: str, *, own_square: bool) -> list[str]:
    """Return the titles on the squares adjacent to the seat's token; with `own_square`, also on the token's
    square.
    """
    position = state.positions[seat]
    squares = neighbours(state, position) | ({position} if own_square else frozenset())
    on_board = (state.board[square].property for square in sorted(squares))
    return [title for title in on_board if title is not None]


def armed(state: Negopoly, seat: str, weapon: str) -> bool:
    """Return True if the seat may have targets: in the seat's own turn, with the weapon in hand."""
    return state.turn is not None and state.turn.seat == seat and state.holdings.of(player(seat), weapon) > 0


def owned_titles(state: Negopoly) -> list[str]:
    """Return the titles of players, in the order of the board."""
    owners = owners_of(state)
    return [title for title in TITLES if title in owners]


# ----------------------------------------------------------------------------------------------
# Buying
# ----------------------------------------------------------------------------------------------


@shops.counter(shops.BAR)
def _at_the_bar(draft: Draft, item_id: str) -> str:
    """Open the bar after a stop on or next to a bar (IX.A.2), or when crossing a bar with the Jaune quarter
    (V.E.12).

    Returns the rule to cite for the sale.
    """
    bars = squares_of(draft.state, shops.BAR)
    if not bar.is_open(draft.state) and quarters.has_ability(draft.state, draft.seat, "jaune"):
        passed(draft, bars, "V.E.12")
        return "V.E.12"
    bar.enter(draft)
    return ARSENAL[item_id].sale or "IX.A.1"


@chapter.action(
    summary=("buy weapons at the bar", "acheter des armes au bar"),
    when=(
        "in your own turn, stopped on a bar or next to one; crossing a bar as the owner of Jaune",
        "pendant son tour, à l'arrêt sur un bar ou à côté ; en passant par un bar avec le quartier Jaune",
    ),
)
class BuyWeapon(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player at the bar buys weapons, charges or Game Enders for themselves (IX.A.1)."""

    commodity: WeaponId
    amount: Pieces = 1

    def decide(self, draft: Draft) -> None:
        """Sell any number within the player's funds. Weapons are not mercenary actions."""
        rule = shops.may_buy(draft, self.commodity)
        shops.sell(draft, draft.seat, self.commodity, self.amount, rule=rule)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer one copy of each weapon, in the seat's own turn."""
        if state.turn is not None and state.turn.seat == seat:
            for weapon in ARSENAL:
                alike, price = shops.offer_of(state, seat, weapon)
                yield Choice({"commodity": weapon, "amount": 1}, free=("amount",), alike=alike, cost=price)


chapter.upcast_action("buy_weapon", renamed(weapon="commodity", quantity="amount"))
chapter.upcast_action("buy_weapon", in_short)

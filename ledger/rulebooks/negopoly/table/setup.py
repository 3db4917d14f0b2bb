"""II.A. Set-up: the game is created, the seats join and choose a perk, the banker fixes the order and starts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from ledger.kernel.accounts import BANK, Posting
from ledger.kernel.actions import Action, Choice
from ledger.kernel.audience import Audience, only
from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.kernel.refusals import Malformed
from ledger.rulebooks.negopoly.cards import decks
from ledger.rulebooks.negopoly.goods import shops
from ledger.rulebooks.negopoly.table import own_table
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, index_of, seat_named
from ledger.rulebooks.negopoly.table.terms import MONEY, SeatId, player
from ledger.rulebooks.negopoly.turns import turns
from ledger.rulebooks.parts import opening, titles

chapter = Chapter("II.A. Set-up")

RULES_VERSION = "1"
"""The version of the rule set that joining accepts (P.4)."""

Perk = Literal["rpg7", "trottinette", "doses", "money"]
PERKS: dict[str, tuple[str, str, int]] = {
    "rpg7": ("II.A.3", "rpg7", 1),
    "trottinette": ("II.A.4", "trottinette", 1),
    "doses": ("II.A.5", "dose", 3),
    "money": ("II.A.6", MONEY, 150),
}
"""Each perk: its rule, the commodity it gives, and how much (pieces or whole ₦)."""


@chapter.event
class GameCreated(opening.LaidOut, frozen=True, kw_only=True):
    """The table is laid: seats, settings, who throws the dice; all 22 titles go to the bank (V.A.1)."""

    en: ClassVar[str] = "A game of Negopoly is laid out for {names:list}."
    fr: ClassVar[str] = "Une partie de Negopoly est installée pour {names:list}."

    rule: str = "V.A.1"

    def apply(self, state: Negopoly) -> None:
        """Seats sit in the order given until the banker fixes another; tokens wait on Spawn."""
        super().apply(state)
        state.board = own_table.squares(state.settings.board)
        state.cards = own_table.cards(state.settings.decks)
        state.positions = dict.fromkeys(state.seats, index_of(state, "spawn"))


@chapter.event
class SeatJoined(Event, frozen=True, kw_only=True):
    """A player joins with a character, accepts the rules, and an account is opened (P.4, I.A.2, II.A.1)."""

    en: ClassVar[str] = "{seat:seat} joins as {persona}."
    fr: ClassVar[str] = "{seat:seat} entre en jeu sous le nom de {persona}."

    rule: str = "II.A.1"
    seat: str
    persona: str
    rules_version: str

    def apply(self, state: Negopoly) -> None:
        """The character is kept in the profile."""
        state.personas[self.seat] = self.persona


@chapter.event
class PerkChosen(Event, frozen=True, kw_only=True):
    """A starting perk moves from the bank to the player's inventory (II.A.2). Inventories are private (I.C.6)."""

    en: ClassVar[str] = "{seat:seat} chooses a starting perk: {amount} {commodity:goods}."
    fr: ClassVar[str] = "{seat:seat} choisit un avantage de départ : {amount} {commodity:goods}."

    rule: str
    seat: str
    perk: Perk

    @property
    def amount(self) -> int:
        """How much was given, in pieces or whole ₦."""
        return self.postings[0].amount

    @property
    def commodity(self) -> str:
        """What was given."""
        return self.postings[0].commodity

    def apply(self, state: Negopoly) -> None:
        """The choice is made once."""
        state.perks[self.seat] = self.perk

    def audience(self) -> Audience:
        """What is in an inventory is its owner's secret."""
        return only(self.seat)


@chapter.event
class TurnOrderSet(Event, frozen=True, kw_only=True):
    """The order of players, from the next round on (II.3)."""

    en: ClassVar[str] = "The order of players is {order:seats}."
    fr: ClassVar[str] = "L'ordre des joueurs est {order:seats}."

    rule: str = "II.3"
    order: tuple[str, ...]

    def apply(self, state: Negopoly) -> None:
        """At once during set-up, with the next round afterwards."""
        if state.phase == "setup":
            state.order = self.order
        else:
            state.next_order = self.order


@chapter.event
class GameStarted(Event, frozen=True, kw_only=True):
    """Set-up is over (II.1)."""

    en: ClassVar[str] = "The game starts."
    fr: ClassVar[str] = "La partie commence."

    rule: str = "II.1"

    def apply(self, state: Negopoly) -> None:
        """From here on it is played."""
        state.phase = "play"


def during_setup(draft: Draft, rule: str) -> None:
    """Refuse by the rule once the game has started."""
    draft.require(
        draft.state.phase == "setup",
        rule,
        "the game has already started",
        "la partie a déjà commencé",
    )


@chapter.action(
    by=("system",),
    summary=("lay out a game", "installer une partie"),
    when=("first of all", "en tout premier"),
)
class CreateGame(opening.LayOut, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lay out the table: the first action of every game."""

    def decide(self, draft: Draft) -> None:
        """All titles belong to the bank at the start (V.A.1)."""
        opening.require_no_table(draft, "V.A.1")
        postings = titles.laid_out(TITLES)
        draft.record(GameCreated(postings=postings, **self.told))
        shops.stock(draft)
        decks.lay_out(draft)


@chapter.action(
    summary=("enter the game with a character", "entrer en jeu avec un personnage"),
    when=("during set-up, once", "pendant la préparation, une fois"),
)
class JoinGame(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Join with a character: accepts the rules (P.4) and opens an account with 1500 ₦ (II.A.1)."""

    persona: Annotated[str, Meta(min_length=1, max_length=80)]

    def decide(self, draft: Draft) -> None:
        """One account a seat."""
        during_setup(draft, "P.4")
        seat = seat_named(draft.state, draft.seat, "P.4")
        draft.require(
            seat not in draft.state.personas,
            "P.4",
            "{seat} has already joined as {persona}",
            "{seat} est déjà en jeu sous le nom de {persona}",
            seat=seat,
            persona=draft.state.personas.get(seat),
        )
        balance = draft.move(MONEY, draft.state.settings.starting_balance, BANK, player(seat))
        draft.record(SeatJoined(seat=seat, persona=self.persona, rules_version=RULES_VERSION, postings=balance))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Any character; the player's name to begin with."""
        if state.phase == "setup" and seat in state.seats:
            yield Choice({"persona": state.seats[seat].name}, free=("persona",))


@chapter.action(
    summary=("choose one starting perk", "choisir un avantage de départ"),
    when=("during set-up, after joining, once", "pendant la préparation, après être entré en jeu, une fois"),
)
class ChooseStarterPerk(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Choose one of the four perks (II.A.2)."""

    perk: Perk

    def decide(self, draft: Draft) -> None:
        """One and only one; items come from a reserve of the bank, or from the shop if the table has set it."""
        during_setup(draft, "II.A.2")
        seat = seat_named(draft.state, draft.seat, "II.A.2")
        draft.require(
            seat in draft.state.personas,
            "P.4",
            "{seat} has not joined the game yet",
            "{seat} n'est pas encore entré en jeu",
            seat=seat,
        )
        draft.require(
            seat not in draft.state.perks,
            "II.A.2",
            "{seat} has already chosen a starting perk",
            "{seat} a déjà choisi un avantage de départ",
            seat=seat,
        )
        rule, commodity, amount = PERKS[self.perk]
        gift = Posting(commodity, amount, shops.perk_source(draft, commodity), player(seat))
        draft.record(PerkChosen(rule=rule, seat=seat, perk=self.perk, postings=(gift,)))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """The four perks."""
        if state.phase == "setup":
            yield from (Choice({"perk": perk}) for perk in PERKS)


@chapter.action(
    by=("banker",),
    summary=("fix or change the order of players", "fixer ou changer l'ordre des joueurs"),
    when=("at any moment, from the next round on", "à tout moment, à partir du round suivant"),
)
class SetTurnOrder(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Fix the order of players (II.3)."""

    order: tuple[SeatId, ...]

    def decide(self, draft: Draft) -> None:
        """Every seat of the game once; one that has left it keeps its place for what still waits for it."""
        seats = set(draft.state.order)
        if len(self.order) != len(seats) or set(self.order) != seats:
            raise Malformed(
                "the order must name each of {seats} once, not {order}",
                "l'ordre doit nommer une fois chacun de {seats}, pas {order}",
                seats=", ".join(draft.state.order),
                order=", ".join(self.order),
            )
        draft.record(TurnOrderSet(order=self.order))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """The order there is, to be changed."""
        yield Choice({"order": list(state.order)}, free=("order",))


@chapter.action(
    by=("banker",),
    summary=("close the set-up and open round 1", "clore la préparation et ouvrir le round 1"),
    when=(
        "once every seat has joined and chosen a perk",
        "quand chacun est entré en jeu et a choisi son avantage",
    ),
)
class StartGame(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open round 1; refused while an account or a perk is missing (II.A.1, II.A.2)."""

    def decide(self, draft: Draft) -> None:
        """Nobody starts without an account or a perk."""
        during_setup(draft, "II.1")
        absent = [seat for seat in draft.state.seats if seat not in draft.state.personas]
        draft.require(
            not absent,
            "II.A.1",
            "{absent} has not joined yet and has no account",
            "{absent} n'est pas encore entré en jeu et n'a pas de compte",
            absent=", ".join(absent),
        )
        missing = [seat for seat in draft.state.seats if seat not in draft.state.perks]
        draft.require(
            not missing,
            "II.A.2",
            "no starting perk has been chosen by {missing}",
            "aucun avantage de départ n'a été choisi par {missing}",
            missing=", ".join(missing),
        )
        draft.record(GameStarted())
        turns.open_round(draft)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Once."""
        return (Choice({}),) if state.phase == "setup" else ()

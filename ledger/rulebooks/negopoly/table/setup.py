"""II.A. Set-up: create the game, join, choose a perk, fix the order of players, start."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from ledger.kernel.facts import names
from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.facts.values import SeatId, of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.cards import decks
from ledger.rulebooks.negopoly.goods import shops
from ledger.rulebooks.negopoly.table import own_table
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, index_of, seat_named
from ledger.rulebooks.negopoly.table.terms import MONEY, player
from ledger.rulebooks.negopoly.turns import turns
from ledger.rulebooks.parts import opening, titles
from ledger.rulebooks.parts.readers import Private

chapter = Chapter("II.A. Set-up")

RULES_VERSION = "1"
"""The version of the rules accepted by joining (P.4)."""

Perk = Literal["rpg7", "trottinette", "doses", "money"]
PERKS: dict[str, tuple[str, str, int]] = {
    "rpg7": ("II.A.3", "rpg7", 1),
    "trottinette": ("II.A.4", "trottinette", 1),
    "doses": ("II.A.5", "dose", 3),
    "money": ("II.A.6", MONEY, 150),
}
"""Each perk: the rule, the commodity, and the amount (pieces or whole ₦)."""


@chapter.event
class GameCreated(opening.LaidOut, frozen=True, kw_only=True):
    """The game is created with its seats, settings and source of dice; the bank gets all 22 titles (V.A.1)."""

    en: ClassVar[str] = "A game of Negopoly is laid out for {names:list}."
    fr: ClassVar[str] = "Une partie de Negopoly est installée pour {names:list}."

    rule: str = "V.A.1"

    def apply(self, state: Negopoly) -> None:
        """Lay out the board and the cards, and put all tokens on Spawn."""
        super().apply(state)
        state.board = own_table.squares(state.settings.board)
        state.cards = own_table.cards(state.settings.decks)
        state.positions = dict.fromkeys(state.seats, index_of(state, "spawn"))


@chapter.event
class SeatJoined(Event, frozen=True, kw_only=True):
    """A player joins with a character and accepts the rules; the bank opens an account (P.4, I.A.2, II.A.1)."""

    en: ClassVar[str] = "{seat:seat} joins as {persona}."
    fr: ClassVar[str] = "{seat:seat} entre en jeu sous le nom {persona:de}."

    rule: str = "II.A.1"
    seat: str
    persona: str
    rules_version: str

    def apply(self, state: Negopoly) -> None:
        """Store the character."""
        state.personas[self.seat] = self.persona


@chapter.event
class PerkChosen(Private, frozen=True, kw_only=True):
    """A starting perk moves from the bank to the player's inventory (II.A.2). Inventories are private (I.C.6)."""

    en: ClassVar[str] = "{seat:seat} chooses a starting perk: {given:pieces}."
    fr: ClassVar[str] = "{seat:seat} choisit un avantage de départ : {given:pieces}."

    rule: str
    perk: Perk

    @property
    def given(self) -> tuple[str, int]:
        """The commodity given, and the amount: pieces or whole ₦."""
        return self.postings[0].commodity, self.postings[0].amount

    def apply(self, state: Negopoly) -> None:
        """Store the player's choice."""
        state.perks[self.seat] = self.perk


@chapter.event
class TurnOrderSet(Event, frozen=True, kw_only=True):
    """The banker fixes the order of players (II.3)."""

    en: ClassVar[str] = "The order of players is {order:seats}."
    fr: ClassVar[str] = "L'ordre des joueurs est {order:seats}."

    rule: str = "II.3"
    order: tuple[str, ...]

    def apply(self, state: Negopoly) -> None:
        """Use the order at once during set-up, and from the next round on later."""
        if state.phase == "setup":
            state.order = self.order
        else:
            state.next_order = self.order


@chapter.event
class GameStarted(Event, frozen=True, kw_only=True):
    """Set-up ends and the game starts (II.1)."""

    en: ClassVar[str] = "The game starts."
    fr: ClassVar[str] = "La partie commence."

    rule: str = "II.1"

    def apply(self, state: Negopoly) -> None:
        """Enter the phase "play"."""
        state.phase = "play"


def during_setup(draft: Draft, rule: str) -> None:
    """Refuse by `rule` after the start of the game."""
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
    """The service lays out the table: the first action of every game."""

    def decide(self, draft: Draft) -> None:
        """Give all titles to the bank (V.A.1), stock the shops and lay out the decks."""
        opening.require_no_table(draft, "V.A.1")
        postings = titles.laid_out(TITLES)
        draft.record(GameCreated(postings=postings, **self.event_fields))
        shops.stock(draft)
        decks.lay_out(draft)


@chapter.action(
    summary=("enter the game with a character", "entrer en jeu avec un personnage"),
    when=("during set-up, once", "pendant la préparation, une fois"),
)
class JoinGame(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player joins during set-up as a character, accepts the rules (P.4) and gets ₦1500 (II.A.1)."""

    persona: Annotated[str, Meta(min_length=1, max_length=80), of_kind("text")]

    def decide(self, draft: Draft) -> None:
        """Refuse a second account for a seat, and a character without a name."""
        during_setup(draft, "P.4")
        seat = seat_named(draft.state, draft.seat, "P.4")
        names.require_readable(self.persona)
        draft.require(
            seat not in draft.state.personas,
            "P.4",
            "{seat:seat} has already joined as {persona}",
            "{seat:seat} est déjà en jeu sous le nom {persona:de}",
            seat=seat,
            persona=draft.state.personas.get(seat),
        )
        balance = draft.move(MONEY, draft.state.settings.starting_balance, BANK, player(seat))
        draft.record(SeatJoined(seat=seat, persona=self.persona, rules_version=RULES_VERSION, postings=balance))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Suggest the player's name as the character; any text will do."""
        if state.phase == "setup" and seat in state.seats:
            yield Choice({"persona": state.seats[seat].name}, free=("persona",))


@chapter.action(
    summary=("choose one starting perk", "choisir un avantage de départ"),
    when=("during set-up, after joining, once", "pendant la préparation, après être entré en jeu, une fois"),
)
class ChooseStarterPerk(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player who has joined chooses one of the four perks during set-up (II.A.2)."""

    perk: Perk

    def decide(self, draft: Draft) -> None:
        """Refuse a second perk. Items come from the bank's reserve, or from the shop if the setting says so."""
        during_setup(draft, "II.A.2")
        seat = seat_named(draft.state, draft.seat, "II.A.2")
        draft.require(
            seat in draft.state.personas,
            "P.4",
            "{seat:seat} has not joined the game yet",
            "{seat:seat} n'est pas encore entré en jeu",
            seat=seat,
        )
        draft.require(
            seat not in draft.state.perks,
            "II.A.2",
            "{seat:seat} has already chosen a starting perk",
            "{seat:seat} a déjà choisi un avantage de départ",
            seat=seat,
        )
        rule, commodity, amount = PERKS[self.perk]
        gift = Posting(commodity, amount, shops.perk_source(draft, commodity), player(seat))
        draft.record(PerkChosen(rule=rule, seat=seat, perk=self.perk, postings=(gift,)))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the four perks."""
        if state.phase == "setup":
            yield from (Choice({"perk": perk}) for perk in PERKS)


@chapter.action(
    by=("banker",),
    summary=("fix or change the order of players", "fixer ou changer l'ordre des joueurs"),
    when=("at any moment, from the next round on", "à tout moment, à partir du round suivant"),
)
class SetTurnOrder(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker fixes the order of players (II.3)."""

    order: Annotated[tuple[SeatId, ...], Meta(max_length=8)]

    def decide(self, draft: Draft) -> None:
        """Require every seat exactly once, also eliminated seats: effects may still wait for their turn."""
        seats = set(draft.state.order)
        if len(self.order) != len(seats) or set(self.order) != seats:
            raise Malformed(
                "the order must name each of {seats:seats} once, not {order:seats}",
                "l'ordre doit nommer une fois chacun de {seats:seats}, pas {order:seats}",
                seats=draft.state.order,
                order=self.order,
            )
        draft.record(TurnOrderSet(order=self.order))

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Suggest the present order."""
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
    """The banker starts round 1 once every player has an account and a perk (II.A.1, II.A.2)."""

    def decide(self, draft: Draft) -> None:
        """Refuse while a player has no account or no perk."""
        during_setup(draft, "II.1")
        absent = [seat for seat in draft.state.seats if seat not in draft.state.personas]
        draft.require(
            not absent,
            "II.A.1",
            "{absent:seats} {absent:plural|has|have} not joined yet and {absent:plural|has|have} no account",
            "{absent:seats} {absent:plural|n'est|ne sont} pas encore {absent:plural|entré|entrés} en jeu "
            "et {absent:plural|n'a|n'ont} pas de compte",
            absent=absent,
        )
        missing = [seat for seat in draft.state.seats if seat not in draft.state.perks]
        draft.require(
            not missing,
            "II.A.2",
            "no starting perk has been chosen by {missing:seats}",
            "aucun avantage de départ n'a été choisi par {missing:seats}",
            missing=missing,
        )
        draft.record(GameStarted())
        turns.open_round(draft)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the action during set-up."""
        return (Choice({}),) if state.phase == "setup" else ()

"""A small game that goes on by itself: when everybody has passed, the service turns up a card and begins a round.

Ana and Bob draw cards into hidden hands, or pass. A round is over when both have passed. Then two things are due
at once: the card that the service turns up, and the next round. Who thinks for ten minutes passes. Bells ring
without an end. Cards whose draws a correction undoes lie on top of the deck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from ledger.kernel.arbitration.chapter import arbitration
from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, Viewer, only
from ledger.kernel.facts.events import Event, UndoneDraw
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.state import State
from ledger.kernel.language.sentences import Speaker
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.draft import Draft
from ledger.kernel.rules.faces.accounts import Accounts
from ledger.kernel.rules.faces.governance import Governance
from ledger.kernel.rules.faces.language import Language
from ledger.kernel.rules.faces.play import Play
from ledger.kernel.rules.faces.progress import Progress
from ledger.kernel.rules.faces.secrets import Secrets
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.parts import decks, opening, speaking
from tests.kernel.toy import register

CARDS = ("ace", "jack", "king", "nine", "queen", "ten")
DECK = "main"
THINKING = timedelta(minutes=10)
"""How long a round waits for those who have not passed."""

chapter = Chapter("Patience")


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a table."""

    cards: int = len(CARDS)
    clock: bool = False
    bells: bool = False
    banker_plays: opening.BankerPlays = ""
    reveal_at_end: bool = False


class Patience(State, kw_only=True):
    """Who has passed, and whether the card of the round lies there."""

    settings: Settings = msgspec.field(default_factory=Settings)
    order: tuple[str, ...] = ()
    round: int = 1
    passed: set[str] = set()
    turned: bool = False
    since: datetime | None = None
    rung: int = 0
    top: tuple[str, ...] = ()


def all_passed(state: Patience) -> bool:
    """Whether the round is over."""
    return len(state.passed) == len(state.seats) > 0


# Events ---------------------------------------------------------------------------------------------


@chapter.event
class PatienceLaidOut(opening.LaidOut, frozen=True, kw_only=True):
    """The deck lies face down."""

    rule: str = "1"
    since: datetime

    def apply(self, state: Patience) -> None:
        super().apply(state)
        state.since = self.since


@chapter.event
class CardsDrawn(Event, frozen=True, kw_only=True):
    """Cards come into a hand."""

    en: ClassVar[str] = "{seat:seat} draws {cards:list}."
    fr: ClassVar[str] = "{seat:seat} tire {cards:list}."

    rule: str = "2"
    seat: str
    cards: tuple[str, ...]

    def apply(self, state: Patience) -> None:
        state.top = tuple(card for card in state.top if card not in self.cards)

    def audience(self) -> Audience:
        return only(self.seat)

    def redacted(self, viewer: Viewer) -> Event:
        veiled = tuple(Posting("card", one.amount, one.source, one.target) for one in self.postings)
        return replace(self, cards=("a card",) * len(self.cards), postings=veiled)


@chapter.event
class SeatPassed(Event, frozen=True, kw_only=True):
    """A seat has done enough in this round."""

    en: ClassVar[str] = "{seat:seat} passes."
    fr: ClassVar[str] = "{seat:seat} passe."

    rule: str = "3"
    seat: str

    def apply(self, state: Patience) -> None:
        state.passed.add(self.seat)


@chapter.event
class CardTurnedUp(Event, frozen=True, kw_only=True):
    """A card lies there for everybody."""

    en: ClassVar[str] = "{card} is turned up."
    fr: ClassVar[str] = "{card} est retournée."

    rule: str = "4"
    card: str

    def apply(self, state: Patience) -> None:
        state.turned = True
        state.top = tuple(card for card in state.top if card != self.card)


@chapter.event
class RoundBegun(Event, frozen=True, kw_only=True):
    """The next round."""

    en: ClassVar[str] = "Round {round} begins."
    fr: ClassVar[str] = "Le tour {round} commence."

    rule: str = "5"
    round: int
    since: datetime

    def apply(self, state: Patience) -> None:
        state.round, state.since, state.turned = self.round, self.since, False
        state.passed.clear()


@chapter.event
class CardsPutBack(Event, frozen=True, kw_only=True):
    """Cards lie on top of the deck: they were drawn, and the draw is undone. Nobody is told."""

    en: ClassVar[str] = "{cards:list} are on top of the deck."
    fr: ClassVar[str] = "{cards:list} sont au-dessus de la pioche."

    rule: str = "7"
    cards: tuple[str, ...]

    def apply(self, state: Patience) -> None:
        state.top = (*self.cards, *(card for card in state.top if card not in self.cards))

    def audience(self) -> Audience:
        return BANKER_ONLY


@chapter.event
class PatienceEnded(Event, frozen=True, kw_only=True):
    """Everybody has had enough."""

    en: ClassVar[str] = "It is over."
    fr: ClassVar[str] = "C'est fini."

    rule: str = "8"

    def apply(self, state: Patience) -> None:
        state.ended = True


@chapter.event
class BellRung(Event, frozen=True, kw_only=True):
    """A bell rings."""

    en: ClassVar[str] = "A bell rings."
    fr: ClassVar[str] = "Une cloche sonne."

    rule: str = "6"

    def apply(self, state: Patience) -> None:
        state.rung += 1


# Actions --------------------------------------------------------------------------------------------


@chapter.action(by=("system",), summary=("lay out", "installer"), when=("first", "d'abord"))
class LayOutPatience(opening.LayOut, frozen=True, kw_only=True, forbid_unknown_fields=True):
    def decide(self, draft: Draft[Patience]) -> None:
        opening.require_no_table(draft, "1")
        cards = CARDS[: opening.stored_settings(Settings, self.settings).cards]
        laid = decks.laid_out((card, DECK) for card in cards)
        draft.record(PatienceLaidOut(since=draft.at, postings=laid, **self.event_fields))


@chapter.action(summary=("draw a card", "tirer une carte"), when=("always", "toujours"))
class DrawCard(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The next cards come into the hand."""

    count: int = 1
    draws: tuple[str, ...] | None = None

    def decide(self, draft: Draft[Patience]) -> None:
        draft.draws.offer(self.draws)
        draft.require(draft.seat not in draft.state.passed, "2", "passed already", "déjà passé")
        cards = drawn(draft, self.count, whole=decks.Whole(CARDS, "2"))
        pile, hand = decks.pile(DECK), f"hand:{draft.seat}"
        moved = tuple(Posting(decks.commodity(card), 1, pile, hand) for card in cards)
        draft.record(CardsDrawn(seat=draft.seat, cards=tuple(cards), postings=moved))


@chapter.action(summary=("pass", "passer"), when=("once in a round", "une fois par tour"))
class Pass(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    def decide(self, draft: Draft[Patience]) -> None:
        draft.require(draft.seat not in draft.state.passed, "3", "passed already", "déjà passé")
        draft.record(SeatPassed(seat=draft.seat))


@chapter.action(by=("system",), summary=("turn up a card", "retourner une carte"), when=("passed", "passé"))
class TurnUp(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    def decide(self, draft: Draft[Patience]) -> None:
        draft.require(all_passed(draft.state) and not draft.state.turned, "4", "not yet", "pas encore")
        (card,) = drawn(draft, 1)
        moved = draft.move(decks.commodity(card), 1, decks.pile(DECK), "table")
        draft.record(CardTurnedUp(card=card, postings=moved))


@chapter.action(by=("system",), summary=("begin a round", "commencer un tour"), when=("passed", "passé"))
class BeginRound(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    def decide(self, draft: Draft[Patience]) -> None:
        draft.require(draft.state.turned, "5", "not yet", "pas encore")
        draft.record(RoundBegun(round=draft.state.round + 1, since=draft.at))


@chapter.action(by=("banker",), summary=("end", "finir"), when=("always", "toujours"))
class EndPatience(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    def decide(self, draft: Draft[Patience]) -> None:
        draft.record(PatienceEnded())


@chapter.action(by=("system",), summary=("ring a bell", "sonner"), when=("always", "toujours"))
class RingBell(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    def decide(self, draft: Draft[Patience]) -> None:
        draft.record(BellRung())


def drawn(draft: Draft[Patience], count: int, whole: decks.Whole | None = None) -> list[str]:
    """The next cards of the deck; as a table with the `whole` deck records them."""
    if decks.left_in(draft.state, DECK) < count:
        raise Impossible("4", "no card is left", "il ne reste aucune carte")
    return decks.draw(draft, "card", DECK, count, top=draft.state.top, whole=whole)


class PatiencePlay(Play[Patience]):
    def opening_action(self, opened: Opening) -> Action:
        opening.require_banker_at_table(opened)
        return opening.lay_out(LayOutPatience, opened)

    def restore_draws(self, draft: Draft[Patience], undone: Sequence[UndoneDraw]) -> None:
        cards = decks.back_on_top(draft.state, DECK, undone, {"card"})
        if cards:
            draft.record(CardsPutBack(cards=cards))


class PatienceProgress(Progress[Patience]):
    def due(self, state: Patience, at: datetime) -> tuple[Action, str | None] | None:
        if state.settings.bells:
            return RingBell(), None
        if all_passed(state):
            return (BeginRound() if state.turned else TurnUp()), None
        late = [seat for seat in state.order if seat not in state.passed]
        return (Pass(), late[0]) if any(at >= one for one in self.deadlines(state)) else None

    def deadlines(self, state: Patience) -> Sequence[datetime]:
        if state.since is None or not state.settings.clock or all_passed(state):
            return ()
        return (state.since + THINKING,)


class PatienceAccounts(Accounts[Patience]):
    def may_owe(self, account: str, commodity: str) -> bool:
        return super().may_owe(account, commodity) or decks.owes(account, commodity)

    def accounts_of(self, seat: str) -> tuple[str, ...]:
        return (self.purse(seat), f"hand:{seat}")


class PatienceSecrets(Secrets[Patience]):
    veils = True

    def holding_audience(self, state: Patience, account: str, commodity: str) -> Audience:
        if account == decks.pile(DECK):
            return BANKER_ONLY
        return only(account.removeprefix("hand:")) if account.startswith("hand:") else EVERYONE

    def veil(self, commodity: str) -> str | None:
        return "card" if decks.is_card(commodity) else None


class PatienceLanguage(Language[Patience]):
    def speakers(self, state: Patience) -> Mapping[str, Speaker]:
        return speaking.plain_speakers(state, "c", {})


CARRIED = {
    "1": ("lay_out_patience",),
    "2": ("draw_card",),
    "3": ("pass",),
    "4": ("turn_up",),
    "5": ("begin_round",),
    "6": ("ring_bell",),
    "8": ("end_patience",),
    "7": ("correct", "open_dispute", "add_statement", "withdraw_dispute", "rule", "publish_rulings"),
}

RULES = Rulebook(
    id="patience",
    title="Patience",
    players=(2, 2),
    settings=Settings,
    state=Patience,
    register=register(CARRIED),
    chapters=(chapter, arbitration("The banker", player_undo=True)),
    governance=Governance.all_by("7", player_undo=True),
    play=PatiencePlay(),
    progress=PatienceProgress(),
    accounts=PatienceAccounts("coin"),
    secrets=PatienceSecrets(),
    language=PatienceLanguage(),
)

"""Obeying a card: the effects in order, interrupted by choices.

Everything of the turn waits for a choice (`Monopoly.choosing`). The rest of the card is kept as the card's id and
the number of the next effect (`Monopoly.remaining`), and follows the choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId, TitleId, of_kind
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.cards import estate, piles
from ledger.rulebooks.monopoly.cards.card_effects import carry_out_one, carry_out_passing
from ledger.rulebooks.monopoly.cards.concerned import concerned, opponents
from ledger.rulebooks.monopoly.cards.estate import Estate
from ledger.rulebooks.monopoly.cards.sums import Origin
from ledger.rulebooks.monopoly.table.effects import (
    BuildOn,
    BuyTitle,
    ChooseOption,
    DrawFrom,
    Effect,
    Keep,
    KeptUse,
    LoseBuilding,
    Receive,
    ReceiveFromEach,
    SwapTitles,
    TakeTitle,
)
from ledger.rulebooks.monopoly.table.pieces import Card, Effects, Pieces, Square
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cite,
    kept_for,
    owner_of,
    pieces,
    player_in_play,
)
from ledger.rulebooks.monopoly.table.terms import Ask, Choosing, Task
from ledger.rulebooks.monopoly.turns import landings
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player as purse

chapter = Chapter("Choices by cards")

_SQUARE = "square:"
CHOSEN = "?"
"""The seat under an effect, still to be named by the drawer."""

YES, NO, NONE = "yes", "no", "none"

OptionId = Annotated[
    str,
    Meta(min_length=1, max_length=80, description='the option, "yes" or "no", or "none" to leave it'),
    of_kind("choice"),
]

_ROLES: dict[Ask, Role] = {
    "title": "card_title",
    "given": "card_title",
    "consent": "card_title",
    "say_no": "card_no",
    "refuse": "card_no",
    "draw": "card_draw",
}


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class ChoiceAsked(Event, frozen=True, kw_only=True):
    """A card waits for somebody's choice."""

    en: ClassVar[str] = "{seat:seat} is to choose: {ask:ask}."
    fr: ClassVar[str] = "Choix {seat:de|seat} : {ask:ask}."

    choosing: Choosing
    remaining: tuple[Task, ...] = ()

    @property
    def seat(self) -> str:
        """The choosing seat."""
        return self.choosing.seat

    @property
    def ask(self) -> Choosing:
        """The subject of the choice."""
        return self.choosing

    def apply(self, state: Monopoly) -> None:
        """Keep the choice open, and the rest of the cards."""
        state.choosing, state.remaining = self.choosing, self.remaining


@chapter.event
class ChoiceMade(Event, frozen=True, kw_only=True):
    """A player chooses."""

    en: ClassVar[str] = "{seat:seat} chooses: {answer:answer}."
    fr: ClassVar[str] = "{seat:seat} choisit : {answer:answer}."

    seat: str
    answer: str
    """An option by its id, "title:" and a title, "player:" and a seat, "yes", "no" or "none"."""

    def apply(self, state: Monopoly) -> None:
        """Close the choice."""
        state.choosing, state.remaining = None, ()


@chapter.event
class CardsWaiting(Event, frozen=True, kw_only=True):
    """The rest of a card waits for the choice on the square at the end of a move."""

    en: ClassVar[str] = "The rest of the card waits for the choice."
    fr: ClassVar[str] = "Le reste de la carte attend le choix."

    tasks: tuple[Task, ...]

    def apply(self, state: Monopoly) -> None:
        """Append the tasks to the rest of the cards."""
        state.remaining = (*state.remaining, *self.tasks)


@chapter.event
class CardResumed(Event, frozen=True, kw_only=True):
    """The rest of a card is carried out without the choice in between."""

    en: ClassVar[str] = "The choice is dropped, and the rest of the card goes on."
    fr: ClassVar[str] = "Le choix tombe, et le reste de la carte s'exécute."

    seat: str

    def apply(self, state: Monopoly) -> None:
        """Take up the rest of the cards."""
        state.remaining = ()


@chapter.event
class KeptCardPlayed(Event, frozen=True, kw_only=True):
    """A player plays a kept card, and the card goes under the deck."""

    en: ClassVar[str] = "{seat:seat} plays a kept card: {card:goods}"
    fr: ClassVar[str] = "{seat:seat} joue une carte gardée : {card:goods}"

    seat: str
    card: str
    """The commodity."""
    deck: str

    def apply(self, state: Monopoly) -> None:
        """Put the card under the deck."""
        state.under[self.deck] = (*state.under.get(self.deck, ()), decks.card_of(self.card))


def lay_down(draft: Draft, seat: str, thing: str, role: Role) -> None:
    """Record a kept card as played."""
    deck = pieces(draft.state).card[decks.card_of(thing)].deck
    back = draft.move(thing, 1, purse(seat), decks.pile(deck))
    draft.record(KeptCardPlayed(rule=cite(draft.state, role), seat=seat, card=thing, deck=deck, postings=back))


# ----------------------------------------------------------------------------------------------
# Obeying
# ----------------------------------------------------------------------------------------------


def carry_out(draft: Draft, seat: str, card: Card, *, thrown: int = 0) -> None:
    """Carry out the effects of a card, or of the face `thrown` of a chance die, in order."""
    run(draft, (drawn(draft.state, seat, card, thrown=thrown),))


@landings.obeys
def carry_out_square(draft: Draft, seat: str, square: Square, effects: Effects) -> None:
    """Carry out the effects of a square, in order."""
    if effects is square.passing:
        carry_out_passing(draft, seat, square, effects)
    else:
        run(draft, (Task(source=f"{_SQUARE}{square.id}", seat=seat),))


def drawn(state: Monopoly, seat: str, card: Card, *, thrown: int = 0, under: bool = False) -> Task:
    """Return the task of a card just drawn, or of a face. A card may be refused first.

    With `under` the card goes under the deck at the end.
    """
    refused = not card.is_kept and not pieces(state).deck[card.deck].faces and kept_for(state, seat, "refuse_card")
    return Task(
        source=card.id, seat=seat, thrown=thrown, at=-1 if refused else 0, under=under and not card.is_kept
    )


def resume(draft: Draft) -> None:
    """Carry out the rest of cards after a choice gone without an answer."""
    state = draft.state
    if state.remaining and state.choosing is None:
        remaining = state.remaining
        draft.record(CardResumed(rule=cite(state, "choose"), seat=remaining[0].seat))
        run(draft, remaining)


def run(draft: Draft, tasks: Sequence[Task]) -> None:
    """Carry out tasks in order, until somebody has to choose."""
    waiting = list(tasks)
    while waiting:
        if draft.state.choosing is not None:  # the square at the end of a move asks for a choice
            tasks = tuple(task for task in waiting if not _is_over(draft.state, task))
            if tasks:
                draft.record(CardsWaiting(rule=cite(draft.state, "choose"), tasks=tasks))
            return
        task = waiting.pop(0)
        if task.seat in draft.state.out or task.whom in draft.state.out:
            continue
        outcome = _next(draft, task)
        if isinstance(outcome, Choosing):
            rule = rule_of(draft.state, outcome)
            draft.record(ChoiceAsked(rule=rule, choosing=outcome, remaining=tuple(waiting)))
            return
        waiting[:0] = outcome


def _is_over(state: Monopoly, task: Task) -> bool:
    """Return True if nothing is left of a task."""
    return not task.under and task.at == len(effects_at(pieces(state), task.source, task.path))


def _origin(board: Pieces, source: str) -> Card | Square:
    """Return the card or the square of an id."""
    square = source.removeprefix(_SQUARE)
    return board.card[source] if square == source else board.squares[board.index[square]]


def effects_at(board: Pieces, source: str, path: Sequence[int]) -> tuple[Effect, ...]:
    """Return the list of effects at a path in a card or a square."""
    effects = _origin(board, source).effects or ()
    for at, number in zip(path[::2], path[1::2], strict=True):
        effects = _lists(effects[at])[number]
    return effects


def _lists(effect: Effect) -> tuple[tuple[Effect, ...], ...]:
    """Return the lists of effects in an effect."""
    if isinstance(effect, ChooseOption):
        return tuple(option.effects for option in effect.options)
    return (effect.effects or (),) if isinstance(effect, Keep) else ()


def effect_of(state: Monopoly, task: Task) -> Effect:
    """Return the next effect of a task."""
    return effects_at(pieces(state), task.source, task.path)[task.at]


def rule_of(state: Monopoly, choosing: Choosing) -> str:
    """Return the rule of a choice."""
    if choosing.ask == "title" and isinstance(effect_of(state, choosing.task), BuildOn | LoseBuilding):
        return cite(state, "card_house")
    return cite(state, _ROLES.get(choosing.ask, "choose"))


def _next(draft: Draft, task: Task) -> Choosing | tuple[Task, ...]:
    """Take a step of a task. Return the choice to be made, or the following tasks."""
    state = draft.state
    if task.at < 0:
        refuses = kept_for(state, task.seat, "refuse_card")
        return Choosing(ask="refuse", seat=task.seat, task=task) if refuses else (replace(task, at=0),)
    effects = effects_at(pieces(state), task.source, task.path)
    if task.at == len(effects):
        if task.under:
            card = pieces(state).card[task.source]
            piles.put_under(draft, task.seat, card.deck, card.id, cite(state, "card"))
        return ()
    effect = effects[task.at]
    if not task.whom:
        alone = replace(task, under=False)
        following = replace(task, at=task.at + 1)
        return (*[replace(alone, whom=seat) for seat in _meant(state, task, effect)], following)
    if task.whom == CHOSEN:
        return Choosing(ask="player", seat=task.seat, task=task)
    objects = next((seat for seat in _aimed_at(state, task, effect) if _may_object(state, task, seat)), None)
    if objects is not None:
        return Choosing(ask="say_no", seat=objects, task=task)
    if task.whom in task.spared:
        return ()
    return _carry_out(draft, task, effect)


def _carry_out(draft: Draft, task: Task, effect: Effect) -> Choosing | tuple[Task, ...]:
    state, seat = draft.state, task.whom
    match effect:
        case ChooseOption():
            return Choosing(ask="option", seat=seat, task=task)
        case DrawFrom(deck=deck) if decks.left_in(state, deck):
            return Choosing(ask="draw", seat=seat, task=task, deck=deck)
        case DrawFrom(deck=deck):
            draft.record(piles.NoCardLeft(rule=cite(state, "card_draw"), seat=seat, deck=deck))
            return ()
    if isinstance(effect, Estate):
        outcome = estate.carry_out(draft, task, effect)
        if isinstance(outcome, Choosing) and outcome.ask == "title" and not _answers(state, outcome):
            return ()
        return outcome
    source = _origin(pieces(state), task.source)
    role: Role = "card_effect" if isinstance(source, Card) else "square"
    carry_out_one(draft, seat, effect, Origin(task.seat, source, task.thrown, role, task.spared))
    return ()


def _meant(state: Monopoly, task: Task, effect: Effect) -> list[str]:
    """Return the seats under an effect, or the mark of a player to be named."""
    seats = concerned(state, task.seat, effect)
    return [CHOSEN] if effect.who == "chosen" and len(seats) > 1 else seats


_WELCOME = (Receive, Keep, BuildOn, BuyTitle, ChooseOption, DrawFrom)
"""The effects welcome to everybody."""


def _may_object(state: Monopoly, task: Task, seat: str) -> bool:
    """Return True if a seat keeps a card to say no, and has not had the chance yet."""
    return seat not in task.challenged and bool(kept_for(state, seat, "say_no"))


def _is_from_each(effect: Effect) -> bool:
    """Return True if each opponent pays."""
    return isinstance(effect, ReceiveFromEach) or (isinstance(effect, Receive) and effect.source == "each")


def _aimed_at(state: Monopoly, task: Task, effect: Effect) -> Iterator[str]:
    """Yield the seats with a loss by another player's card: these may say no."""
    if task.whom != task.seat and not isinstance(effect, _WELCOME):
        yield task.whom
    if _is_from_each(effect):
        yield from opponents(state, task.whom)
    if isinstance(effect, TakeTitle | SwapTitles) and task.title and not effect.consent:
        owner = owner_of(state, task.title)
        if owner is not None:
            yield owner


# ----------------------------------------------------------------------------------------------
# Answers
# ----------------------------------------------------------------------------------------------


def answers(state: Monopoly, choosing: Choosing) -> list[str]:
    """Return the possible answers to a choice, the default first."""
    return _answers(state, choosing) or [NONE]


def _answers(state: Monopoly, choosing: Choosing) -> list[str]:
    task = choosing.task
    match choosing.ask:
        case "consent":
            return [NO, YES]
        case "say_no" | "refuse":
            use: KeptUse = "say_no" if choosing.ask == "say_no" else "refuse_card"
            return [NO, *([YES] if kept_for(state, choosing.seat, use) else ())]
        case "draw":
            return []
    effect = effect_of(state, task)
    if choosing.ask == "player":
        seats = concerned(state, task.seat, effect) if task.whom == CHOSEN else opponents(state, task.whom)
        return [purse(seat) for seat in seats]
    if isinstance(effect, ChooseOption):
        return [option_id(task, number) for number in range(len(effect.options))]
    if isinstance(effect, SwapTitles) and choosing.ask == "given":
        return [f"title:{title}" for title in estate.by_price(state, estate.gifts_for(state, task, effect))]
    if isinstance(effect, Estate):
        offered = [f"title:{title}" for title in estate.by_price(state, estate.titles_for(state, task, effect))]
        return [*([NONE] if offered and isinstance(effect, estate.MAY_LEAVE) else ()), *offered]
    return []


def option_id(task: Task, number: int) -> str:
    """Return the id of an option: the card, the path of the effect, and the number of the option."""
    return ".".join(map(str, (task.source, *task.path, task.at, number)))


def option_words(board: Pieces, option: str) -> Phrase | None:
    """Return the words of an option by id; None for anything else."""
    source, *steps = option.split(".")
    if (
        source.removeprefix(_SQUARE) not in {**board.card, **board.index}
        or len(steps) < 2
        or not all(step.isdigit() for step in steps)
    ):
        return None
    numbers = [int(step) for step in steps]
    try:
        effect = effects_at(board, source, numbers[:-2])[numbers[-2]]
        return effect.options[numbers[-1]].words if isinstance(effect, ChooseOption) else None
    except (IndexError, ValueError):
        return None


def params_of(answer: str) -> dict[str, str]:
    """Return the parameters of the action for an answer."""
    for name in ("title", "player"):
        if answer.startswith(f"{name}:"):
            return {name: answer.removeprefix(f"{name}:")}
    return {"option": answer}


@chapter.action(
    summary=("choose what a card leaves to one's choice", "choisir ce qu'une carte laisse au choix"),
    when=("while a card waits for the choice", "tant qu'une carte attend ce choix"),
)
class Choose(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Choose an option, a title or a player, agree or refuse, as the card asks."""

    option: OptionId | None = None
    title: TitleId | None = None
    player: SeatId | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse without a choice to make, and an answer not allowed by the card."""
        state, seat = draft.state, player_in_play(draft)
        choosing = state.choosing
        if choosing is None or choosing.seat != seat or choosing.ask == "draw":
            raise Impossible(
                cite(state, "choose"),
                "{seat:seat} has nothing to choose",
                "{seat:seat} n'a rien à choisir",
                seat=seat,
            )
        rule, possible = rule_of(state, choosing), answers(state, choosing)
        answer = self._answer()
        if answer not in possible:
            raise Impossible(
                rule,
                "{seat:seat} cannot choose that; the choices are: {possible:each|answer}",
                "{seat:seat} ne peut pas choisir cela ; les choix sont : {possible:each|answer}",
                seat=seat,
                possible=tuple(possible),
            )
        remaining = state.remaining
        draft.record(ChoiceMade(rule=rule, seat=seat, answer=answer))
        run(draft, (*_continued(draft, choosing, answer), *remaining))

    def _answer(self) -> str:
        if self.title is not None:
            return f"title:{self.title.removeprefix('title:')}"
        return self.option or "" if self.player is None else purse(self.player)

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer each answer."""
        choosing = state.choosing
        if choosing is not None and choosing.seat == seat and choosing.ask != "draw":
            yield from (Choice(params_of(answer)) for answer in answers(state, choosing))


def _continued(draft: Draft, choosing: Choosing, answer: str) -> tuple[Task, ...]:
    """Return the tasks resulting from an answer."""
    task, seat, value = choosing.task, choosing.seat, answer.partition(":")[2]
    match choosing.ask:
        case "refuse":
            if answer == NO:
                return (replace(task, at=0),)
            lay_down(draft, seat, kept_for(draft.state, seat, "refuse_card")[0], "card_no")
            return (replace(task, at=len(pieces(draft.state).card[task.source].effects)),)
        case "say_no":
            task = replace(task, challenged=(*task.challenged, seat))
            if answer == NO:
                return (task,)
            lay_down(draft, seat, kept_for(draft.state, seat, "say_no")[0], "card_no")
            return _spare(draft.state, task, seat)
        case _ if answer in {NONE, NO}:
            return ()
        case "option":
            number = int(answer.rpartition(".")[2])
            return (
                Task(source=task.source, seat=task.whom, thrown=task.thrown, path=(*task.path, task.at, number)),
            )
        case "player" if task.whom == CHOSEN:
            return (replace(task, whom=value),)
        case "player":
            return (replace(task, player=value),)
        case "consent":
            return (replace(task, agreed=True),)
        case "given":
            return (replace(task, counterpart=value),)
        case _:
            return (replace(task, title=value),)


def _spare(state: Monopoly, task: Task, seat: str) -> tuple[Task, ...]:
    """Return the rest of an effect after a "no": nothing for an effect aimed at the player alone."""
    spared = replace(task, spared=(*task.spared, seat))
    effect = effect_of(state, task)
    return (spared,) if _is_from_each(effect) and seat != task.whom else ()

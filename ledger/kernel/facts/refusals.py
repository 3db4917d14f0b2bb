"""Refusals of actions. Every refusal carries the relevant values and speaks English and French."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Self

import msgspec

from ledger.kernel.facts.audience import Audience
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker, as_it_is, speak


class Refusal(Exception):  # noqa: N818 - a refusal is an answer of the rules, not a fault of the program
    """A refused action: nothing happens and nothing is written.

    Takes the sentence in English and French as templates (see `sentences`), and values. Values are ids until
    named by speakers (`named_by`). The caller reads the refusal. A refusal kept in the journal (the reason for
    a voided action, a waived rule) is for viewers of the whole action; and among the viewers only for
    `readers`, if set because the sentence contains a secret.
    """

    readers: Audience | None = None

    def __init__(self, en: str, fr: str, /, **values: Any) -> None:
        super().__init__(en, fr)
        self.values = values
        self._template = Phrase(en, fr)
        self._speakers: Mapping[str, Speaker] | Callable[[], Mapping[str, Speaker]] | None = None

    def __str__(self) -> str:
        return self.en

    @property
    def en(self) -> str:
        """The sentence in English."""
        return self.sentence("en")

    @property
    def fr(self) -> str:
        """The sentence in French, with plain spaces: the journal keeps it."""
        return self._spoken(self._template.fr, "fr")

    def sentence(self, language: str) -> str:
        """Return the sentence in "en" or "fr"."""
        return self._spoken(self._template.in_language(language), language)

    def _spoken(self, template: str, language: str) -> str:
        named = self._speakers() if callable(self._speakers) else self._speakers
        speakers = defaultdict(lambda: as_it_is, named or {})
        return speak(template, self.values, language, speakers)

    def says(self, name: str) -> bool:
        """Return True if the sentence contains the value with the given name, in either language."""
        field = re.compile(rf"\{{{re.escape(name)}\W")
        return any(map(field.search, (self._template.en, self._template.fr)))

    def named_by(self, speakers: Mapping[str, Speaker] | Callable[[], Mapping[str, Speaker]]) -> Self:
        """Set the speakers for the values, unless already set, and return the refusal.

        A function is called only when the refusal is read: most refusals are never read.
        """
        if self._speakers is None:
            self._speakers = speakers
        return self

    def without_detail(self, en: str, fr: str) -> Self:
        """Replace the sentence with a neutral one, drop the values, and return the refusal."""
        self.values = {}
        self._template = Phrase(en, fr)
        return self

    def to(self, audience: Audience) -> Self:
        """Limit the readers of the refusal in the journal to the audience. Returns the refusal."""
        self.readers = audience
        return self


class RuleBroken(Refusal):
    """A breach of a numbered rule of the game's register."""

    def __init__(self, rule: str, en: str, fr: str, /, **values: Any) -> None:
        super().__init__(en, fr, **values)
        self.rule = rule
        self.also_cited: tuple[str, ...] = ()
        """Further rules behind the refusal: the rules of the action, if `rule` is a general rule."""

    def citing(self, *rules: str) -> Self:
        """Cite the given rules beside the refusing rule, and return the refusal."""
        self.also_cited = tuple(cited for cited in rules if cited != self.rule)
        return self


class Impossible(RuleBroken):
    """A refusal beyond any waiver: the action would create or lose something, name something unknown, or change
    nothing.
    """


class Malformed(Refusal):
    """A refusal of parameters without the shape of the action's kind."""


class UnknownKind(Refusal):
    """A refusal of a kind of action unknown to the rulebook."""


class NotYours(Refusal):
    """A refusal of an action not open to the caller's role or seat."""


class GameOver(Impossible):
    """A refusal after the end of the game: only reading and rulings are left. Takes the rule against changes."""

    def __init__(self, rule: str, /) -> None:
        super().__init__(rule, "the game is over", "la partie est terminée")


class NeedsDraw(Refusal):
    """A refusal for lack of a die or a card that nobody threw or drew.

    `draw_name` is the name of the draw, `count` the number of values needed, and `given` the number of values sent
    with the action and used before. `draw` is "dice" or "cards", `sides` the number of sides of the dice,
    `deck` the name of the deck, if any, and `cards` the cards of the deck that the record of the draw may name, as
    far as the requester may know. `action` and `seat` are the action that needs the draw, and its seat:
    the decided action, or a step before. `among` are the values of all draws of the action, in order, with None
    for each missing value; `index` is the index of the missing draw. `edit` is the edit of a correction that
    requested the action, if any.
    """

    action: Any = None
    seat: str | None = None
    among: Sequence[tuple[int | str | None, ...]] = ()
    index: int = 0
    edit: Any = None

    def __init__(
        self,
        draw_name: str,
        count: int,
        /,
        *,
        draw: Literal["dice", "cards"] = "dice",
        sides: int | None = None,
        deck: str | None = None,
        cards: Sequence[str] = (),
        accepted: int = 0,
    ) -> None:
        self.draw_name = draw_name
        self.count = count
        self.draw = draw
        self.sides = sides
        self.deck = deck
        self.cards = tuple(sorted(cards))
        if accepted:
            super().__init__(
                "the action needs {what:draw} ({count}) beside the values given ({given}): give all that were "
                "thrown or drawn, in their order",
                "l'action demande {what:draw} ({count}) en plus des valeurs indiquées ({given}) : indiquez toutes "
                "celles obtenues, dans leur ordre",
                what=draw_name,
                count=count,
                given=accepted,
            )
        else:
            super().__init__(
                "the action needs {what:draw} ({count}): give the values that were thrown or drawn",
                "l'action demande {what:draw} ({count}) : indiquez les valeurs obtenues",
                what=draw_name,
                count=count,
            )

    def without_detail(self, en: str, fr: str) -> Self:
        """Remove the action and the values, which may have been drawn in secret. The sentence keeps the name of
        the draw.
        """
        self.action, self.seat, self.among, self.edit = None, None, (), None
        return self

    def for_action(self, action: Any, seat: str | None) -> Self:
        """Set the action that needs the draw, and return the refusal."""
        self.action, self.seat = action, seat
        return self


class RuleNote(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept with an action in the journal: a rule that the banker waived, and what it would have refused.

    Or a warning to the banker, where a refusal would tell a player what is hidden (`Draft.warn`).
    """

    rule: str
    en: str
    fr: str
    told: tuple[str, ...] | None = None
    """The seats allowed to read the warning, besides the banker; None for all viewers of the whole action."""

    @property
    def text(self) -> Phrase:
        """The warning in both languages."""
        return Phrase(self.en, self.fr)

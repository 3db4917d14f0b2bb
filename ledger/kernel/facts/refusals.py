"""Why an action is refused. Every refusal carries the values that matter and speaks English and French."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Self

import msgspec

from ledger.kernel.facts.audience import Audience
from ledger.kernel.language.sentences import Speaker, as_it_is, speak


class Refusal(Exception):  # noqa: N818 - a refusal is an answer of the rules, not a fault of the program
    """An action that does not happen; nothing has been written.

    Takes the sentence in English and French as templates (see `sentences`), and the values that fill them. Values
    are ids; whoever decides names them (`named_by`), and until then they are shown as they are. The caller reads
    it. Where the journal keeps it (why an action is voided, a waived rule) it is for those who see the action
    whole; and of those only for `known_to`, when that is set because the sentence tells something hidden.
    """

    known_to: Audience | None = None

    def __init__(self, en: str, fr: str, /, **values: Any) -> None:
        super().__init__(en, fr)
        self.values = values
        self._templates = {"en": en, "fr": fr}
        self._speakers: Mapping[str, Speaker] | Callable[[], Mapping[str, Speaker]] | None = None

    def __str__(self) -> str:
        return self.en

    @property
    def en(self) -> str:
        """The sentence in English."""
        return self.sentence("en")

    @property
    def fr(self) -> str:
        """The sentence in French."""
        return self.sentence("fr")

    def sentence(self, language: str) -> str:
        """The refusal in "en" or "fr"."""
        named = self._speakers() if callable(self._speakers) else self._speakers
        speakers = defaultdict(lambda: as_it_is, named or {})
        return speak(self._templates[language], self.values, language, speakers)

    def says(self, name: str) -> bool:
        """Whether the sentence tells the value of this name, in either language."""
        return any(re.search(rf"\{{{re.escape(name)}\W", template) for template in self._templates.values())

    def named_by(self, speakers: Mapping[str, Speaker] | Callable[[], Mapping[str, Speaker]]) -> Self:
        """The same refusal, whose values these speakers name; the first that name them stay.

        A function that gives the speakers is called only when the refusal is read: most refusals never are.
        """
        if self._speakers is None:
            self._speakers = speakers
        return self

    def untold(self, en: str, fr: str) -> Self:
        """The same refusal with this sentence, which tells nothing of what it was about."""
        self.values = {}
        self._templates = {"en": en, "fr": fr}
        return self

    def to(self, audience: Audience) -> Self:
        """The same refusal, readable in the journal for this audience only."""
        self.known_to = audience
        return self


class RuleBroken(Refusal):
    """The action breaks a numbered rule of the game's register."""

    def __init__(self, rule: str, en: str, fr: str, /, **values: Any) -> None:
        super().__init__(en, fr, **values)
        self.rule = rule
        self.beside: tuple[str, ...] = ()
        """Other rules by which it is refused as well: those of the action, where `rule` is a general one."""

    def citing(self, *rules: str) -> Self:
        """The same refusal, which cites these rules beside its own."""
        self.beside = tuple(one for one in rules if one != self.rule)
        return self


class Impossible(RuleBroken):
    """What no waiver can allow: it would create or lose something, name something unknown, or change nothing."""


class Malformed(Refusal):
    """The parameters do not have the shape that the action's kind asks for."""


class UnknownKind(Refusal):
    """The rulebook has no action of this kind."""


class NotYours(Refusal):
    """The caller's role or seat may not perform this action."""


class GameOver(Impossible):
    """The game has ended; only reading and rulings are left. Takes the rule by which it stays as it is."""

    def __init__(self, rule: str, /) -> None:
        super().__init__(rule, "the game is over", "la partie est terminée")


class NeedsDraw(Refusal):
    """A die or a card is needed that nobody threw or drew.

    `what` is the name of the draw, `count` how many values it takes, and `given` how many came with the action and
    were taken before. `draw` is what it is made of, `sides` how many sides its dice have, `deck` the deck of its
    cards where it has a name.
    `action` and `seat` are the action that needs it, and its seat: the one that was decided, or a step before it.
    `among` are the values of all draws of that action, in order, with None for each value that is missing; this is
    the draw at index `place`. `edit` is the edit of a correction that asks for the action, if one does.
    """

    action: Any = None
    seat: str | None = None
    among: Sequence[tuple[int | str | None, ...]] = ()
    place: int = 0
    edit: Any = None

    def __init__(
        self,
        what: str,
        count: int,
        /,
        *,
        draw: Literal["dice", "cards"] = "dice",
        sides: int | None = None,
        deck: str | None = None,
        given: int = 0,
    ) -> None:
        self.what = what
        self.count = count
        self.draw = draw
        self.sides = sides
        self.deck = deck
        if given:
            super().__init__(
                "the action needs {what:draw} ({count}) beside the values given ({given}): give all that were "
                "thrown or drawn, in their order",
                "l'action demande {what:draw} ({count}) en plus des valeurs indiquées ({given}) : indiquez toutes "
                "celles obtenues, dans leur ordre",
                what=what,
                count=count,
                given=given,
            )
        else:
            super().__init__(
                "the action needs {what:draw} ({count}): give the values that were thrown or drawn",
                "l'action demande {what:draw} ({count}) : indiquez les valeurs obtenues",
                what=what,
                count=count,
            )

    def untold(self, en: str, fr: str) -> Self:
        """The same refusal, which names the draw and not the action: its values may have been drawn in secret."""
        self.action, self.seat, self.among, self.edit = None, None, (), None
        return self

    def for_action(self, action: Any, seat: str | None) -> Self:
        """The same refusal, with the action that needs the draw."""
        self.action, self.seat = action, seat
        return self


class Warned(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept with an action in the journal: a rule that the banker waived, and what it would have refused.

    Or a warning to the banker, where a refusal would tell a player what is hidden (`Draft.warn`).
    """

    rule: str
    en: str
    fr: str
    told: tuple[str, ...] | None = None
    """The seats that may read it, besides the banker; None for whoever sees the action whole."""

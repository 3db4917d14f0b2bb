"""Facts as sentences in English and French, from templates over an event's fields.

`{seat:seat}` names a seat, `{price:money}` an amount of money, `{quantity:plural|dose|doses}` chooses a word,
`{seat:de|seat}` is the French "de Bob" or "d'Ana" (`que` likewise; `{name:de}` for a text as it is),
`{seats:seats}` names several seats (`{seats:plural|has|have}`), `{names:names}` joins names as they are,
`{items:each|goods}` names several things of another kind, `{postings:moves}` tells postings; a rulebook adds its
own (`{title:title}`). `{by:or|The banker|seat}` is "The banker" without a value. A field without a name after the
colon is shown as it is, with `!r` in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from string import Formatter
from typing import Any, NamedTuple

from ledger.kernel.language.phrase import Phrase, is_singular, unbroken

Speaker = Callable[[Any, str], str]
"""(value, language) -> the readable name of the value."""


_ELIDING = frozenset("aàâäeéèêëiîïoôöuùûü")
"""First letters of names that turn the French "de" into "d'", and "que" into "qu'". Not h, which takes both
forms.
"""


def elided(word: str, named: str) -> str:
    """Return the French "de" or "que" with a name: "de Bob", "d'Ana"."""
    return f"{word[:-1]}'{named}" if named[:1].lower() in _ELIDING else f"{word} {named}"


class _Field(NamedTuple):
    """A field of a template: the attribute, the further steps (a name or an index), and the manner of speaking."""

    attribute: str
    steps: tuple[str | int, ...]
    manner: str
    words: tuple[str, ...]
    quoted: bool


_STEP = re.compile(r"\[(\d+)\]|\.?(\w+)")
"""A step to a value: an index in brackets, or a name."""


@cache
def pieces(template: str) -> tuple[tuple[str, _Field | None], ...]:
    """Parse a template once: words, each with the following field (None at the end)."""
    parsed = Formatter().parse(template)
    return tuple(
        (words, None if name is None else _field(name, spec or "", quoted=conversion == "r"))
        for words, name, spec, conversion in parsed
    )


def _field(name: str, spec: str, *, quoted: bool) -> _Field:
    attribute, *steps = (int(place) if place else named for place, named in _STEP.findall(name))
    manner, *words = spec.split("|")
    return _Field(str(attribute), tuple(steps), manner, tuple(words), quoted)


class _Speaking(NamedTuple):
    """A subject to be described, in a language."""

    subject: object
    language: str
    speakers: Mapping[str, Speaker]

    def say(self, field: _Field) -> str:
        """Return a field of the subject in words."""
        subject = self.subject
        value: Any = (
            subject[field.attribute] if isinstance(subject, Mapping) else getattr(subject, field.attribute)
        )
        for step in field.steps:
            value = value[step] if isinstance(step, int) else getattr(value, step)
        if field.steps[-1:] == ("fr",):
            value = unbroken(value)
        match field.manner:
            case "":
                return repr(value) if field.quoted else str(value)
            case "plural":
                count = len(value) if isinstance(value, list | tuple) else value
                return field.words[0 if is_singular(count, self.language) else 1]
            case "de" | "que" as word:
                named = self.say(field._replace(manner=field.words[0] if field.words else "", words=()))
                return elided(word, named)
            case "or":
                return field.words[0] if value is None else self.speakers[field.words[1]](value, self.language)
            case "moves":
                return ", ".join(self._move(posting) for posting in value)
            case "list":
                return ", ".join(str(single) for single in value)
            case "names":
                return listed([str(single) for single in value], self.language)
            case "seats":
                return listed([self.speakers["seat"](single, self.language) for single in value], self.language)
            case "each":
                named = ", ".join(self.speakers[field.words[0]](single, self.language) for single in value)
                return named or NOTHING.in_language(self.language)
            case manner:
                return self.speakers[manner](value, self.language)

    def _move(self, posting: Any) -> str:
        account = self.speakers.get("account", as_it_is)
        pieces = self.speakers.get("pieces")
        if pieces is None:
            goods = self.speakers.get("goods", as_it_is)(posting.commodity, self.language)
            moved = f"{posting.amount} {goods}"
        else:
            moved = pieces((posting.commodity, posting.amount), self.language)
        source, target = (account(side, self.language) for side in (posting.source, posting.target))
        between = f"{source} → {target}"
        return f"{moved} ({between})"


def spoken(speaker: Speaker, value: Any) -> Phrase:
    """Return the readable name of a value in both languages."""
    return Phrase(speaker(value, "en"), speaker(value, "fr"))


NOTHING = Phrase("nothing", "rien")
"""An empty list."""


AND = Phrase(" and ", " et ")
"""The joint before the last part of a list."""


def listed(parts: Sequence[str], language: str) -> str:
    """Join a list for a sentence: "a, b and c"."""
    joint = AND.in_language(language)
    return joint.join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 2 else parts)


class AccountName(Phrase, frozen=True):
    """The name of an account, or of all accounts with an owner after the last colon of the id.

    `{name}` in the English and French words is the owner, in the words of the speaker `of`.
    """

    of: str | None = None


def as_it_is(value: Any, language: str) -> str:
    """Return a value without a readable name as a string."""
    return str(value)


def speak(template: str, subject: object, language: str, speakers: Mapping[str, Speaker]) -> str:
    """Fill the template with the attributes of the subject, or the values of a mapping.

    A template that ends with a full stop is a sentence: a name at the start gets a capital. Raises
    AttributeError or KeyError for an unknown field.
    """
    say = _Speaking(subject, language, speakers).say
    sentence = "".join(words if field is None else words + say(field) for words, field in pieces(template))
    return sentence[:1].upper() + sentence[1:] if template.startswith("{") and template.endswith(".") else sentence

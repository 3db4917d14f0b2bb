"""Facts as sentences in English and French, from templates over an event's fields.

`{seat:seat}` names a seat, `{price:money}` an amount of money, `{quantity:plural|dose|doses}` chooses a word,
`{seat:de|seat}` is the French "de Bob" or "d'Ana", `{postings:moves}` tells postings; a rulebook adds its own
(`{title:title}`). A field without a name after the colon is shown as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from string import Formatter
from typing import Any

import msgspec

Speaker = Callable[[Any, str], str]
"""(value, language) -> how a person says it."""


_ELIDING = frozenset("aàâäeéèêëiîïoôöuùûü")
"""First letters of names before which the French "de" becomes "d'"; before an h both are heard."""


class _Speaking(Formatter):
    def __init__(self, event: object, language: str, speakers: Mapping[str, Speaker]) -> None:
        self._event = event
        self._language = language
        self._speakers = speakers

    def get_value(self, key: int | str, args: Any, kwargs: Any) -> Any:
        return getattr(self._event, str(key))

    def format_field(self, value: Any, format_spec: str) -> str:
        if not format_spec:
            return str(value)
        name, *words = format_spec.split("|")
        if name == "plural":
            return words[0] if (value in (0, 1) and self._language == "fr") or value == 1 else words[1]
        if name == "de":
            named = self._speakers[words[0]](value, self._language)
            return f"d'{named}" if named[:1].lower() in _ELIDING else f"de {named}"
        if name == "moves":
            return ", ".join(self._move(posting) for posting in value)
        if name == "list":
            return ", ".join(str(one) for one in value)
        if name == "seats":
            return ", ".join(self._speakers["seat"](one, self._language) for one in value)
        return self._speakers[name](value, self._language)

    def _move(self, posting: Any) -> str:
        account = self._speakers.get("account", _as_it_is)
        goods = self._speakers.get("goods", _as_it_is)(posting.commodity, self._language)
        source, target = (account(one, self._language) for one in (posting.source, posting.target))
        between = f"{source} → {target}"
        return f"{posting.amount} {goods} ({between})"


class AccountName(msgspec.Struct, frozen=True):
    """What people call an account, or all accounts whose id says after its last colon what they belong to.

    `{name}` in the English and French words is that part of the id, as the speaker `of` says it.
    """

    en: str
    fr: str
    of: str | None = None


def _as_it_is(value: Any, language: str) -> str:
    return str(value)


@cache
def _pieces(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """A template read once: words, then the field that follows them (None at the end) and how to say it."""
    parsed = Formatter().parse(template)
    return tuple((words, field, spec or "") for words, field, spec, _ in parsed)


def speak(template: str, subject: object, language: str, speakers: Mapping[str, Speaker]) -> str:
    """The template filled with the attributes of the subject. Raises AttributeError for an unknown field."""
    speaking = _Speaking(subject, language, speakers)
    said: list[str] = []
    for words, field, spec in _pieces(template):
        said.append(words)
        if field is not None:
            value, _ = speaking.get_field(field, (), {})
            said.append(speaking.format_field(value, spec))
    return "".join(said)

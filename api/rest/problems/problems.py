"""Problem answers (RFC 9457): the only place where exceptions become HTTP errors.

A problem's type is a path where the service serves a short page about it. A problem never holds anything that the
caller may not see, and the log never holds tokens or parameters.
"""

from __future__ import annotations

import html
import logging
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from flask import Blueprint, Response, g

from api.rest.problems.kinds import KINDS
from api.rest.running.context import Language, language
from api.rest.running.exchanges import exchange
from ledger.kernel.deciding.plan import CannotKeep, WouldSpread
from ledger.kernel.facts.labels import name_of
from ledger.kernel.facts.refusals import GameOver, Malformed, NeedsDraw, NotYours, Refusal, RuleBroken, UnknownKind
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.history.preview_views import Preview
from ledger.reading.moves.needs import NeedView

log = logging.getLogger("mabligop.api")


PROBLEM_JSON = "application/problem+json"


_RETRY_SECONDS = 1


_READING = {"GET", "HEAD", "OPTIONS"}


NO_SEAT = ("no seat of this game", "aucun siège de cette partie")
"""The detail of a parameter that names no seat, in English and French."""


class ToldLimit(NamedTuple):
    """A limit of requests as the headers `RateLimit-Policy` and `RateLimit` tell of it."""

    policy: str
    left: str


def told_limits() -> list[ToldLimit]:
    """The limits of requests that the headers of the current answer tell of."""
    found: list[ToldLimit] = g.setdefault("limits", [])
    return found


class Problem(Exception):  # noqa: N818 - RFC 9457 calls it so
    """An error to answer with: its kind, its detail in English and French, and further members of the answer.

    The `detail` of each of its `errors` is a text, or a pair of texts in English and French. `quota` is the limit
    of requests that refuses.
    """

    def __init__(
        self,
        kind: str,
        en: str,
        fr: str,
        /,
        *,
        headers: Sequence[tuple[str, str]] = (),
        quota: ToldLimit | None = None,
        **members: Any,
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.detail: dict[Language, str] = {"en": en, "fr": fr}
        self.headers = headers
        self.quota = quota
        self.members = members


def answer(problem: Problem) -> Response:
    """Write a problem in the caller's language."""
    kind = KINDS[problem.kind]
    spoken = language()
    members = problem.members
    if "pointer" not in members and len(faults := members.get("errors", ())) == 1 and "pointer" in faults[0]:
        members = {**members, "pointer": faults[0]["pointer"]}
    if "errors" in members:
        members = {**members, "errors": [_in_language(row, spoken) for row in members["errors"]]}
    exchange().problem = problem.kind
    if problem.quota is not None:
        told_limits().append(problem.quota)
    content = {
        "type": type_of(problem.kind),
        "title": kind.title[spoken],
        "status": kind.status,
        "detail": problem.detail[spoken],
        **members,
    }
    response = Response(msgspec.json.encode(content), kind.status, content_type=PROBLEM_JSON)
    response.headers.extend(problem.headers)
    response.headers["Content-Language"] = spoken
    response.headers["Vary"] = "Authorization, Accept-Language"
    response.headers["Cache-Control"] = "no-store"
    return response


def _in_language(row: Mapping[str, Any], spoken: Language) -> Mapping[str, Any]:
    """Give one of the errors with its detail in the caller's language."""
    detail = row.get("detail")
    return {**row, "detail": detail[spoken == "fr"]} if isinstance(detail, tuple) else row


def type_of(kind: str) -> str:
    """The URI reference that identifies a kind of problem."""
    return f"/problems/{kind}"


def of_refused_action(
    refusal: Refusal,
    rulebook: Rulebook[Any],
    kind: str,
    *,
    needs: Sequence[NeedView] = (),
    params: Mapping[str, Any] = MappingProxyType({}),
    seat: str | None = None,
) -> Problem:
    """The problem of a refused action, with the action's kind and the rules that refuse it.

    `rules` are the broken rule and the rules it rests on; they are empty when no rule was broken. The broken rule
    comes with its title and text from the register. `needs` are the draws that are missing. `params` and `seat`
    are what the body had in these members: the problem points at the one that the refusal names.
    """
    if kind not in rulebook.actions:
        return of_refusal(refusal, **({"pointer": "/kind"} if isinstance(refusal, UnknownKind) else {}))
    if needs:
        return of_refusal(refusal, kind=kind, rules=[], needs=list(needs))
    members: dict[str, Any] = {}
    if isinstance(refusal, RuleBroken):
        members |= _rule_told(refusal.rule, rulebook)
    pointer = _pointer(refusal, params, seat)
    if pointer is not None:
        members["pointer"] = pointer
    cited = (refusal.rule, *refusal.beside) if isinstance(refusal, RuleBroken) else ()
    rules = dict.fromkeys(ground for rule in cited for ground in rulebook.register.grounds(rule))
    return of_refusal(refusal, kind=kind, rules=list(rules), **members)


def _rule_told(rule: str, rulebook: Rulebook[Any]) -> dict[str, str]:
    """The title and the text of a rule in the caller's language; nothing for one that is not in the register."""
    found = rulebook.register.get(rule, language())
    return {} if found is None else {"rule_title": found.title, "rule_text": found.requires}


def _pointer(refusal: Refusal, params: Mapping[str, Any], seat: str | None) -> str | None:
    """The JSON Pointer (RFC 6901) of the member of the body that a refusal is about, where the refusal says it.

    A seat that does not exist is looked for in all parameters. Otherwise it is the one parameter that the refusal
    names together with its value. A refusal about how much there is of something is about the amount.
    """
    values = refusal.values
    # A value that the sentence does not tell may be hidden from the caller.
    told = {name: value for name, value in params.items() if name in values and refusal.says(name)}
    named = [name for name, value in told.items() if value is not None and _same(values[name], value)]
    if "amount" in named:
        named = ["amount"]
    if len(named) == 1:
        return "/params/" + named[0].replace("~", "~0").replace("/", "~1")
    stranger = values.get("seat")
    if not named and isinstance(stranger, str) and stranger not in values.get("seats", (stranger,)):
        places = list(_places(params, stranger, "/params"))
        if len(places) == 1:
            return places[0]
    if seat is not None and not named and isinstance(refusal, Malformed | NotYours):
        return "/seat" if seat in (values.get("seat"), values.get("other")) else None
    return None


def _places(content: Any, wanted: str, pointer: str) -> Iterator[str]:
    """The JSON Pointers of the places in plain data, at `pointer`, that have this text."""
    if content == wanted:
        yield pointer
    elif isinstance(content, Mapping):
        for name, value in content.items():
            yield from _places(value, wanted, f"{pointer}/{str(name).replace('~', '~0').replace('/', '~1')}")
    elif isinstance(content, list):
        for place, value in enumerate(content):
            yield from _places(value, wanted, f"{pointer}/{place}")


def _same(said: Any, given: Any) -> bool:
    """Whether a refusal says what was given; lists are tuples inside."""
    return bool(tuple(given) == said if isinstance(given, list) and isinstance(said, tuple) else given == said)


def of_refusal(refusal: Refusal, **members: Any) -> Problem:
    """The problem of a refusal, with these further members."""
    match refusal:
        case GameOver():
            kind = "game-over"
            members["rule"] = refusal.rule
        case RuleBroken():
            kind = "rule-broken"
            members["rule"] = refusal.rule
        case CannotKeep():
            kind = "cannot-keep"
            members["action"] = name_of(refusal.standing.label)
        case NotYours():
            kind = "not-yours"
        case UnknownKind():
            kind = "unknown-kind"
        case NeedsDraw():
            kind = "draw-needed"
        case Malformed() if "kind" not in members:
            kind = "invalid-request"
        case _:
            kind = "invalid-parameters"
    return Problem(kind, refusal.en, refusal.fr, **members)


def would_spread(refusal: WouldSpread, preview: Preview) -> Problem:
    """The problem of a correction that would change later actions, with its preview."""
    return Problem("would-spread", refusal.en, refusal.fr, preview=preview)


def not_found(en: str, fr: str) -> Problem:
    """The problem of an address where the caller sees nothing, whether or not something is there."""
    return Problem("not-found", en, fr)


def unknown_game(game: str) -> Problem:
    """The problem of a game id that does not exist."""
    return Problem("unknown-game", f"there is no game {game!r}", f"il n'y a pas de partie {game!r}")


pages = Blueprint("problems", __name__)


@pages.get("/problems/<kind>")
def page(kind: str) -> Response:
    """The page that explains a type of problem."""
    found = KINDS.get(kind)
    if found is None:
        raise not_found(f"there is no problem type {kind!r}", f"il n'y a pas de type de problème {kind!r}")
    spoken = language()
    title = html.escape(found.title[spoken])
    meaning = html.escape(found.meaning[spoken])
    text = (
        f'<!doctype html><html lang="{spoken}"><meta charset="utf-8"><title>{title}</title>'
        f"<h1>{title}</h1><p>{meaning}</p><p>HTTP {found.status}</p></html>\n"
    )
    response = Response(text, content_type="text/html; charset=utf-8")
    response.headers["Content-Language"] = spoken
    response.headers["Vary"] = "Accept-Language"
    return response

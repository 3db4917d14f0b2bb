"""Problem answers (RFC 9457). This module alone turns exceptions into HTTP errors.

A problem's type is the path of a short page about the problem. A problem never holds data hidden from the
caller, and the log never holds tokens or parameters.
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
from ledger.kernel.deciding.plan import CannotKeep, CorrectionSpreads
from ledger.kernel.facts.labels import name_of
from ledger.kernel.facts.refusals import GameOver, Malformed, NeedsDraw, NotYours, Refusal, RuleBroken, UnknownKind
from ledger.kernel.facts.state import State
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.faces.editions import pointer_at
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.history.preview_views import Preview
from ledger.reading.moves.needs import NeedView

log = logging.getLogger("mabligop.api")


PROBLEM_JSON = "application/problem+json"


RETRY_SECONDS = 1


READING_METHODS = {"GET", "HEAD", "OPTIONS"}


NO_SEAT = Phrase("no seat of this game", "aucun siège de cette partie")
"""The detail for a parameter with an unknown seat."""


class ReportedLimit(NamedTuple):
    """A limit of requests, as written in the headers `RateLimit-Policy` and `RateLimit`."""

    policy: str
    remaining: str


def reported_limits() -> list[ReportedLimit]:
    """Return the list of request limits for the headers of the current answer."""
    limits: list[ReportedLimit] = g.setdefault("limits", [])
    return limits


class Problem(Exception):  # noqa: N818 - RFC 9457 calls it so
    """An error to answer with: a kind, a detail in English and French, and further members of the answer.

    The `detail` of each of its `errors` is a text, or a phrase in both languages. `quota` is the
    exceeded limit of requests.
    """

    def __init__(
        self,
        kind: str,
        en: str,
        fr: str,
        /,
        *,
        headers: Sequence[tuple[str, str]] = (),
        quota: ReportedLimit | None = None,
        **members: Any,
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.detail = Phrase(en, fr)
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
        reported_limits().append(problem.quota)
    content = {
        "type": type_of(problem.kind),
        "title": kind.title.in_language(spoken),
        "status": kind.status,
        "detail": problem.detail.in_language(spoken),
        **members,
    }
    response = Response(msgspec.json.encode(content), kind.status, content_type=PROBLEM_JSON)
    response.headers.extend(problem.headers)
    response.headers["Content-Language"] = spoken
    response.headers["Vary"] = "Authorization, Accept-Language"
    response.headers["Cache-Control"] = "no-store"
    return response


def _in_language(row: Mapping[str, Any], spoken: Language) -> Mapping[str, Any]:
    """Choose the detail of an error in the caller's language."""
    detail = row.get("detail")
    return {**row, "detail": detail.in_language(spoken)} if isinstance(detail, Phrase) else row


def type_of(kind: str) -> str:
    """Return the URI reference for a kind of problem."""
    return f"/problems/{kind}"


def of_refused_action(
    refusal: Refusal,
    rulebook: Rulebook[Any],
    kind: str,
    *,
    needs: Sequence[NeedView] = (),
    params: Mapping[str, Any] = MappingProxyType({}),
    seat: str | None = None,
    state: State | None = None,
) -> Problem:
    """Build the problem for a refused action, with the action's kind and the rules behind the refusal.

    `rules` are the broken rule and the rules under it; empty if no rule was broken. The broken rule comes with
    its title and text from the register. `needs` are the missing draws. `params` and `seat` are these members
    of the body: the problem points to the member named by the refusal. The text of the rule has the values of the
    settings of the `state`.
    """
    if kind not in rulebook.actions:
        return of_refusal(refusal, **({"pointer": "/kind"} if isinstance(refusal, UnknownKind) else {}))
    if needs:
        return of_refusal(refusal, kind=kind, rules=[], needs=list(needs))
    members: dict[str, Any] = {}
    if isinstance(refusal, RuleBroken):
        members |= _rule_members(refusal.rule, rulebook, state)
    pointer = _pointer(refusal, params, seat)
    if pointer is not None:
        members["pointer"] = pointer
    cited = (refusal.rule, *refusal.also_cited) if isinstance(refusal, RuleBroken) else ()
    rules = dict.fromkeys(ground for rule in cited for ground in rulebook.register.grounds(rule))
    return of_refusal(refusal, kind=kind, rules=list(rules), **members)


def _rule_members(rule: str, rulebook: Rulebook[Any], state: State | None) -> dict[str, str]:
    """Return the title and the text of a rule in the caller's language, or nothing for an unregistered rule."""
    text = rulebook.rule(rule, language(), state)
    return {} if text is None else {"rule_title": text.title, "rule_text": text.requires}


def _pointer(refusal: Refusal, params: Mapping[str, Any], seat: str | None) -> str | None:
    """Return a JSON Pointer (RFC 6901) to the member of the body at fault, if the refusal names one.

    An unknown seat is searched for in all parameters. Otherwise the member is the only parameter named by the
    refusal with its value. A refusal that names the amount points to the amount.
    """
    values = refusal.values
    # A value absent from the sentence may be hidden from the caller.
    mentioned = {name: value for name, value in params.items() if name in values and refusal.says(name)}
    named = [name for name, value in mentioned.items() if value is not None and _same(values[name], value)]
    if "amount" in named:
        named = ["amount"]
    if len(named) == 1:
        return pointer_at("/params", named[0])
    stranger = values.get("seat")
    if not named and isinstance(stranger, str) and stranger not in values.get("seats", (stranger,)):
        pointers = list(_places(params, stranger, "/params"))
        if len(pointers) == 1:
            return pointers[0]
    if seat is not None and not named and isinstance(refusal, Malformed | NotYours):
        return "/seat" if seat in (values.get("seat"), values.get("other")) else None
    return None


def _places(content: Any, text: str, pointer: str) -> Iterator[str]:
    """Yield a JSON Pointer to every occurrence of a text in plain data located at `pointer`."""
    if content == text:
        yield pointer
    elif isinstance(content, Mapping):
        for name, value in content.items():
            yield from _places(value, text, pointer_at(pointer, name))
    elif isinstance(content, list):
        for index, value in enumerate(content):
            yield from _places(value, text, f"{pointer}/{index}")


def _same(refused: Any, sent: Any) -> bool:
    """Return True if a value in a refusal equals the value sent. Sent lists are tuples in refusals."""
    return bool(
        tuple(sent) == refused if isinstance(sent, list) and isinstance(refused, tuple) else sent == refused
    )


def of_refusal(refusal: Refusal, **members: Any) -> Problem:
    """Build the problem for a refusal, with further members."""
    match refusal:
        case GameOver():
            kind = "game-over"
            members["rule"] = refusal.rule
        case RuleBroken():
            kind = "rule-broken"
            members["rule"] = refusal.rule
        case CannotKeep():
            kind = "cannot-keep"
            members["action"] = name_of(refusal.timeline_entry.label)
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


def would_spread(refusal: CorrectionSpreads, preview: Preview) -> Problem:
    """Build the problem for a correction that would change later actions, with its preview."""
    return Problem("would-spread", refusal.en, refusal.fr, preview=preview)


def not_found(en: str, fr: str) -> Problem:
    """Build the problem for an address without visible content, whether hidden or absent."""
    return Problem("not-found", en, fr)


def unknown_game(game: str) -> Problem:
    """Build the problem for an unknown game id."""
    return Problem("unknown-game", f"there is no game {game!r}", f"il n'y a pas de partie {game!r}")


pages = Blueprint("problems", __name__)


@pages.get("/problems/<kind>")
def page(kind: str) -> Response:
    """Return the page about a type of problem."""
    known_kind = KINDS.get(kind)
    if known_kind is None:
        raise not_found(f"there is no problem type {kind!r}", f"il n'y a pas de type de problème {kind!r}")
    spoken = language()
    title = html.escape(known_kind.title.in_language(spoken))
    meaning = html.escape(known_kind.meaning.in_language(spoken))
    text = (
        f'<!doctype html><html lang="{spoken}"><meta charset="utf-8"><title>{title}</title>'
        f"<h1>{title}</h1><p>{meaning}</p><p>HTTP {known_kind.status}</p></html>\n"
    )
    response = Response(text, content_type="text/html; charset=utf-8")
    response.headers["Content-Language"] = spoken
    response.headers["Vary"] = "Accept-Language"
    return response

"""Problem answers (RFC 9457): the only place where exceptions become HTTP errors.

A problem's type is a path where the service serves a short page about it. A problem never holds anything that the
caller may not see, and the log never holds tokens or parameters.
"""

from __future__ import annotations

import html
import logging
import secrets
import traceback
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from flask import Blueprint, Flask, Response, g, request
from werkzeug.exceptions import HTTPException

from api.rest.problems.kinds import BY_STATUS, KINDS
from api.rest.problems.reasons import in_french
from api.rest.running.context import Language, language, the_ledger
from api.rest.running.exchanges import exchange
from ledger.acting.sharing import NotAsked, NotShared
from ledger.games.games import UnknownGame, UnknownRulebook
from ledger.games.queues import GameBusy
from ledger.kernel.deciding.plan import CannotKeep, WouldSpread
from ledger.kernel.dice.shared import Unrevealed
from ledger.kernel.facts.labels import name_of
from ledger.kernel.facts.refusals import GameOver, Malformed, NeedsDraw, NotYours, Refusal, RuleBroken, UnknownKind
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.history.previews import Preview
from ledger.reading.moves.needs import NeedView
from ledger.service import KeyExpired, KeyUsed, StaleVersion, TooBusy
from ledger.store.database.errors import (
    JournalDamaged,
    NotAsSigned,
    NothingWritten,
    NotMigrated,
    RecordRefused,
    StoreBusy,
    StoreUnavailable,
    Unwritable,
)

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


def _of_stale(stale: StaleVersion) -> Problem:
    asked = request.headers.get("If-Match", "")
    return Problem(
        "stale-version",
        f"the game is at version {stale.head}; If-Match asks for {asked}",
        f"la partie en est à la version {stale.head} ; If-Match demande {asked}",
        headers=[("ETag", f'W/"{stale.head}"')],
        version=stale.head,
    )


def _of_key(used: KeyUsed) -> Problem:
    key = request.headers.get("Idempotency-Key", "")
    return Problem(
        "key-reused",
        f"the idempotency key {key!r} was used before, for another request",
        f"la clé d'idempotence {key!r} a déjà servi, pour une autre requête",
    )


def _of_old_key(expired: KeyExpired) -> Problem:
    return Problem(
        "key-expired",
        "this request was performed under the same idempotency key more than a day ago, and its tokens are not"
        " shown again; for another one choose a new key",
        "cette requête a été faite sous la même clé d'idempotence il y a plus d'un jour, et ses jetons ne sont"
        " plus montrés ; pour une autre, choisissez une nouvelle clé",
    )


def _of_game(unknown: UnknownGame) -> Problem:
    return unknown_game(str(unknown.args[0]))


def _of_rulebook(unknown: UnknownRulebook) -> Problem:
    return Problem(
        "unknown-game",
        "this service does not have the game's rulebook",
        "ce service n'a pas le jeu de cette partie",
    )


def unknown_game(game: str) -> Problem:
    """The problem of a game id that does not exist."""
    return Problem("unknown-game", f"there is no game {game!r}", f"il n'y a pas de partie {game!r}")


def _of_record(refused: RecordRefused) -> Problem:
    # The database's own message quotes the refused value.
    return Problem(
        "invalid-request",
        "a value holds a character (NUL) or a number that cannot be kept",
        "une valeur contient un caractère (NUL) ou un nombre qui ne peut pas être conservé",
    )


_UNWRITABLE = {
    "disk-full": (
        "nothing can be written: the disk of the database is full",
        "rien ne peut être écrit : le disque de la base de données est plein",
    ),
    "read-only": (
        "nothing can be written: the database is read-only",
        "rien ne peut être écrit : la base de données est en lecture seule",
    ),
    "no-rights": (
        "nothing can be written: the service's role lacks a right; run `mabligop migrate`",
        "rien ne peut être écrit : il manque un droit au rôle du service ; lancez `mabligop migrate`",
    ),
}
"""What is said of each reason why nothing can be written."""


def _of_store(unavailable: StoreUnavailable) -> Problem:
    # Only the type is logged: the exception's message may name the database's host.
    exchange().cause = type(unavailable).__name__
    if isinstance(unavailable, NotMigrated):
        en = "the database does not have this version's tables: run `mabligop migrate`"
        fr = "la base de données n'a pas les tables de cette version : lancez `mabligop migrate`"
    elif isinstance(unavailable, Unwritable):
        en, fr = _UNWRITABLE[unavailable.why]
        retry = [("Retry-After", str(_RETRY_SECONDS))]
        return Problem("unavailable", en, fr, headers=retry, reason=unavailable.why)
    else:
        en, fr = "the database does not answer", "la base de données ne répond pas"
        if isinstance(unavailable, StoreBusy):
            en, fr = "the database is busy", "la base de données est occupée"
        if isinstance(unavailable, GameBusy):
            en, fr = "the game is busy", "la partie est occupée"
        if isinstance(unavailable, NothingWritten):
            en, fr = f"{en}; nothing was written", f"{fr} ; rien n'a été écrit"
        elif request.method not in _READING:
            en = f"{en}; an action may or may not have been written"
            fr = f"{fr} ; une action a pu être écrite ou non"
    return Problem("unavailable", en, fr, headers=[("Retry-After", str(_RETRY_SECONDS))])


def _of_damaged(damaged: JournalDamaged) -> Problem:
    log.error("game %s, action %d: the journal is damaged: %s", damaged.game_id, damaged.number, damaged.what)
    return Problem(
        "journal-damaged",
        f"the stored journal of this game is damaged at action {damaged.number}; nothing was written",
        f"le journal enregistré de cette partie est endommagé à l'action {damaged.number} ; rien n'a été écrit",
        action=damaged.number,
    )


def _of_unsigned(unlike: NotAsSigned) -> Problem:
    log.error("game %s: the journal is not as signed: %s", unlike.game_id, unlike.what)
    return Problem(
        "journal-not-as-signed",
        f"the stored journal of this game is not the one that was signed: {unlike.what}; nothing was written",
        "le journal enregistré de cette partie n'est pas celui qui a été signé :"
        f" {unlike.what} ; rien n'a été écrit",
    )


def _of_unshared(_: NotShared) -> Problem:
    return Problem(
        "dice-not-shared",
        "the seats of this game throw nothing together",
        "les sièges de cette partie ne lancent rien ensemble",
    )


def _of_unasked(unasked: NotAsked) -> Problem:
    return Problem(
        "throw-not-wanted",
        f"throw {unasked.throw} is not wanted; {unasked.made} throws were made",
        f"le lancer {unasked.throw} n'est pas demandé ; {unasked.made} lancers ont été faits",
        throw=unasked.throw,
        made=unasked.made,
    )


def _of_unrevealed(missing: Unrevealed) -> Problem:
    game = exchange().game
    players = the_ledger().games.open(game).setup.players if game else ()
    seats = ", ".join(player.name for player in players if player.seat in missing.seats)
    return Problem(
        "values-missing",
        f"no value for throw {missing.throw} came from {seats}: the table throws",
        f"aucune valeur pour le lancer {missing.throw} n'est venue de {seats} : la table lance",
        throw=missing.throw,
        seats=list(missing.seats),
    )


def _of_busy(busy: TooBusy) -> Problem:
    exchange().cause = type(busy).__name__
    en = "others act in this game all the time; nothing was written"
    fr = "d'autres agissent sans cesse dans cette partie ; rien n'a été écrit"
    return Problem("unavailable", en, fr, headers=[("Retry-After", str(_RETRY_SECONDS))])


def _of_http(error: HTTPException) -> Problem | Response:
    if error.code is None or error.code < 400:
        redirection = error.get_response(request.environ)
        return Response(redirection.get_data(), error.code, dict(redirection.headers))
    if error.code >= 500:
        return _of_fault(error)
    kind = BY_STATUS.get(error.code)
    if kind is None:
        kind = "bad-request"
    path = request.path
    headers = [(name, value) for name, value in error.get_headers() if name == "Allow"]
    match kind:
        case "not-found":
            return not_found(f"there is nothing at {path}", f"il n'y a rien à {path}")
        case "method-not-allowed":
            return Problem(
                kind,
                f"{path} does not answer to {request.method}",
                f"{path} ne répond pas à {request.method}",
                headers=headers,
            )
        case "too-large":
            limit = request.max_content_length
            return Problem(
                kind,
                f"a body may have {limit} bytes at most",
                f"un corps peut avoir au plus {limit} octets",
                limit=limit,
            )
        case "invalid-request":
            return _of_query(getattr(error, "data", {}).get("messages", {}))
    return Problem(kind, "the request cannot be read", "la requête est illisible")


def _of_query(messages: Mapping[str, Mapping[str, Sequence[str]]]) -> Problem:
    """The problem of a query, with each wrong parameter."""
    errors = []
    for name, reasons in messages.get("query", {}).items():
        detail = " ".join(map(str, reasons)), " ".join(in_french(str(reason)) for reason in reasons)
        errors.append({"parameter": name, "value": request.args.get(name, ""), "detail": detail})
    en = "; ".join(f"{row['parameter']} cannot be {row['value']!r}: {row['detail'][0]}" for row in errors)
    fr = "; ".join(f"{row['parameter']} ne peut pas être {row['value']!r} : {row['detail'][1]}" for row in errors)
    return Problem("invalid-request", en, fr, errors=errors)


def _of_fault(fault: Exception) -> Problem:
    """The problem of an unexpected failure. The log gets the place in the code, never the values."""
    incident = secrets.token_hex(8)
    original = getattr(fault, "original_exception", None) or fault
    frames = "".join(traceback.format_tb(original.__traceback__))
    route = request.url_rule.rule if request.url_rule is not None else "(no route)"
    cause = type(original).__name__
    told = {"incident": incident, "cause": cause}
    log.error("incident %s: %s in %s %s\n%s", incident, cause, request.method, route, frames, extra=told)
    exchange().incident, exchange().cause = incident, cause
    return Problem(
        "internal-error",
        f"the service failed; the incident is {incident}",
        f"le service a échoué ; l'incident est {incident}",
        incident=incident,
    )


_TRANSLATIONS = {
    StaleVersion: _of_stale,
    KeyUsed: _of_key,
    KeyExpired: _of_old_key,
    UnknownGame: _of_game,
    UnknownRulebook: _of_rulebook,
    Refusal: of_refusal,
    RecordRefused: _of_record,
    StoreUnavailable: _of_store,
    JournalDamaged: _of_damaged,
    NotAsSigned: _of_unsigned,
    TooBusy: _of_busy,
    NotShared: _of_unshared,
    NotAsked: _of_unasked,
    Unrevealed: _of_unrevealed,
    HTTPException: _of_http,
    Exception: _of_fault,
}


def register(app: Flask) -> None:
    """Answer every error of the application with a problem, and serve the page of every type."""
    app.register_error_handler(Problem, answer)
    for raised, translate in _TRANSLATIONS.items():
        app.register_error_handler(raised, _answering(translate))
    app.register_blueprint(pages)


def _answering(translate: Any) -> Any:
    def handle(error: Exception) -> Response:
        translated = translate(error)
        return answer(translated) if isinstance(translated, Problem) else translated

    return handle


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

"""The problems of exceptions: the only place where exceptions become HTTP errors."""

from __future__ import annotations

import secrets
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from api.rest.exchange.conditions import quoted
from api.rest.problems.kinds import BY_STATUS
from api.rest.problems.problems import (
    READING_METHODS,
    RETRY_SECONDS,
    Problem,
    answer,
    log,
    not_found,
    of_refusal,
    pages,
    unknown_game,
)
from api.rest.problems.reasons import in_french
from api.rest.running.context import the_ledger
from api.rest.running.exchanges import exchange
from ledger.acting.sharing import DiceNotShared, ThrowNotRequested
from ledger.games.games import GameExists, UnknownGame, UnknownRulebook
from ledger.games.queues import GameBusy
from ledger.kernel.dice.shared import ValuesNotRevealed
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.language.phrase import Phrase
from ledger.service import KeyExpired, KeyUsed, StaleVersion, TooBusy
from ledger.store.database.errors import (
    JournalDamaged,
    JournalNotAsSigned,
    NothingWritten,
    NotMigrated,
    RecordRefused,
    StoreBusy,
    StoreUnavailable,
    Unwritable,
)
from ledger.trust.logs import NoPlace


def _of_stale(stale: StaleVersion) -> Problem:
    required = request.headers.get("If-Match", "")
    return Problem(
        "stale-version",
        f"the game is at version {stale.head}; If-Match asks for {required}",
        f"la partie en est à la version {stale.head} ; If-Match demande {required}",
        headers=[("ETag", f'W/"{stale.head}"')],
        version=stale.head,
    )


def _of_key(used: KeyUsed) -> Problem:
    key = quoted(request.headers.get("Idempotency-Key", ""))
    return Problem(
        "key-reused",
        f"the idempotency key {key} was used before, for another request",
        f"la clé d'idempotence {key} a déjà servi, pour une autre requête",
    )


def _of_old_key(expired: KeyExpired) -> Problem:
    return Problem(
        "key-expired",
        "this request was performed under the same idempotency key more than a day ago, and its tokens are not"
        " shown again; for another one choose a new key",
        "cette requête a été faite sous la même clé d'idempotence il y a plus d'un jour, et ses jetons ne sont"
        " plus montrés ; pour une autre, choisissez une nouvelle clé",
    )


def _of_taken_id(there: GameExists) -> Problem:
    """Build the problem for a new game with the id of another game. A repeated request draws another id."""
    exchange().cause = type(there).__name__
    return Problem(
        "unavailable",
        f"game {there.game} exists already, and the new game was given its id; nothing was written",
        f"la partie {there.game} existe déjà, et la nouvelle partie a reçu son identifiant ; rien n'a été écrit",
        headers=[("Retry-After", str(RETRY_SECONDS))],
    )


def _of_game(unknown: UnknownGame) -> Problem:
    return unknown_game(str(unknown.args[0]))


def _of_rulebook(unknown: UnknownRulebook) -> Problem:
    return Problem(
        "unknown-game",
        "this service does not have the game's rulebook",
        "ce service n'a pas le jeu de cette partie",
    )


def _of_record(refused: RecordRefused) -> Problem:
    # The database's own message quotes the refused value.
    return Problem(
        "invalid-request",
        "a value holds a character (NUL) or a number that cannot be kept",
        "une valeur contient un caractère (NUL) ou un nombre qui ne peut pas être conservé",
    )


_UNWRITABLE = {
    "disk-full": Phrase(
        "nothing can be written: the disk of the database is full",
        "rien ne peut être écrit : le disque de la base de données est plein",
    ),
    "read-only": Phrase(
        "nothing can be written: the database is read-only",
        "rien ne peut être écrit : la base de données est en lecture seule",
    ),
    "no-rights": Phrase(
        "nothing can be written: the service's role lacks a right; run `mabligop migrate`",
        "rien ne peut être écrit : il manque un droit au rôle du service ; lancez `mabligop migrate`",
    ),
}
"""The sentences for each reason why the database is not writable."""


def _of_store(unavailable: StoreUnavailable) -> Problem:
    # Only the type is logged: the exception's message may name the database's host.
    exchange().cause = type(unavailable).__name__
    if isinstance(unavailable, NotMigrated):
        why = Phrase(
            "the database does not have this version's tables: run `mabligop migrate`",
            "la base de données n'a pas les tables de cette version : lancez `mabligop migrate`",
        )
    elif isinstance(unavailable, Unwritable):
        why = _UNWRITABLE[unavailable.why]
        retry = [("Retry-After", str(RETRY_SECONDS))]
        return Problem("unavailable", why.en, why.fr, headers=retry, reason=unavailable.why)
    else:
        why = Phrase("the database does not answer", "la base de données ne répond pas")
        if isinstance(unavailable, StoreBusy):
            why = Phrase("the database is busy", "la base de données est occupée")
        if isinstance(unavailable, GameBusy):
            why = Phrase("the game is busy", "la partie est occupée")
        if isinstance(unavailable, NothingWritten):
            why = Phrase(f"{why.en}; nothing was written", f"{why.fr} ; rien n'a été écrit")
        elif request.method not in READING_METHODS:
            why = Phrase(
                f"{why.en}; an action may or may not have been written",
                f"{why.fr} ; une action a pu être écrite ou non",
            )
    return Problem("unavailable", why.en, why.fr, headers=[("Retry-After", str(RETRY_SECONDS))])


def _of_damaged(damaged: JournalDamaged) -> Problem:
    log.error("game %s, action %d: the journal is damaged: %s", damaged.game_id, damaged.number, damaged.reason)
    return Problem(
        "journal-damaged",
        f"the stored journal of this game is damaged at action {damaged.number}; nothing was written",
        f"le journal enregistré de cette partie est endommagé à l'action {damaged.number} ; rien n'a été écrit",
        action=damaged.number,
    )


def _of_unsigned(unlike: JournalNotAsSigned) -> Problem:
    log.error("game %s: the journal is not as signed: %s", unlike.game_id, unlike.reason)
    return Problem(
        "journal-not-as-signed",
        f"the stored journal of this game is not the one that was signed: {unlike.reason}; nothing was written",
        "le journal enregistré de cette partie n'est pas celui qui a été signé :"
        f" {unlike.reason} ; rien n'a été écrit",
    )


def _of_unshared(_: DiceNotShared) -> Problem:
    return Problem(
        "dice-not-shared",
        "the seats of this game throw nothing together",
        "les sièges de cette partie ne lancent rien ensemble",
    )


_PLACES = {
    "game": Phrase("a game has at most {} witnesses", "une partie a au plus {} témoins"),
    "token": Phrase("your token brings at most {} witnesses", "votre jeton apporte au plus {} témoins"),
    "spectators": Phrase(
        "all spectators together bring at most {} witnesses", "tous les spectateurs apportent au plus {} témoins"
    ),
}
"""The sentences for each bound on witnesses."""


def _of_full(full: NoPlace) -> Problem:
    bound = _PLACES[full.whose]
    return Problem("no-place", bound.en.format(full.limit), bound.fr.format(full.limit), limit=full.limit)


def _of_unasked(unasked: ThrowNotRequested) -> Problem:
    return Problem(
        "throw-not-wanted",
        f"throw {unasked.throw} is not wanted; {unasked.throw_count} throws were made",
        f"le lancer {unasked.throw} n'est pas demandé ; {unasked.throw_count} lancers ont été faits",
        throw=unasked.throw,
        made=unasked.throw_count,
    )


def _of_unrevealed(missing: ValuesNotRevealed) -> Problem:
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
    return Problem("unavailable", en, fr, headers=[("Retry-After", str(RETRY_SECONDS))])


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
    """Build the problem for a query, with each wrong parameter."""
    errors: list[dict[str, Any]] = []
    for name, reasons in messages.get("query", {}).items():
        detail = Phrase(" ".join(map(str, reasons)), " ".join(in_french(str(reason)) for reason in reasons))
        errors.append({"parameter": name, "value": request.args.get(name, ""), "detail": detail})
    en = "; ".join(f"{row['parameter']} cannot be {row['value']!r}: {row['detail'].en}" for row in errors)
    fr = "; ".join(f"{row['parameter']} ne peut pas être {row['value']!r} : {row['detail'].fr}" for row in errors)
    return Problem("invalid-request", en, fr, errors=errors)


def _of_fault(fault: Exception) -> Problem:
    """Build the problem for an unexpected failure. The log gets the position in the code, never the values."""
    incident = secrets.token_hex(8)
    original = getattr(fault, "original_exception", None) or fault
    frames = "".join(traceback.format_tb(original.__traceback__))
    route = request.url_rule.rule if request.url_rule is not None else "(no route)"
    cause = type(original).__name__
    fields = {"incident": incident, "cause": cause}
    log.error("incident %s: %s in %s %s\n%s", incident, cause, request.method, route, frames, extra=fields)
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
    GameExists: _of_taken_id,
    UnknownGame: _of_game,
    UnknownRulebook: _of_rulebook,
    Refusal: of_refusal,
    RecordRefused: _of_record,
    StoreUnavailable: _of_store,
    JournalDamaged: _of_damaged,
    JournalNotAsSigned: _of_unsigned,
    TooBusy: _of_busy,
    DiceNotShared: _of_unshared,
    NoPlace: _of_full,
    ThrowNotRequested: _of_unasked,
    ValuesNotRevealed: _of_unrevealed,
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

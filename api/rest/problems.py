"""Every error, as a problem answer (RFC 9457): the one place where exceptions become HTTP.

A problem's type is a path that the service itself serves as a short page. Nothing that the caller may not see goes
into a problem, and neither tokens nor parameters go into the log.
"""

from __future__ import annotations

import html
import logging
import secrets
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from flask import Blueprint, Flask, Response, request
from werkzeug.exceptions import HTTPException

from api.rest.context import Language, language
from ledger.games.games import UnknownGame
from ledger.kernel.history.corrections import CannotKeep, WouldSpread
from ledger.kernel.refusals import (
    GameOver,
    Malformed,
    NeedsDraw,
    NotYours,
    Refusal,
    RuleBroken,
    UnknownKind,
)
from ledger.kernel.rulebook import Rulebook
from ledger.reading.previews import Preview
from ledger.service import KeyUsed, StaleVersion, TooBusy
from ledger.store.errors import NotMigrated, RecordRefused, StoreUnavailable

log = logging.getLogger("mabligop.api")

PROBLEM_JSON = "application/problem+json"
_RETRY_SECONDS = 1


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its status, and its title and meaning in each language."""

    status: int
    title: Mapping[Language, str]
    meaning: Mapping[Language, str]


def _kind(status: int, en: str, fr: str, means: str, signifie: str) -> Kind:
    return Kind(status, {"en": en, "fr": fr}, {"en": means, "fr": signifie})


KINDS: dict[str, Kind] = {
    "malformed-json": _kind(
        400,
        "The body is not JSON",
        "Le corps n'est pas du JSON",
        "The body of the request must be one JSON value in UTF-8 (RFC 8259).",
        "Le corps de la requête doit être une valeur JSON en UTF-8 (RFC 8259).",
    ),
    "bad-request": _kind(
        400,
        "The request cannot be read",
        "La requête est illisible",
        "A header or another part of the request does not have the form that HTTP or this service gives it.",
        "Un en-tête ou une autre partie de la requête n'a pas la forme que HTTP ou ce service lui donne.",
    ),
    "token-missing": _kind(
        401,
        "A token is needed",
        "Il faut un jeton",
        "Send the token you were given: Authorization: Bearer <token>.",
        "Envoyez le jeton qui vous a été remis : Authorization: Bearer <jeton>.",
    ),
    "token-unknown": _kind(
        401,
        "The token is not in force",
        "Le jeton n'est pas en vigueur",
        "The token was never issued, or it was revoked or replaced since.",
        "Le jeton n'a jamais été émis, ou il a été révoqué ou remplacé depuis.",
    ),
    "foreign-token": _kind(
        403,
        "The token belongs to another game",
        "Le jeton appartient à une autre partie",
        "A token opens one game only.",
        "Un jeton n'ouvre qu'une seule partie.",
    ),
    "not-yours": _kind(
        403,
        "Your seat may not do this",
        "Votre siège ne peut pas faire cela",
        "The token is in force, but its role or seat may not ask for this.",
        "Le jeton est en vigueur, mais son rôle ou son siège ne permet pas cette demande.",
    ),
    "not-found": _kind(
        404,
        "There is nothing here",
        "Il n'y a rien ici",
        "Nothing is found at this address, or nothing that you may see.",
        "Rien ne se trouve à cette adresse, ou rien que vous puissiez voir.",
    ),
    "unknown-game": _kind(
        404,
        "There is no such game",
        "Cette partie n'existe pas",
        "No game has this id.",
        "Aucune partie ne porte cet identifiant.",
    ),
    "unknown-rulebook": _kind(
        404,
        "There is no such rulebook",
        "Ce jeu de règles n'existe pas",
        "The service does not know a game of this name; /rulebooks lists those it knows.",
        "Le service ne connaît pas de jeu de ce nom ; /rulebooks donne ceux qu'il connaît.",
    ),
    "method-not-allowed": _kind(
        405,
        "The method is not allowed here",
        "Cette méthode n'est pas permise ici",
        "The resource exists but does not answer to this method; the Allow header lists those it does.",
        "La ressource existe mais ne répond pas à cette méthode ; l'en-tête Allow donne celles qu'elle accepte.",
    ),
    "game-over": _kind(
        409,
        "The game is over",
        "La partie est terminée",
        "A game that has ended is played no more: it can be read, disputed and corrected.",
        "Une partie terminée ne se joue plus : elle peut être lue, contestée et corrigée.",
    ),
    "rule-broken": _kind(
        409,
        "A rule forbids it",
        "Une règle l'interdit",
        "The action breaks the rule named in `rule`. Nothing was written. `rules` are that rule and those it "
        "rests on.",
        "L'action enfreint la règle nommée dans `rule`. Rien n'a été écrit. `rules` sont cette règle et celles "
        "sur lesquelles elle repose.",
    ),
    "would-spread": _kind(
        409,
        "Later actions would change",
        "Des actions ultérieures changeraient",
        "With the cascade `refuse` a correction is accepted only if nothing later changes. `preview` is what it"
        " would come to: choose to restate the later actions, or to keep them as they are.",
        "Avec la cascade `refuse`, une correction n'est acceptée que si rien d'ultérieur ne change. `preview` dit"
        " ce qu'elle donnerait : choisissez de rejouer les actions ultérieures (restate) ou de les garder (keep).",
    ),
    "cannot-keep": _kind(
        409,
        "A later action cannot be kept",
        "Une action ultérieure ne peut pas être gardée",
        "With the cascade `keep` later actions stand as they were recorded; `action` names the first one that"
        " could not.",
        "Avec la cascade `keep`, les actions ultérieures restent telles qu'enregistrées ; `action` nomme la"
        " première qui ne le pourrait pas.",
    ),
    "own-token": _kind(
        409,
        "You cannot revoke the token you are using",
        "Vous ne pouvez pas révoquer le jeton que vous utilisez",
        "The game would be left without a banker. Replace the token instead.",
        "La partie n'aurait plus de banquier. Remplacez plutôt le jeton.",
    ),
    "stale-version": _kind(
        412,
        "The game has moved on",
        "La partie a avancé",
        "If-Match names a version of the game that is not the newest. Read the game again and decide anew.",
        "If-Match désigne une version de la partie qui n'est plus la dernière. Relisez la partie et redécidez.",
    ),
    "too-large": _kind(
        413,
        "The body is too large",
        "Le corps est trop grand",
        "The body of the request is larger than the service accepts.",
        "Le corps de la requête dépasse ce que le service accepte.",
    ),
    "unsupported-media-type": _kind(
        415,
        "The body must be JSON",
        "Le corps doit être du JSON",
        "Send the body as application/json.",
        "Envoyez le corps en application/json.",
    ),
    "invalid-request": _kind(
        422,
        "The request does not have the right shape",
        "La requête n'a pas la bonne forme",
        "`errors` names each field or parameter that is wrong, and its value.",
        "`errors` nomme chaque champ ou paramètre fautif, et sa valeur.",
    ),
    "invalid-parameters": _kind(
        422,
        "The action's parameters are not right",
        "Les paramètres de l'action ne conviennent pas",
        "The catalogue of actions holds the JSON Schema of the parameters of every kind.",
        "Le catalogue des actions contient le schéma JSON des paramètres de chaque sorte.",
    ),
    "unknown-kind": _kind(
        422,
        "The rulebook has no such action",
        "Ce jeu de règles n'a pas cette action",
        "The catalogue of actions lists the kinds there are.",
        "Le catalogue des actions donne les sortes qui existent.",
    ),
    "draw-needed": _kind(
        422,
        "Dice or cards are needed",
        "Il faut des dés ou des cartes",
        "Give the values that were thrown or drawn at the table with the parameters.",
        "Indiquez dans les paramètres les valeurs obtenues à la table.",
    ),
    "key-reused": _kind(
        422,
        "The idempotency key was used for another request",
        "La clé d'idempotence a servi à une autre requête",
        "A key stands for one request: repeat that very request, or choose a new key.",
        "Une clé vaut pour une seule requête : répétez exactement celle-ci, ou choisissez une autre clé.",
    ),
    "bad-cursor": _kind(
        422,
        "The cursor is not one of this list",
        "Le curseur n'est pas de cette liste",
        "Take cursors from the Link header or from the answer, and use them with the same list and order.",
        "Prenez les curseurs dans l'en-tête Link ou dans la réponse, pour la même liste et le même ordre.",
    ),
    "too-many-requests": _kind(
        429,
        "Too many requests",
        "Trop de requêtes",
        "Wait as many seconds as Retry-After says.",
        "Attendez le nombre de secondes qu'indique Retry-After.",
    ),
    "internal-error": _kind(
        500,
        "The service failed",
        "Le service a échoué",
        "It is not your fault, and it was logged under the incident given. Nothing was half written.",
        "Vous n'y êtes pour rien ; l'échec est consigné sous l'incident indiqué. Rien n'a été écrit à moitié.",
    ),
    "unavailable": _kind(
        503,
        "The service cannot answer now",
        "Le service ne peut pas répondre maintenant",
        "The database does not answer. Repeat the request, with the same idempotency key, after Retry-After"
        " seconds.",
        "La base de données ne répond pas. Répétez la requête, avec la même clé d'idempotence, après Retry-After"
        " secondes.",
    ),
}

_BY_STATUS = {
    400: "bad-request",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    415: "unsupported-media-type",
    422: "invalid-request",
    429: "too-many-requests",
}


class Problem(Exception):  # noqa: N818 - RFC 9457 calls it so
    """An error to be answered: the kind, the detail in English and French, and members added to the answer."""

    def __init__(
        self,
        kind: str,
        en: str,
        fr: str,
        /,
        *,
        headers: Sequence[tuple[str, str]] = (),
        **members: Any,
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.detail: dict[Language, str] = {"en": en, "fr": fr}
        self.headers = headers
        self.members = members


def answer(problem: Problem) -> Response:
    """The problem in the caller's language."""
    kind = KINDS[problem.kind]
    spoken = language()
    content = {
        "type": type_of(problem.kind),
        "title": kind.title[spoken],
        "status": kind.status,
        "detail": problem.detail[spoken],
        **problem.members,
    }
    response = Response(msgspec.json.encode(content), kind.status, content_type=PROBLEM_JSON)
    response.headers.extend(problem.headers)
    response.headers["Content-Language"] = spoken
    response.headers["Vary"] = "Authorization, Accept-Language"
    response.headers["Cache-Control"] = "no-store"
    return response


def type_of(kind: str) -> str:
    """The URI reference that identifies a kind of problem."""
    return f"/problems/{kind}"


def of_refused_action(refusal: Refusal, rulebook: Rulebook[Any], kind: str) -> Problem:
    """The problem of a refused action, with its kind and the rules it is refused by.

    `rules` are the rule that was broken and those it rests on; they are empty where no rule was broken.
    """
    if kind not in rulebook.actions:
        return of_refusal(refusal)
    rules = rulebook.register.grounds(refusal.rule) if isinstance(refusal, RuleBroken) else ()
    return of_refusal(refusal, kind=kind, rules=list(rules))


def of_refusal(refusal: Refusal, **members: Any) -> Problem:
    """The problem of a refusal, with these members besides its own."""
    match refusal:
        case RuleBroken():
            kind = "rule-broken"
            members["rule"] = refusal.rule
        case CannotKeep():
            kind = "cannot-keep"
            members["action"] = refusal.standing.name
        case NotYours():
            kind = "not-yours"
        case GameOver():
            kind = "game-over"
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
    """A correction that would change later actions, with what it would come to."""
    return Problem("would-spread", refusal.en, refusal.fr, preview=preview)


def not_found(en: str, fr: str) -> Problem:
    """Nothing is there, or nothing that the caller may see: the two look the same."""
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


def _of_game(unknown: UnknownGame) -> Problem:
    return unknown_game(str(unknown.args[0]))


def unknown_game(game: str) -> Problem:
    """There is no game of this id."""
    return Problem("unknown-game", f"there is no game {game!r}", f"il n'y a pas de partie {game!r}")


def _of_record(refused: RecordRefused) -> Problem:
    # The database's own reason quotes what it refused.
    return Problem(
        "invalid-request",
        "a value holds a character (NUL) or a number that cannot be kept",
        "une valeur contient un caractère (NUL) ou un nombre qui ne peut pas être conservé",
    )


def _of_store(unavailable: StoreUnavailable) -> Problem:
    # Its message may name the database's host.
    log.warning("the database is unavailable: %s", type(unavailable).__name__)
    if isinstance(unavailable, NotMigrated):
        en = "the database does not have this version's tables: run `mabligop migrate`"
        fr = "la base de données n'a pas les tables de cette version : lancez `mabligop migrate`"
    else:
        en = "the database does not answer; an action may or may not have been written"
        fr = "la base de données ne répond pas ; une action a pu être écrite ou non"
    return Problem("unavailable", en, fr, headers=[("Retry-After", str(_RETRY_SECONDS))])


def _of_busy(busy: TooBusy) -> Problem:
    en = "others act in this game all the time; nothing was written"
    fr = "d'autres agissent sans cesse dans cette partie ; rien n'a été écrit"
    return Problem("unavailable", en, fr, headers=[("Retry-After", str(_RETRY_SECONDS))])


def _of_http(error: HTTPException) -> Problem | Response:
    if error.code is None or error.code < 400:
        redirection = error.get_response(request.environ)
        return Response(redirection.get_data(), error.code, dict(redirection.headers))
    if error.code >= 500:
        return _of_fault(error)
    kind = _BY_STATUS.get(error.code)
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
    """What is wrong with the query, parameter by parameter."""
    errors = [
        {"parameter": name, "value": request.args.get(name, ""), "detail": " ".join(map(str, said))}
        for name, said in messages.get("query", {}).items()
    ]
    en = "; ".join(f"{row['parameter']} cannot be {row['value']!r}: {row['detail']}" for row in errors)
    fr = "; ".join(f"{row['parameter']} ne peut pas être {row['value']!r}" for row in errors)
    return Problem("invalid-request", en, fr, errors=errors)


def _of_fault(fault: Exception) -> Problem:
    """What nobody foresaw. The log gets where it happened, not the values it happened with."""
    incident = secrets.token_hex(8)
    original = getattr(fault, "original_exception", None) or fault
    frames = "".join(traceback.format_tb(original.__traceback__))
    route = request.url_rule.rule if request.url_rule is not None else "(no route)"
    log.error("incident %s: %s in %s %s\n%s", incident, type(original).__name__, request.method, route, frames)
    return Problem(
        "internal-error",
        f"the service failed; the incident is {incident}",
        f"le service a échoué ; l'incident est {incident}",
        incident=incident,
    )


_TRANSLATIONS = {
    StaleVersion: _of_stale,
    KeyUsed: _of_key,
    UnknownGame: _of_game,
    Refusal: of_refusal,
    RecordRefused: _of_record,
    StoreUnavailable: _of_store,
    TooBusy: _of_busy,
    HTTPException: _of_http,
    Exception: _of_fault,
}


def register(app: Flask) -> None:
    """Answer every error of the application as a problem, and serve the page of every type."""
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
    """What a type of problem means, for people."""
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

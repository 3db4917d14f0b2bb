"""Conditional requests (RFC 9110, 13): entity tags, If-Match, If-None-Match, and Idempotency-Key.

Every answer about a game has the game's head as its entity tag: W/"57-9f86d081884c-60303ae2". The parts are the
version, the beginning of the hash of the last entry, and the beginning of a hash of the program. A version
alone would be ambiguous after play continues from an older backup, or under a later program. The tag is weak,
because two seats get different bytes at equal versions. Tags of French and CSV answers end with "-fr" and
"-csv": a cached answer does not serve a request for another language or form. A write under If-Match depends on
the game's head, not on the bytes of an answer: If-Match accepts every tag of the head, and "57" for version 57
with any last entry.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from flask import Response, request

from api.rest.problems.problems import Problem
from api.rest.running.context import Language
from ledger.access.keys import is_guessable
from ledger.games.moments import Head
from ledger.games.snapshots import code_hash

_TAG = re.compile(r'(?:W/)?"([\x21\x23-\x7e\x80-\xff]*)"')
_LEAF, _CODE = 12, 8
"""The number of hex digits in an entity tag: of the hash of the last entry, and of the code."""
_VERSION = re.compile(rf"([0-9]{{1,18}})(?:-([0-9a-f]{{{_LEAF}}}))?(?:-[a-z0-9-]+)?")
_QUOTED = 8
_KEY = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?")

NO_VERSION = -1
"""The version of an entity tag without a version."""

VARY = "Authorization, Accept-Language, View-As"
"""The request headers on which an answer about a game depends."""
VARY_FORM = "Authorization, Accept, Accept-Language, View-As"
"""The request headers on which an answer in JSON or CSV depends."""


class NotModified(Exception):  # noqa: N818 - an answer, not a fault
    """The caller already has the newest version. The API answers with 304."""

    def __init__(self, etag: str, vary: str) -> None:
        super().__init__(etag)
        self.etag = etag
        self.vary = vary


class Expected(NamedTuple):
    """A head listed by If-Match: a version and, if given, the beginning of the hash of the last entry."""

    version: int
    leaf: str | None

    def fits(self, head: Head) -> bool:
        """Return True if a head matches."""
        return self.version == head.version and self.leaf in {None, _leaf(head)}


def _leaf(head: Head) -> str | None:
    return None if head.leaf is None else head.leaf.hex()[:_LEAF]


def etag_of(head: Head, spoken: Language, *, csv: bool = False, due: int = 0) -> str:
    """Return the entity tag of an answer about a game at its head, in a language, as JSON or CSV.

    `due` is the number of actions due by time: such actions change the answer without a new version.
    """
    leaf = _leaf(head)
    marks = [
        str(head.version),
        *([] if leaf is None else [leaf, code_hash("ledger", "replays", "api.rest")[:_CODE]]),
    ]
    marks += [*(["fr"] if spoken == "fr" else []), *(["csv"] if csv else []), *([f"due{due}"] if due else [])]
    marks += ["continued"] if head.continued else []
    # One browser asks with and without the header, and its cache takes an equal tag for the same answer.
    marks += ["spectator"] if "HTTP_VIEW_AS" in request.environ else []
    return f'W/"{"-".join(marks)}"'


def require_change(etag: str, vary: str = VARY) -> None:
    """Raise NotModified if the caller already has the answer with this entity tag."""
    header = request.environ.get("HTTP_IF_NONE_MATCH")
    if header is None:
        return
    if header.strip() == "*" or etag.removeprefix("W/").strip('"') in _TAG.findall(header):
        raise NotModified(etag, vary)


def unchanged(same: NotModified) -> Response:
    """Answer 304 to a caller with the newest answer."""
    response = Response(status=304)
    response.headers["ETag"] = same.etag
    response.headers["Vary"] = same.vary
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def heads_expected() -> frozenset[Expected] | None:
    """Return the heads listed by If-Match, or None for any head. A write requires a listed head to be the
    newest.

    Raises Problem (400) if the If-Match header is not a list of entity tags.
    """
    header = request.environ.get("HTTP_IF_MATCH")
    if header is None or header.strip() == "*":
        return None
    tags = _TAG.findall(header)
    if not tags or any(part.strip(" \t") not in {"", "*"} for part in _TAG.sub("*", header).split(",")):
        raise Problem(
            "bad-request",
            f'If-Match takes entity tags like "57", not {header!r}',
            f'If-Match demande des étiquettes comme "57", pas {header!r}',
        )
    named = (_VERSION.fullmatch(tag) for tag in tags)
    return frozenset(
        Expected(NO_VERSION, None) if version is None else Expected(int(version[1]), version[2])
        for version in named
    )


def idempotency_key() -> str | None:
    """Return the Idempotency-Key, with which the request is safe to repeat, or None.

    Raises Problem (400) unless the key has 1 to 255 printable ASCII characters.
    """
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and _KEY.fullmatch(key) is None:
        raise Problem(
            "bad-request",
            f"Idempotency-Key takes 1 to 255 printable ASCII characters, not {quoted(key)}",
            f"Idempotency-Key demande 1 à 255 caractères ASCII imprimables, pas {quoted(key)}",
        )
    return key


def unguessable_key() -> str | None:
    """Return the Idempotency-Key of a request whose answer holds a token or a code, or None.

    Whoever repeats such a request with its key gets the answer, so the key is a secret. Raises Problem (400) for
    a key that is no header, or that somebody could guess (`ledger.access.keys`).
    """
    key = idempotency_key()
    if key is not None and is_guessable(key):
        raise Problem(
            "bad-request",
            f"the Idempotency-Key {quoted(key)} is too easy to guess, and whoever repeats it gets the secrets of"
            " the answer: send 32 random hexadecimal digits (openssl rand -hex 16), a UUID of version 4, or 22"
            " random characters of base64url",
            f"la clé Idempotency-Key {quoted(key)} est trop facile à deviner, et qui la répète reçoit les secrets"
            " de la réponse : envoyez 32 chiffres hexadécimaux tirés au hasard (openssl rand -hex 16), un UUID de"
            " version 4, ou 22 caractères base64url tirés au hasard",
        )
    return key


def quoted(key: str) -> str:
    """Quote an idempotency key in a problem: its beginning alone, because problems end up in logs of clients."""
    return repr(key if len(key) <= _QUOTED else f"{key[:_QUOTED]}…")

"""Answers of the API as texts that can be compared between two games."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from io import BytesIO
from tempfile import NamedTemporaryFile
from urllib.parse import parse_qsl, unquote, urlsplit
from zipfile import ZipFile

import duckdb
from werkzeug.test import TestResponse

_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00(?::00)?)?")
_HASH = re.compile(
    r"\b[0-9a-f]{64}\b"
    r"|(?<=\+)[0-9a-f]{8}\+[A-Za-z0-9+/]{44}(?![A-Za-z0-9+/=])"  # a key's id and the key, under the name of a game
    r"|(?:(?<=\\n)|(?<![A-Za-z0-9+/]))[A-Za-z0-9+/]{43}=(?![A-Za-z0-9+/=])"  # a root, or a hash of a proof
    r"|\N{EM DASH} \S+ [A-Za-z0-9+/]{91}=(?![A-Za-z0-9+/=])"  # the signature of a checkpoint
    r'|(?<="salt":")[0-9a-f]{32}(?=")'
    r'|(?<=W/"checkpoint-)[0-9a-f]{16}(?=")'
    r'|(?<=-)[0-9a-f]{12}(?=-[0-9a-f]{8}[-"])'  # the last entry of a game in an entity tag
)
_EXTRA = re.compile(r"^extra ([A-Za-z0-9+/]+={0,2})$", re.MULTILINE)
"""The part of a receipt about the action."""
_OF_THE_REQUEST = frozenset({"x-request-id", "ratelimit"})
"""The headers about the single request, not about a game: its id, and the remaining number of requests."""
_CURSOR = re.compile(r'"(next|previous)":"([A-Za-z0-9_-]+)"')


def comparable(answer: TestResponse, own: Iterable[tuple[str, str]], ignored: frozenset[str]) -> str:
    """An answer without the values that differ between any two games, and without ignored headers.

    `own` are the ids and tokens of either game, each with its replacement.
    """
    headers = sorted(
        f"{name.lower()}: {_opened_link(value) if name == 'Link' else value}"
        for name, value in answer.headers
        if name.lower() not in ignored | _OF_THE_REQUEST
    )
    body = _CURSOR.sub(lambda found: f'"{found[1]}":{_opened(found[2])}', _text(answer.data))
    return anonymous("\n".join((str(answer.status_code), *headers, body)), own)


def anonymous(said: str, own: Iterable[tuple[str, str]]) -> str:
    """A text without the values that differ between any two games. `own` as in `comparable`."""
    for name, meant in own:
        said = said.replace(name, meant)
    return _HASH.sub("<hash>", _TIME.sub("<time>", said))


def _text(content: bytes) -> str:
    """The content of a file: a text, a table, or several files in a ZIP."""
    if content.startswith(b"PK"):
        with ZipFile(BytesIO(content)) as files:
            return "\n".join(
                name if name.startswith("tile/") else f"{name}\n{_text(files.read(name))}"
                for name in files.namelist()
            )
    if content.startswith(b"PAR1"):
        with NamedTemporaryFile(suffix=".parquet") as file:
            file.write(content)
            file.flush()
            table = duckdb.sql(f"SELECT COLUMNS(*)::VARCHAR FROM '{file.name}'")
            return "\n".join(map(str, (table.columns, table.types, *table.fetchall())))
    return _EXTRA.sub(lambda found: base64.b64decode(found[1]).decode(), content.decode())


def _opened_link(value: str) -> str:
    """A Link header with decoded cursors, so that their contents are compared."""

    def read(found: re.Match[str]) -> str:
        parts = urlsplit(found[1])
        query = [(name, _opened(text) if name == "cursor" else text) for name, text in parse_qsl(parts.query)]
        return f"<{unquote(parts.path)} {query}>"

    return re.sub(r"<([^>]*)>", read, value)


def _opened(cursor: str) -> str:
    """The content of a cursor."""
    try:
        return base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return cursor

"""HTTP requests of a command to a running service, and failures for its problems."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import msgspec

from api.command.terminal.failures import BadInput, Failure, NoAnswer, NoGame, capital

SHORT_WAIT = 30.0
"""Seconds to wait for a quick answer."""
_LONG_WAIT = 600.0
"""Seconds to wait for any answer: a long export, or a correction of a long history, may take minutes."""


class _Problem(msgspec.Struct, frozen=True):
    detail: str


@contextmanager
def client_of(
    url: str, token: str | None = None, language: str | None = None, *, wait: float = _LONG_WAIT
) -> Iterator[httpx.Client]:
    """Open an HTTP client of the service at a URL, with a token and a language.

    Raises NoAnswer if the service does not answer within `wait` seconds.
    """
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    if language is not None:
        headers["Accept-Language"] = language
    try:
        with httpx.Client(base_url=url, headers=headers, timeout=httpx.Timeout(SHORT_WAIT, read=wait)) as client:
            yield client
    except (httpx.HTTPError, httpx.InvalidURL) as fault:
        raise NoAnswer(f"No good answer from {url}: {fault}") from fault


def game_id(text: str) -> str:
    """Check that a text can be a game's id, a single segment of a path. Raises BadInput."""
    if not re.fullmatch(r"[A-Za-z0-9_-]+", text):
        raise BadInput(f"{text!r} is no game's id")
    return text


def failure_of(answer: httpx.Response) -> Failure:
    """Build the failure to raise for a problem in an answer."""
    try:
        detail = msgspec.json.decode(answer.read(), type=_Problem).detail
    except msgspec.DecodeError:
        return NoAnswer(f"What answers at {answer.url} is not this service")
    sentence = capital(detail)
    if answer.status_code in {401, 403, 404}:
        return NoGame(sentence)
    return BadInput(sentence) if answer.status_code == 422 else NoAnswer(sentence)

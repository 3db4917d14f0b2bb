"""Asking a running service from the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import msgspec

from api.command.terminal import BadInput, Failure, NoAnswer, NoGame


class _Problem(msgspec.Struct, frozen=True):
    detail: str


@contextmanager
def asking(url: str, token: str, language: str) -> Iterator[httpx.Client]:
    """A client of the service at a URL that asks as this token's holder, in a language.

    Raises NoAnswer when the service does not answer.
    """
    headers = {"Authorization": f"Bearer {token}", "Accept-Language": language}
    try:
        with httpx.Client(base_url=url, headers=headers, timeout=httpx.Timeout(30, read=600)) as client:
            yield client
    except (httpx.HTTPError, httpx.InvalidURL) as fault:
        raise NoAnswer(f"No good answer from {url}: {fault}") from fault


def segment(text: str) -> str:
    """A text as one segment of a path. Raises BadInput for what no game is called."""
    if not re.fullmatch(r"[A-Za-z0-9_-]+", text):
        raise BadInput(f"{text!r} is no game's id")
    return text


def refused(answer: httpx.Response) -> Failure:
    """What to raise for an answer that is none."""
    try:
        detail = msgspec.json.decode(answer.read(), type=_Problem).detail
    except msgspec.DecodeError:
        return NoAnswer(f"What answers at {answer.url} is not this service")
    said = f"{detail[:1].upper()}{detail[1:]}"
    if answer.status_code in {401, 403, 404}:
        return NoGame(said)
    return BadInput(said) if answer.status_code == 422 else NoAnswer(said)

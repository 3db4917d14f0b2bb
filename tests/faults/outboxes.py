"""A phone that comes back after days, and sends again what it had sent: it has heard no answer.

As the outbox of the console does (`api/console/src/game/outbox.svelte.ts`): the same body with the same key.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from random import Random
from typing import TYPE_CHECKING

import httpx

from tests.faults import clocks
from tests.faults.fault import Wrong
from tests.faults.players import API, Sent, Table, acknowledgement

if TYPE_CHECKING:
    from tests.faults.site import Site

_DAYS_SECONDS = 3 * 24 * 3600
_MOST = 30


@contextmanager
def replayed(site: Site, chance: Random) -> Iterator[None]:
    """The service is restarted, three days later, and the table has gone on."""
    with clocks.changed(site, _DAYS_SECONDS):
        if not site.wait_for_play(site.counts()["acknowledged"] + 5):
            raise Wrong("after the restart nobody could play")
        found: list[str] = []
        for table in site.tables:
            for sent in chance.sample(list(table.sent), min(_MOST, len(table.sent))):
                found += _sent_again(site, table, sent, chance)
        yield
    if found:
        raise Wrong("\n".join(found))


def _sent_again(site: Site, table: Table, sent: Sent, chance: Random) -> Iterator[str]:
    """What is wrong with the answers to a request that comes again, also under a condition or changed."""
    about = f"{sent.game}: {sent.body['kind']} ({sent.key}), sent again,"
    stale = {"If-Match": '"1"'}
    again = _post(site, table, sent, sent.key, stale if chance.random() < 0.3 else {})
    yield from wrong_again(about, again)
    if again.status_code != HTTPStatus.OK:
        return
    table.keep(sent, acknowledgement(sent.key, again.json()))
    if chance.random() < 0.3:
        new = _post(site, table, sent, f"{sent.key} anew", stale)
        if new.status_code != HTTPStatus.PRECONDITION_FAILED:
            yield f"{about} with a new key and an old version, was answered with {new.status_code}"
        other = _post(site, table, sent._replace(body={"kind": "end_game", "params": {}}), sent.key, {})
        if not other.is_client_error:
            yield f"{about} with another body, was answered with {other.status_code}"


def wrong_again(about: str, answer: httpx.Response) -> Iterator[str]:
    """What is wrong with the answer to the same request with the same key, at first sight."""
    if answer.status_code != HTTPStatus.OK:
        yield f"{about} was answered with {answer.status_code}: {answer.text[:200]}"
    elif answer.headers.get("Idempotent-Replayed") != "true":
        yield f"{about} was not answered as a repeated request"


def _post(site: Site, table: Table, sent: Sent, key: str, conditions: dict[str, str]) -> httpx.Response:
    headers = {"Authorization": f"Bearer {table.tokens[sent.game][sent.seat]}", "Idempotency-Key": key}
    return httpx.post(
        f"{site.host.url}{API}/games/{sent.game}/actions",
        json=sent.body,
        headers=headers | conditions,
        trust_env=False,
        timeout=site.patience,
    )

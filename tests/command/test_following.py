"""Following a game with the clients that the README shows, while the service is killed and started again."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import httpx
import pytest
from httpx_sse import SSEError, connect_sse

from tests.command.service import Service, create_game, sender

pytestmark = pytest.mark.xdist_group("command")

_README = Path(__file__).parents[2] / "api" / "README.md"
Told = tuple[str, Any]


def shown(language: str) -> str:
    """The README's client in a language."""
    found = re.search(
        rf"```{language}\n(.*?)```", _README.read_text().partition("## Following a game")[2], re.DOTALL
    )
    assert found is not None
    return found[1]


def python_client() -> Callable[[str, str], Iterator[Told]]:
    names: dict[str, Any] = {"httpx": httpx, "connect_sse": connect_sse, "SSEError": SSEError, "time": time}
    exec(shown("python"), names)  # noqa: S102 - it is the README's
    client: Callable[[str, str], Iterator[Told]] = names["follow"]
    return client


def test_nothing_is_lost_or_doubled_when_everything_is_killed(
    lay_home: Callable[[Path], Path], tmp_path: Path
) -> None:
    """Two workers and their database are killed between payments. The README's client has every entry once."""
    home = lay_home(tmp_path / "home")
    service = Service("--no-demo", "--workers", "2", "--home", home)
    told: Queue[Told] = Queue()
    try:
        with service.client() as client:
            game, tokens = create_game(client)
        url, port = f"{service.url}/api/v1/games/{game}", service.url.rpartition(":")[2]

        def follow() -> None:
            for one in python_client()(url, tokens["bob"]):
                told.put(one)

        def pay() -> int:
            with service.client() as client:
                entry = sender(client, game)(tokens["ana"], "transfer_money", {"to": "bob", "amount": 1})
            number = entry["number"]
            assert isinstance(number, int)
            return number

        Thread(target=follow, daemon=True).start()
        assert told.get(timeout=300)[0] == "presence"
        paid = [pay(), pay()]
        heard = _entries(told, 2)
        os.killpg(service.pid, signal.SIGKILL)
        service.kill()
        service = Service("--no-demo", "--home", home, "--port", port)
        paid += [pay(), pay()]
        heard += _entries(told, 2)
        assert heard == paid == list(range(7, 11))
    finally:
        assert service.stop() == 0


def _entries(told: Queue[Told], count: int) -> list[int]:
    """The numbers of the next entries that are told."""
    numbers: list[int] = []
    while len(numbers) < count:
        kind, content = told.get(timeout=300)
        if kind == "entry":
            numbers.append(content["number"])
    return numbers


_DRIVER = """
// In WebKit a stream cannot be iterated.
for (const name of [Symbol.asyncIterator, "values"]) delete ReadableStream.prototype[name];
const [game, token] = process.argv.slice(2);
follow(game, token, (event, data) => console.log(JSON.stringify([event, data.version ?? data.number])));
"""


def test_a_page_follows_a_game_until_its_token_is_revoked(service: Service, tmp_path: Path) -> None:
    """The README's JavaScript reads the state, a payment with its patch, and the end of its token."""
    script = tmp_path / "follow.mjs"
    script.write_text(shown("js") + _DRIVER)
    with service.client() as client:
        game, tokens = create_game(client)
        page = subprocess.Popen(
            ["node", script, f"{service.url}/api/v1/games/{game}", tokens["bob"]],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert page.stdout is not None
        lines = (json.loads(line) for line in page.stdout)
        assert [next(lines), next(lines)] == [["state", 6], ["presence", 6]]
        sender(client, game)(tokens["ana"], "transfer_money", {"to": "bob", "amount": 1})
        assert [next(lines), next(lines)] == [["entry", 7], ["state", 7]]
        banker = {"Authorization": f"Bearer {tokens['banker']}"}
        path = f"/api/v1/games/{game}/tokens"
        ids = client.get(path, headers=banker).json()["tokens"]
        mine = next(one["id"] for one in ids if one["seat"] == "bob")
        client.delete(f"{path}/{mine}", headers=banker).raise_for_status()
        assert next(lines)[0] == "closed"
        assert page.wait(300) == 0


def test_a_token_that_opens_nothing_ends_the_client(service: Service, tmp_path: Path) -> None:
    """Whoever mistypes a token hears of it, and the service is not asked again and again."""
    with service.client() as client:
        game, _ = create_game(client)
    url = f"{service.url}/api/v1/games/{game}"
    script = tmp_path / "follow.mjs"
    script.write_text(shown("js") + _DRIVER)
    page = subprocess.run(["node", script, url, "wrong"], capture_output=True, text=True, timeout=300, check=False)
    assert (page.returncode, page.stdout) == (1, "")
    assert "opens nothing here: 401" in page.stderr
    with pytest.raises(httpx.HTTPStatusError, match="401"):
        next(python_client()(url, "wrong"))

"""A short evening over HTTP, with any server, on any Postgres: what it has shown must be there after a restart."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.command.service import create_game, here, holdings, sender, trusted
from tests.crossing.followers import Follower
from tests.crossing.house import API

_ANSWER_SECONDS = 60
_FORMATS = ("jsonl", "csv", "parquet", "statements", "beancount", "hledger", "log", "html")


class Evening:
    """A game of Ana and Bob on the service at `url`; `key` is the service's own key, if the service has a key.

    Raises AssertionError with the first difference.
    """

    def __init__(self, url: str, key: str | None = None) -> None:
        self._key = key
        with self._client(url) as client:
            self.game, self._tokens = create_game(client)
        self._shown: Any = None

    def play(self, url: str, *, streams: bool = True) -> None:
        """Pay, correct a payment, follow by a stream, look at the pages, and write every export.

        A server without `streams` must say so.
        """
        follower = Follower(url, self.game, "bob", self._tokens["bob"], "en", 0)
        if streams:
            follower.start()
        try:
            with self._client(url) as client:
                send = sender(client, self.game)
                first = send(self._tokens["ana"], "transfer_money", {"to": "bob", "amount": 40})
                send(self._tokens["bob"], "transfer_money", {"to": "ana", "amount": 15})
                last = send(
                    self._tokens["banker"],
                    "correct",
                    {
                        "edits": [{"op": "drop", "action": first["number"]}],
                        "cascade": "restate",
                        "reason": "nobody owed the sum",
                    },
                )
                if streams:
                    assert follower.wait(int(str(last["number"]))), f"the stream stopped: {follower.last_fault}"
                    state = self._get(client, "state", "bob").json()
                    assert follower.state == state, "the stream, patched, is not the state"
                    assert not follower.faults, follower.faults
                else:
                    with pytest.raises(httpx.HTTPStatusError, match="503"):
                        self._get(client, "stream")
                for format_ in _FORMATS:
                    assert self._get(client, f"export?format={format_}").content, format_
                for page in ("/", "/docs", "/healthz", "/readyz", "/metrics"):
                    client.get(page).raise_for_status()
        finally:
            follower.leave()
        self._shown = self._reading(url)
        assert self._shown["accounts"]["player:bob"]["NGD"] + 30 == self._shown["accounts"]["player:ana"]["NGD"]

    def still(self, url: str) -> None:
        """The service at `url` shows what was shown before, also the key that signs the log."""
        reading = self._reading(url)
        for name, shown in self._shown.items():
            assert reading[name] == shown, f"{name}: {reading[name]}, not {shown}"

    def _reading(self, url: str) -> dict[str, Any]:
        with self._client(url) as client:
            return {
                "accounts": holdings(client, self.game, self._tokens["banker"]),
                "journal": self._get(client, "actions").json(),
                "key": self._get(client, "/api/v1/me").json()["log"]["key"],
            }

    def _get(self, client: httpx.Client, path: str, viewer: str = "banker") -> httpx.Response:
        """An answer about the game, or at a path of its own."""
        headers = {"Authorization": f"Bearer {self._tokens[viewer]}"}
        whole = path if path.startswith("/") else f"{API}/games/{self.game}/{path}"
        return client.get(whole, headers=headers).raise_for_status()

    def _client(self, url: str) -> httpx.Client:
        headers = {} if self._key is None else {"Authorization": f"Bearer {self._key}"}
        return httpx.Client(
            base_url=url, headers=headers, timeout=_ANSWER_SECONDS, verify=trusted(), trust_env=False
        )


def moved(old: Mapping[str, str], new: Mapping[str, str], home: Path) -> None:
    """Verify the journals of a database, back the database up, and restore the backup into an empty database.

    A database is the variables of the service for the database.
    """
    file = home / "backup.zip"
    for database, *words in (
        (old, "verify", "--decide"),
        (old, "backup", file),
        (new, "restore", file),
        (new, "verify", "--decide"),
    ):
        done = here(*words, MABLIGOP_HOME=str(home), MABLIGOP_BACKUP_PASSPHRASE="of an evening", **database)
        assert done.returncode == 0, f"mabligop {words[0]}: {done.stdout}{done.stderr}"

"""A client that overhears every stream of the games that it creates.

After each action it asks what the followers of the game would be told: every seat and a spectator, or the one of
them who is compared, in both languages, with states and moves. Two games that differ only in what is hidden from a
viewer must tell the same.
"""

from __future__ import annotations

import re
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.rest.running.context import EXTENSION, Service
from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.reading.table.following import GameFeed, Joining, Listening, Message

_CREATED = re.compile(r"^/api/v1/games$")
_IN_A_GAME = re.compile(r"^/api/v1/games/([^/]+)/")
LANGUAGES = ("en", "fr")


class OverhearingClient(FlaskClient):
    """Plays and listens. Use it as the class of a test client (`Flask.test_client_class`)."""

    bankers_listen = False
    """True if bankers are overheard as well: bankers who also play do not see everything."""
    only: str | None = None
    """The only seat (or `spectator`, or `banker`) overheard in the games created from now on."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._following: dict[str, GameFeed] = {}
        self._listening: dict[str, dict[str, list[Listening]]] = {}
        self._heard: dict[tuple[str, Listening], list[str]] = {}

    def open(self, *arguments: Any, **named: Any) -> TestResponse:
        """Send a request, and listen to what it makes the streams tell."""
        answer = super().open(*arguments, **named)
        request = answer.request
        if request.method != "POST" or answer.status_code != 201:
            return answer
        if _CREATED.match(request.path):
            self._begin(answer.json)
        elif (found := _IN_A_GAME.match(request.path)) is not None and found[1] in self._following:
            self._listen(found[1])
        return answer

    def _begin(self, created: Any) -> None:
        game, tokens = created["game"], created["tokens"]
        listeners = {seat: (token, Viewer("player", seat)) for seat, token in tokens["players"].items()}
        listeners["spectator"] = tokens["spectator"], SPECTATOR
        if self.bankers_listen:
            listeners["banker"] = tokens["banker"], BANKER
        viewers = dict([listeners[self.only]] if self.only else listeners.values())
        service: Service = self.application.extensions[EXTENSION]
        self._following[game] = GameFeed(service.ledger.games, service.ledger.clock, game)
        self._listening[game] = {
            token: [Listening(viewer, language, state=True, moves=True) for language in LANGUAGES]
            for token, viewer in viewers.items()
        }
        asked = [Joining(one, 0) for one in self._all(game)]
        for one, messages in zip(asked, self._following[game].poll([], asked).joined, strict=True):
            self._keep(game, one.listening, messages)

    def _listen(self, game: str) -> None:
        for one, messages in self._following[game].poll(self._all(game), []).changes.items():
            self._keep(game, one, messages)

    def _all(self, game: str) -> list[Listening]:
        return [one for listening in self._listening[game].values() for one in listening]

    def _keep(self, game: str, one: Listening, messages: tuple[Message, ...]) -> None:
        heard = self._heard.setdefault((game, one), [])
        heard += [f"{message.version} {message.kind} {message.content.decode()}" for message in messages]

    def forget(self, game: str) -> None:
        """Forget what was told so far: whoever was there when everything was revealed has seen it."""
        for listening in self._listening[game].values():
            for one in listening:
                self._heard[game, one].clear()
        # The next look tells everything anew, and not by what has changed since.
        service: Service = self.application.extensions[EXTENSION]
        self._following[game] = GameFeed(service.ledger.games, service.ledger.clock, game)

    def overheard(self, game: str, token: str) -> list[str]:
        """What the holder of a token was told while the game was played, and what a late-comer is told of it."""
        following, heard = self._following[game], []
        for one in self._listening[game][token]:
            heard += self._heard[game, one]
            for after in (0, None):
                (messages,) = following.poll([], [Joining(one, after)]).joined
                heard += [f"{message.version} {message.kind} {message.content.decode()}" for message in messages]
        return heard

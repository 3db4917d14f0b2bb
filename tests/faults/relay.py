"""A relay of TCP connections on the loopback address, where bytes can be held up or lost."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from random import Random

_PIECE_BYTES = 2**16
_RESENT_SECONDS = (0.2, 1.6)
"""How late bytes come of which a packet was lost once or several times (RFC 6298, in Linux)."""
_GONE = 0.02
"""Of so many lost packets the connection does not recover."""


class Relay:
    """Listens at `port`, and relays to another port. Without faults nothing is changed.

    `there` and `back` are the two directions: bytes wait while one is cleared. `loss` is the chance that a piece
    comes late, because a packet of it was lost.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port: int = self._listener.getsockname()[1]
        self.there, self.back = threading.Event(), threading.Event()
        self.loss = 0.0
        self._chance = Random(self.port)
        self.mend()
        threading.Thread(target=self._accept, daemon=True).start()

    def mend(self) -> None:
        """Let everything pass again."""
        self.loss = 0.0
        self.there.set()
        self.back.set()

    def close(self) -> None:
        """Take no more connections, and let the others end."""
        self._listener.close()
        self.mend()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._connect, args=(client,), daemon=True).start()

    def _connect(self, client: socket.socket) -> None:
        self.there.wait()
        try:
            server = socket.create_connection(("127.0.0.1", self._target))
        except OSError:
            client.close()
            return
        for one in (client, server):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=self._pass, args=(server, client, self.back), daemon=True).start()
        self._pass(client, server, self.there)

    def _pass(self, source: socket.socket, target: socket.socket, direction: threading.Event) -> None:
        """Pass pieces on until one end is closed; then the other end hears of it."""
        with suppress(OSError):
            while piece := source.recv(_PIECE_BYTES):
                if self.loss and self._chance.random() < self.loss:
                    if self._chance.random() < _GONE:
                        break
                    threading.Event().wait(self._chance.uniform(*_RESENT_SECONDS))
                direction.wait()
                target.sendall(piece)
        direction.wait()
        for one in (source, target):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

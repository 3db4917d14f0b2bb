"""Notice a proxy in front of the service that the settings do not name."""

from __future__ import annotations

import ipaddress
import logging
from functools import lru_cache

from api.front.asgi import Application, Receive, Scope, Send
from ledger.kernel.language.phrase import Phrase

log = logging.getLogger("mabligop.front")

_HEADERS = frozenset({b"x-forwarded-for", b"x-real-ip", b"forwarded"})

UNNAMED_PROXY = Phrase(
    "Requests come through a proxy, and MABLIGOP_TRUSTED_PROXIES names none: all callers count as one address, "
    "with one limit. Set MABLIGOP_TRUSTED_PROXIES to the address of the proxy, and start the service again.",
    "Des requêtes passent par un proxy, et MABLIGOP_TRUSTED_PROXIES n'en nomme aucun : tous les appelants "
    "comptent pour une seule adresse, avec une seule limite. Donnez l'adresse du proxy à "
    "MABLIGOP_TRUSTED_PROXIES, et redémarrez le service.",
)


def noticing_proxies(application: Application, warnings: list[Phrase]) -> Application:
    """Wrap an application. The first request through a proxy puts a warning into the log and into `warnings`.

    A proxy sends a header of `_HEADERS` from a private or loopback address.
    """

    # A coroutine function: other servers tell by that how an application is called.
    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if (
            UNNAMED_PROXY not in warnings
            and scope["type"] == "http"
            and _HEADERS.intersection(dict(scope["headers"]))
        ):
            client = scope.get("client")
            if client and _is_near(client[0]):
                warnings.append(UNNAMED_PROXY)
                log.warning(UNNAMED_PROXY.en)
        await application(scope, receive, send)

    return serve


@lru_cache(maxsize=4096)
def _is_near(address: str) -> bool:
    try:
        parsed = ipaddress.ip_address(address.removeprefix("::ffff:"))
    except ValueError:
        return False
    return parsed.is_private

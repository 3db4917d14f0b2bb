"""The addresses of the service for others: in the local network, or as configured."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from urllib.parse import urlsplit

PUBLIC_URL = "MABLIGOP_PUBLIC_URL"
NETWORK_URL = "MABLIGOP_NETWORK_URL"

# Addresses of documentation (RFC 5737, RFC 3849) belong to nobody, and nothing is sent.
_FAR_AWAY = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
_HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+", re.IGNORECASE)


def address_in_network(family: socket.AddressFamily = socket.AF_INET) -> str | None:
    """Return the address of this machine on its default route, or None without a network.

    Connecting a datagram socket chooses the route and sends nothing.
    """
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((_FAR_AWAY[family], 9))
            address = ipaddress.ip_address(probe.getsockname()[0])
    except (OSError, ValueError):
        return None
    return None if address.is_unspecified or address.is_loopback else str(address)


def configured_url() -> str | None:
    """Return the address in `MABLIGOP_PUBLIC_URL`, without a final slash, or None without the setting.

    Raises ValueError unless the address is like https://table.example or http://192.168.1.20:8000.
    """
    url = os.environ.get(PUBLIC_URL, "").rstrip("/")
    if not url:
        return None
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and _HOST.fullmatch(parts.hostname or "") is not None
        good = good and parts.port != 0 and parts.username is None and not (parts.query or parts.fragment)
    except ValueError:
        good = False
    if not good:
        raise ValueError(f"{PUBLIC_URL} is an address such as https://table.example, not {url!r}")
    return url


def url_of(scheme: str, address: str, port: int) -> str:
    """Return the URL of a service at a numeric address."""
    return f"{scheme}://[{address}]:{port}" if ":" in address else f"{scheme}://{address}:{port}"


def reachable_at(address: str) -> str | None:
    """Return the address for other machines of a service listening on a numeric address, or None."""
    listening = ipaddress.ip_address(address)
    if listening.is_loopback:
        return None
    if not listening.is_unspecified:
        return address
    return address_in_network(socket.AF_INET6 if listening.version == 6 else socket.AF_INET)


def host_of(url: str) -> str:
    """Return the name or address in a URL, in the form of the Host header without the port."""
    host = urlsplit(url).hostname or ""
    return f"[{host}]" if ":" in host else host

"""The addresses of clients."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

_CUSTOMER_BITS = 64


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """Return the address that counts as one client: an IPv4 address, or the /64 network of an IPv6 address.

    A provider gives a customer a whole /64 network, so a limit on single IPv6 addresses would have no effect. A
    text that is no address is returned unchanged.
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed.packed, _CUSTOMER_BITS), strict=False))

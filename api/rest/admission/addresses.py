"""The addresses of clients."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

_CUSTOMER_BITS = 64


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """What counts as one client: an address of IPv4, or the /64 network of an address of IPv6.

    A provider gives a customer a whole /64 network, so single addresses of IPv6 would be no limit. A text that is
    no address counts as it is.
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found.packed, _CUSTOMER_BITS), strict=False))

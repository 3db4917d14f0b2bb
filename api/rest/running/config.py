"""The settings of the API."""

from __future__ import annotations

from dataclasses import dataclass

REQUESTS_PER_MINUTE = 60_000
CREATIONS_PER_MINUTE = 600
UNKNOWN_TOKENS_PER_MINUTE = 600
WRONG_CODES_PER_MINUTE = 10
REQUESTS_AT_ONCE = 64
BODY_SECONDS = 10
SEND_SECONDS = 30
STREAMS = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The API's settings. Each process counts its limits for itself; None means no limit.

    `creation_key` is the service's own key: creating and listing games needs it as a bearer token. With None both
    need no key, as on a private machine.

    `cors_origins` are the origins ("https://table.example") whose pages may call the API. `hosts` are the names
    under which the service answers ("table.example", "*.example"); with none it answers under every name.

    `requests_per_minute` is how many requests one token may make in a minute, or one address without a token in
    force. `creations_per_minute` is how many games one address may ask for in a minute, and
    `unknown_tokens_per_minute` how many tokens that are not in force it may send. `wrong_codes_per_minute` is
    how many wrong codes of invitations it may try.

    With `demo` the service has a demo, whose seats it gives to everybody.

    `public_url` is the address that others call the service by ("https://table.example"), for the links of
    invitations. Without it they have the address that the inviting banker calls, but for a banker on this machine
    `network_url`, its address in the local network. `authority` is the certificate, in PEM,
    of the authority that vouches for the service in a home network.

    `max_body_bytes` is the size of the largest request body, and `body_seconds` the time in which a body must have
    come. `requests_at_once` is how many requests one address may have in progress. An answer is given up when its
    client takes nothing of it for `send_seconds`. `streams` is how many streams there may be; one address may have
    three quarters of them.
    """

    creation_key: str | None = None
    cors_origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    max_body_bytes: int = 256 * 1024
    requests_per_minute: int | None = REQUESTS_PER_MINUTE
    creations_per_minute: int | None = CREATIONS_PER_MINUTE
    unknown_tokens_per_minute: int | None = UNKNOWN_TOKENS_PER_MINUTE
    wrong_codes_per_minute: int | None = WRONG_CODES_PER_MINUTE
    requests_at_once: int = REQUESTS_AT_ONCE
    body_seconds: float = BODY_SECONDS
    send_seconds: float = SEND_SECONDS
    streams: int = STREAMS
    demo: bool = False
    base_path: str = "/api/v1"
    public_url: str | None = None
    network_url: str | None = None
    authority: bytes | None = None

"""The settings of the API."""

from __future__ import annotations

from dataclasses import dataclass

REQUESTS_PER_MINUTE = 60_000
CREATIONS_PER_MINUTE = 600
UNKNOWN_TOKENS_PER_MINUTE = 600
WRONG_CODES_PER_MINUTE = 10
COMPUTE_SECONDS_PER_MINUTE = 40
ROWS_PER_MINUTE = 20_000
REQUESTS_AT_ONCE = 64
BODY_SECONDS = 10
SEND_SECONDS = 30
STREAMS = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings of the API. Each process counts its limits separately; None means no limit.

    `creation_key` is the service's own key, required as a bearer token for creating and listing games. Of
    several keys, separated by commas, each is taken. With None both need no key, as on a private machine.

    `cors_origins` are the origins ("https://table.example") whose pages may call the API. `hosts` are the
    accepted host names ("table.example", "*.example"); an empty tuple accepts every name.

    `requests_per_minute` is the limit for a token, or for an address without a valid token.
    `creations_per_minute` limits the games created by an address, `unknown_tokens_per_minute` the invalid
    tokens sent by an address, and `wrong_codes_per_minute` its wrong invitation codes before a wait.

    `compute_seconds_per_minute` limits the processor time for the requests of a banker, and `rows_per_minute` the
    rows stored by them. A seat has half of both, a spectator or an address a tenth.

    With `demo` the service has a demo, with seats for everybody.

    `public_url` is the public address of the service ("https://table.example"), for the links of invitations.
    Without `public_url`, a link has the address called by the inviting banker, or `network_url`, the address in
    the local network, if the banker calls from this machine. `authority` is the certificate, in PEM, of the
    authority that signed the service's certificate in a home network.

    `max_body_bytes` is the size of the largest request body, and `body_seconds` the time for receiving a body.
    `requests_at_once` is the number of requests in progress of an address. An answer is given up if its client
    reads nothing for `send_seconds`. `streams` is the largest number of streams; an address may have three
    quarters of them.
    """

    creation_key: str | None = None
    cors_origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    max_body_bytes: int = 256 * 1024
    requests_per_minute: int | None = REQUESTS_PER_MINUTE
    creations_per_minute: int | None = CREATIONS_PER_MINUTE
    unknown_tokens_per_minute: int | None = UNKNOWN_TOKENS_PER_MINUTE
    wrong_codes_per_minute: int | None = WRONG_CODES_PER_MINUTE
    compute_seconds_per_minute: int | None = None
    rows_per_minute: int | None = None
    requests_at_once: int = REQUESTS_AT_ONCE
    body_seconds: float = BODY_SECONDS
    send_seconds: float = SEND_SECONDS
    streams: int = STREAMS
    demo: bool = False
    base_path: str = "/api/v1"
    public_url: str | None = None
    network_url: str | None = None
    authority: bytes | None = None

"""The settings of the API."""

from __future__ import annotations

from dataclasses import dataclass

REQUESTS_PER_MINUTE = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The API's settings.

    `creation_key` is the service's own key: creating and listing games needs it as a bearer token. With None both
    need no key, as on a private machine. `cors_origins` are the origins ("https://table.example") whose pages may
    call the API. `max_body_bytes` is the size of the largest request body. `requests_per_minute` is how many
    requests one token (or one address, without a token) may make in a minute, per process; None for no limit.
    """

    creation_key: str | None = None
    cors_origins: tuple[str, ...] = ()
    max_body_bytes: int = 256 * 1024
    requests_per_minute: int | None = REQUESTS_PER_MINUTE
    base_path: str = "/api/v1"

"""The application of one worker, as it is built from the environment."""

from __future__ import annotations

import gc

import pytest

from api.server import application


def test_what_a_worker_has_loaded_is_left_out_of_garbage_collections(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a worker that has started, then its code and its rulebooks are never looked through for garbage."""
    monkeypatch.setenv("DATABASE_URL", database_url)
    try:
        application()
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()

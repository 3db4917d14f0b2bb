"""Invitations in the store: used once, and every process hears of the tokens that they revoke."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from ledger.store.records import Invitation, TokensChanged
from ledger.store.store import Store
from tests.store.journals import NOON, credential, game, new_game

LATER = NOON + timedelta(minutes=5)


def invitation(game_id: str, invitation_id: str = "i1", seat: str | None = "ana") -> Invitation:
    role = "spectator" if seat is None else "player"
    valid = NOON + timedelta(hours=1)
    return Invitation(game_id, invitation_id, b"half", b"code", role, seat, None, NOON, valid)


@pytest.fixture
def table(store: Store) -> str:
    """A game with a token for ana and an open invitation to her seat."""
    name = new_game(store)
    store.games.create(game(f"{name}-seats"), [credential(f"{name}-seats", "c1", b"ana's")])
    assert store.invitations.add(invitation(f"{name}-seats"))
    return f"{name}-seats"


def test_a_used_invitation_revokes_the_seats_token_and_tells_every_process(store: Store, table: str) -> None:
    new = replace(credential(table, "c2", b"ana's new"), created_at=LATER)
    with store.notices.listen() as listener:
        assert store.invitations.redeem(invitation(table), new, b"sealed") is True
        assert listener.wait(timeout=60) == [TokensChanged(table)]
    assert store.games.credential(table, b"ana's") is None
    assert store.games.credential(table, b"ana's new") == new
    used = store.invitations.get(table, "i1")
    assert used is not None
    assert (used.ended_at, used.sealed_token) == (LATER, b"sealed")
    assert store.invitations.redeem(invitation(table), credential(table, "c3", b"another"), None) is None


def test_a_credential_that_exists_leaves_the_invitation_open(store: Store, table: str) -> None:
    assert store.invitations.redeem(invitation(table), credential(table, "c1", b"another"), None) is False
    assert [one.invitation_id for one in store.invitations.open_at(table, LATER)] == ["i1"]
    assert store.games.credential(table, b"ana's") is not None


def test_an_invitation_is_written_once(store: Store, table: str) -> None:
    assert store.invitations.add(invitation(table, seat="ben")) is False
    assert store.invitations.get(table, "i1") == invitation(table)
    assert invitation(table) in store.invitations.of_half(b"half")

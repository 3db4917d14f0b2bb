"""Services that end with the test that started them."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.store.postgres.embedded import EmbeddedPostgres
from tests.store.postgres.services import Service


@pytest.fixture
def serve() -> Iterator[Callable[..., Service]]:
    services: list[Service] = []

    def start(home: Path, first: str = "", **run: object) -> Service:
        services.append(Service(home, first, **run))
        return services[-1]

    yield start
    for service in services:
        service.close()


@pytest.fixture(scope="session")
def _made_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("made") / "home"
    with EmbeddedPostgres(home):
        pass
    # What was committed outlives a killed process without it. Only a loss of power would need it.
    with (home / "postgres/data/postgresql.conf").open("a") as configuration:
        configuration.write("\nfsync = off\n")
    return home


@pytest.fixture
def home(_made_home: Path, tmp_path: Path) -> Path:
    """A home in which a server has made its database, and which starts quickly."""
    shutil.copytree(_made_home, tmp_path / "home", symlinks=True)
    return tmp_path / "home"


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """A folder that every account can reach, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)

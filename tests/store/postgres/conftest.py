"""Services that end with the test that started them."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

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


@pytest.fixture
def home(lay_home: Callable[[Path], Path], tmp_path: Path) -> Path:
    """A home in which a server has made its database, and which starts quickly."""
    return lay_home(tmp_path / "home")


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """A folder that every account can reach, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)

"""A new cluster takes the place of the old one: whenever it is interrupted, one of the two is there, whole."""

from pathlib import Path

import pytest

from ledger.store.postgres.exchange import exchange, settle


class Killed(BaseException):
    pass


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A home's folder of Postgres with the old cluster, and a new cluster elsewhere in the home."""
    for folder, version in (("postgres/data", "16"), ("upgrade/postgres/data", "18")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "PG_VERSION").write_text(version)
    return tmp_path / "postgres"


def version(folder: Path) -> str:
    return (folder / "PG_VERSION").read_text()


def test_the_old_cluster_is_kept_under_its_version(base: Path) -> None:
    kept = exchange(base, base.parent / "upgrade/postgres/data", 16)
    assert (version(base / "data"), kept, version(kept)) == ("18", base / "data-16", "16")
    settle(base)
    assert sorted(one.name for one in base.iterdir()) == ["data", "data-16"]


def test_an_older_one_that_was_kept_stays(base: Path) -> None:
    (base / "data-16").mkdir()
    assert exchange(base, base.parent / "upgrade/postgres/data", 16) == base / "data-16-2"


@pytest.mark.parametrize(("renames", "found"), [(0, "16"), (1, "16"), (2, "18"), (3, "18")])
def test_after_a_kill_the_next_start_finds_one_of_them(
    base: Path, monkeypatch: pytest.MonkeyPatch, renames: int, found: str
) -> None:
    """After two of the three steps there is no data at all, until the next start takes the last step."""
    rename, done = Path.rename, 0

    def rename_or_die(path: Path, target: Path) -> Path:
        nonlocal done
        if done == renames:
            raise Killed
        done += 1
        return rename(path, target)

    with monkeypatch.context() as killing:
        killing.setattr(Path, "rename", rename_or_die)
        if renames < 3:
            with pytest.raises(Killed):
                exchange(base, base.parent / "upgrade/postgres/data", 16)
        else:
            exchange(base, base.parent / "upgrade/postgres/data", 16)
    settle(base)
    assert version(base / "data") == found
    assert {one.name for one in base.iterdir()} == {"data"} | ({"data-16"} if found == "18" else set())

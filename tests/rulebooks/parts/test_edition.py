"""Editions: folders of data, checked when they are read."""

from pathlib import Path
from shutil import copytree

import msgspec
import pytest

from ledger.rulebooks.parts.edition import Edition
from tests.example import town
from tests.example.town import Pieces, Rules

QUIET = Path(town.__file__).parent / "quiet"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the quiet town, to be changed."""
    return copytree(QUIET, tmp_path / "quiet")


def change(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")


def test_an_edition_is_a_folder(folder: Path) -> None:
    """Another folder is another edition: no line of Python says which there are."""
    change(folder, "edition.toml", "town_quiet", "town_loud")
    change(folder, "pieces.toml", "price = 20", "price = 25")
    edition = Edition.read(folder, Pieces, Rules)
    assert (edition.id, edition.currency, edition.rules.rent) == ("town_loud", "SHELL", "q.4")
    assert edition.pieces.squares[1].price == 25
    assert town.rulebook_of(edition).codec.action_type("roll") is town.Roll


@pytest.mark.parametrize(
    ("file", "old", "new", "wrong"),
    [
        ("edition.toml", 'rent = "q.4"', 'rent = "q.44"', r"no rule for rent \(q\.44\)"),
        ("edition.toml", 'rent = "q.4"\n', "", "missing required field `rent`"),
        ("edition.toml", "[rules]", '[rules]\ntax = "q.4"', "unknown field `tax`"),
        ("edition.toml", 'title = "A quiet town"\n', "", "missing required field `title`"),
        ("pieces.toml", "price = 20", "price = -20", r">= 0.*squares\[1\]\.price"),
        ("pieces.toml", 'id = "well"', 'id = "oak"', "two squares have the same id"),
    ],
)
def test_a_folder_that_is_wrong_is_refused(folder: Path, file: str, old: str, new: str, wrong: str) -> None:
    change(folder, file, old, new)
    with pytest.raises((ValueError, msgspec.ValidationError), match=wrong):
        Edition.read(folder, Pieces, Rules)


def test_a_setting_of_an_edition_must_fit(folder: Path) -> None:
    change(folder, "edition.toml", "[rules]", "[settings]\ndice = 9\n\n[rules]")
    with pytest.raises(msgspec.ValidationError, match=r"dice"):
        town.rulebook_of(Edition.read(folder, Pieces, Rules))

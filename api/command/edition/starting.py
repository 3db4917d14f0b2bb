"""The initial folder of a new edition: the files of the rulebook, with comments."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from api.command.edition.files import EDITION, USUAL, taker_of
from api.command.terminal.failures import BadInput
from api.command.terminal.output_file import output_file
from ledger.kernel.rules.faces.editions import NewEdition

_HEAD = """\
# An edition of your own. Check it with `mabligop edition check`, which names the file, the line and the reason of
# whatever is wrong. Every text may hold any letters, on one line.

{rulebook}title = "{title}"

# The options of the table, each with its usual value behind a #. Where yours differs, take the # away and change
# the value.

[options]
"""


_FACE = """
# The look of the table on a screen. Two lines are enough: whatever is left out has the look written here. Colours
# are #RRGGBB. A face has more members: accent, mark, money, pieces, squares, groups, dice, decks, cards, stamps.

#[face]
#cloth = "{face.cloth}"
#counter = "{face.counter}"
#accent = "{face.accent}"
#weave = "{face.weave}"
#money = {{ style = "{face.money.style}", denominations = {denominations} }}
"""


def start(folder: Path, rulebook: str = USUAL) -> None:
    """Write a new edition for a rulebook into a new or empty folder.

    Raises BadInput for any other folder, and for a rulebook without editions.
    """
    new = taker_of(rulebook).new_edition()
    require_new(folder)
    named = "" if rulebook == USUAL else f'rulebook = "{rulebook}"\n'
    head = _HEAD.format(rulebook=named, title=new.title)
    look = _FACE.format(face=new.face, denominations=list(new.face.money.denominations))
    write(folder, {EDITION: head + "".join(_options(new)) + look, **new.files})


def require_new(folder: Path) -> None:
    """Make a new folder. Raises BadInput for a folder with files, and for a file."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise BadInput(f"{folder} is there already: name another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise BadInput(f"{folder} cannot be written: {fault.strerror}") from fault


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files of an edition, by name."""
    for name, text in files.items():
        with output_file(str(folder / name)) as file:
            file.write(text.encode())


def _options(new: NewEdition) -> Iterator[str]:
    for name, (meaning, value) in new.options.items():
        yield "\n" + textwrap.fill(meaning, 110, initial_indent="# ", subsequent_indent="# ")
        yield f"\n# {name} = {_toml(value)}\n" if value is not None else f"\n# {name} = …\n"


def _toml(value: Any) -> str:
    """Write a plain value as TOML. Texts are written as in JSON, which TOML reads alike."""
    value = msgspec.to_builtins(value)
    return "{}" if value == {} else json.dumps(value, ensure_ascii=False)

"""The folder that a new edition starts from: the made-up town of the project, with comments."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec

from api.command.edition.files import EDITION, PIECES
from api.command.failures import BadInput
from api.command.output_file import output_file
from ledger.rulebooks.monopoly.own_edition.options import FIELDS
from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.options import meaning, usual

_HEAD = """\
# An edition of your own. Check it with `mabligop edition check`, which names the file, the line and the reason of
# whatever is wrong. Every text may hold any letters, on one line.

title = "A town of our own"

# The options of the table, each with its usual value behind a #. Where yours differs, take the # away and change
# the value.

[options]
"""


def start(folder: Path) -> None:
    """Write a new edition into a folder that is not there yet, or is empty. Raises BadInput for any other one."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise BadInput(f"{folder} is there already: name another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise BadInput(f"{folder} cannot be written: {fault.strerror}") from fault
    for name, text in (
        (EDITION, _HEAD + "".join(_options())),
        (PIECES, (_own() / PIECES).read_text(encoding="utf-8")),
    ):
        with output_file(str(folder / name)) as file:
            file.write(text.encode())


def _own() -> Traversable:
    return files("ledger.rulebooks.monopoly") / "editions" / "own"


def _options() -> Iterator[str]:
    chosen = reading.data(_own(), EDITION)["settings"]
    for name, field in FIELDS.items():
        value = chosen.get(name, usual(field))
        yield "\n" + textwrap.fill(meaning(field), 110, initial_indent="# ", subsequent_indent="# ")
        yield f"\n# {name} = {_toml(value)}\n" if value is not None else f"\n# {name} = …\n"


def _toml(value: Any) -> str:
    """A plain value as TOML. Texts are written as in JSON, which TOML reads alike."""
    value = msgspec.to_builtins(value)
    return "{}" if value == {} else json.dumps(value, ensure_ascii=False)

"""`html`: the report of a game on one HTML page.

The page can be opened anywhere. Scripts, fonts and pictures from other origins are not used, and the content
security policy forbids them. A game, version and viewer always give equal bytes.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Generator
from importlib.resources import files
from typing import Any

import jinja2
import msgspec
from markupsafe import Markup

from ledger.kernel.facts.texts import legible
from ledger.moving.exporting import Export
from replays.report.page import page_of
from replays.report.words import capital
from replays.statistics import statistics_of

LAST_LINE = "</html>"
"""The last line of a complete report."""

_FILES = files(__package__) / "page_files"
_TOKENS = files("api.console") / "src" / "theme" / "tokens.css"
"""The console's colours and types: the report has the same."""
_DARK = '[data-theme="dark"]'
_SCREEN = "@media screen and (prefers-color-scheme: dark)"
_SCRIPT = (_FILES / "script.js").read_text(encoding="utf-8")


def _style() -> str:
    """Return the style sheet of the page: the tokens of the console, and what stands on them.

    The console switches to dark by an attribute; the page of a file follows its reader's device.
    """
    tokens = re.sub(r"/\*.*?\*/\s*", "", _TOKENS.read_text(encoding="utf-8"), flags=re.DOTALL)
    dark = re.compile(rf"^({re.escape(_DARK)}.*?^}})$", re.DOTALL | re.MULTILINE)
    tokens = dark.sub(lambda block: f"{_SCREEN} {{ {block[1].replace(_DARK, ':root')} }}", tokens)
    return tokens + (_FILES / "style.css").read_text(encoding="utf-8")


def _digest(script: str) -> str:
    """Return the hash of the page's own script, the only script allowed by its policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


_POLICY = (
    f"default-src 'none'; style-src 'unsafe-inline'; script-src {_digest(_SCRIPT)}; img-src data:;"
    " base-uri 'none'; form-action 'none'"
)

_templates = jinja2.Environment(
    loader=jinja2.FunctionLoader(lambda name: (_FILES / name).read_text(encoding="utf-8")),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)
_templates.filters["capital"] = capital


def write(export: Export, table: str | None, progress: Callable[[int, int], None]) -> Generator[bytes, None, None]:
    """Write the report."""
    statistics = statistics_of(export, progress)
    page = page_of(export, statistics)
    stream = _templates.get_template("report.html").stream(
        page=page,
        say=page.say,
        found=statistics,
        policy=_POLICY,
        style=Markup(_style()),  # noqa: S704 - our own
        script=Markup(_SCRIPT),  # noqa: S704 - our own
        # "<" is escaped, so the data cannot close the script element.
        data=Markup(msgspec.json.encode(_legible(page.scrubber)).decode().replace("<", "\\u003c")),  # noqa: S704
    )
    stream.enable_buffering(200)
    for piece in stream:
        yield legible(piece).encode()
    yield b"\n"


def _legible(data: object) -> Any:
    """Replace forbidden characters in data for the page's script by U+FFFD: JSON would hide them in escapes."""
    match data:
        case str():
            return legible(data)
        case dict():
            return {name: _legible(value) for name, value in data.items()}
        case list() | tuple():
            return [_legible(item) for item in data]
        case msgspec.Struct():
            return _legible(msgspec.to_builtins(data))
        case _:
            return data

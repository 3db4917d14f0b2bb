"""`html`: the report of a game, one page that needs nothing besides itself.

Whoever gets it opens it anywhere: no script, font or picture comes from elsewhere, and the page forbids itself to
ask for any. The same game, seen by the same reader at the same version, gives the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Generator
from importlib.resources import files

import jinja2
import msgspec
from markupsafe import Markup

from ledger.moving.exporting import Export
from replays.report.page import page_of
from replays.report.words import capital
from replays.statistics import statistics_of

LAST_LINE = "</html>"
"""The last line of a whole report."""

_FILES = files(__package__) / "page_files"
_STYLE = (_FILES / "style.css").read_text(encoding="utf-8")
_SCRIPT = (_FILES / "script.js").read_text(encoding="utf-8")


def _digest(script: str) -> str:
    """The hash by which the page allows a script of its own, and no other."""
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
    """The report."""
    statistics = statistics_of(export, progress)
    page = page_of(export, statistics)
    stream = _templates.get_template("report.html").stream(
        page=page,
        say=page.say,
        found=statistics,
        policy=_POLICY,
        style=Markup(_STYLE),  # noqa: S704 - our own
        script=Markup(_SCRIPT),  # noqa: S704 - our own
        # Nothing in it may end the element that it stands in.
        data=Markup(msgspec.json.encode(page.scrubber).decode().replace("<", "\\u003c")),  # noqa: S704
    )
    stream.enable_buffering(200)
    for piece in stream:
        yield piece.encode()
    yield b"\n"

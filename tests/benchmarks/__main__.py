"""`make bench`: speeds, each next to a floor that is measured in the same run.

Everything runs on a private Postgres in a temporary folder, with default durability. Each section runs by itself:
when one fails, its traceback is printed, and the others go on. The last line names the sections that failed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.database.migration import migrate
from ledger.store.postgres.embedded import EmbeddedPostgres
from ledger.store.store import Store
from tests.benchmarks import (
    acting,
    appending,
    console,
    correcting,
    crowded,
    exporting,
    listing,
    live,
    long,
    monopoly,
    reading,
    simulating,
    spectating,
    trust,
    virtual_revolution,
)
from tests.benchmarks.bench import Bench, progress, say

SECTIONS: dict[str, Callable[[Bench], None]] = {
    "appending": appending.measured,
    "acting": acting.measured,
    "crowded": crowded.measured,
    "reading": reading.measured,
    "live": live.measured,
    "spectating": spectating.measured,
    "listing": listing.measured,
    "correcting": correcting.measured,
    "long": long.measured,
    "simulating": simulating.measured,
    "monopoly": monopoly.measured,
    "virtual_revolution": virtual_revolution.measured,
    "console": console.measured,
    "trust": trust.measured,
    "exporting": exporting.measured,
}


def main(arguments: Sequence[str] | None = None, sections: dict[str, Callable[[Bench], None]] = SECTIONS) -> int:
    """Measure the named sections, or all, and print the table. Returns the exit code: 1 when a section failed."""
    parser = _parser(sections)
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.sections if name not in sections]:
        parser.error(f"no section {', '.join(unknown)}; there are: {', '.join(sections)}")
    if options.rounds is not None and options.rounds < 1:
        parser.error(f"{options.rounds} rounds measure nothing")
    failed: list[str] = []
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder) / "bench") as server:
        migrate(server.url)
        engine = connect(server.url)
        ledger = Ledger(Store(engine), {RULEBOOK.id: RULEBOOK})
        bench = Bench(server.url, ledger, options.rounds, options.smallest)
        say("what", "reached", "floor", "at least")
        for name in options.sections or sections:
            progress(name)
            try:
                sections[name](bench)
            except Exception:
                failed.append(name)
                sys.stdout.write(f"{name} failed:\n{traceback.format_exc()}")
        engine.dispose()
    sys.stdout.write(f"failed sections: {', '.join(failed) or 'none'}\n")
    return int(bool(failed))


def _parser(sections: dict[str, Callable[[Bench], None]]) -> argparse.ArgumentParser:
    subjects = "\n".join(f"  {name:<20} {_subject(section)}" for name, section in sections.items())
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks",
        description=__doc__,
        epilog=f"sections:\n{subjects}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("sections", nargs="*", metavar="SECTION", help="measure these alone, in this order (all)")
    parser.add_argument(
        "--rounds", type=int, help="how often each figure is taken (each section has its own number)"
    )
    parser.add_argument(
        "--smallest", action="store_true", help="do as little as possible: shows that a section runs, and no more"
    )
    return parser


def _subject(section: Callable[[Bench], None]) -> str:
    """The first line of the docstring of a section's module."""
    return (sys.modules[section.__module__].__doc__ or "").split("\n", 1)[0]


if __name__ == "__main__":
    sys.exit(main())

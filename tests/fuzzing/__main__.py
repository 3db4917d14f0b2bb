"""`python -m tests.fuzzing --seconds 600`: mutated inputs for every reader of bytes from outside.

With the package `atheris` (a libFuzzer for Python; no dependency of this project) the coverage of the code guides
the mutations, each reader in a process of its own. Otherwise hypothesis mutates the valid examples. `--reader`
chooses readers by a part of their name. The exit code is 1 if a reader broke a demand: the input is printed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.fuzzing.reader import Reader

GUIDED = find_spec("atheris") is not None
_BATCH, _USUAL = 200, 15
_GRACE_SECONDS = 300


def main(arguments: Sequence[str] | None = None, readers: Sequence[Reader] | None = None) -> int:
    """Fuzz the readers. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzzing", description=(__doc__ or "").partition("\n\n")[2]
    )
    parser.add_argument("--seconds", type=float, default=0, help="the time for all readers together")
    parser.add_argument(
        "--inputs", type=int, default=_BATCH, help="the inputs of each reader in a batch, fewer of a slow reader"
    )
    parser.add_argument("--reader", default="", help="a part of the names of the chosen readers")
    parser.add_argument("--guided", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.guided:
        return _guide(chosen.reader, chosen.seconds)

    from tests.fuzzing.readers import READERS

    fuzzed = [reader for reader in readers or READERS if chosen.reader in reader.name]
    broken = 0
    for reader in fuzzed:
        share = chosen.seconds / len(fuzzed)
        if GUIDED and chosen.seconds:
            _tell(reader.name)
            command = [sys.executable, "-m", "tests.fuzzing", "--guided", "--reader", reader.name]
            done = subprocess.run([*command, "--seconds", str(share)], timeout=share + _GRACE_SECONDS, check=False)
            broken += done.returncode != 0
        else:
            broken += not _mutate(reader, share, max(1, chosen.inputs * reader.inputs // _USUAL))
    _tell(f"{len(fuzzed)} readers; broken demands: {broken}")
    return 1 if broken else 0


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _mutate(reader: Reader, seconds: float, inputs: int) -> bool:
    """Give a reader inputs from hypothesis, in batches until the time is over. Returns whether all was well."""
    from hypothesis import HealthCheck, given, settings

    from tests.fuzzing.mutations import mutated
    from tests.fuzzing.reader import UnexpectedError

    count = 0

    @settings(
        max_examples=inputs,
        deadline=None,
        database=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(mutated(reader.seeds))
    def read(data: bytes) -> None:
        nonlocal count
        count += 1
        reader.demand(data)

    end = time.monotonic() + seconds
    try:
        read()
        while time.monotonic() < end:
            read()
    except UnexpectedError as fault:
        _tell(str(fault))
        return False
    _tell(f"{reader.name}: {count} inputs")
    return True


def _guide(name: str, seconds: float) -> int:
    """Give one reader inputs guided by coverage."""
    import atheris

    # To instrument the rulebooks would take longer than to fuzz.
    import_module("ledger.rulebooks")
    with atheris.instrument_imports(include=["ledger", "api", "replays"], enable_loader_override=False):
        from tests.fuzzing.readers import READERS

    def read(data: bytes) -> None:
        reader.demand(data)

    (reader,) = (reader for reader in READERS if reader.name == name)
    with TemporaryDirectory() as corpus:
        for number, seed in enumerate(reader.seeds):
            (Path(corpus) / f"{number}").write_bytes(seed)
        limits = [
            f"-max_total_time={max(1, round(seconds))}",
            "-max_len=65536",
            "-verbosity=0",
            "-artifact_prefix=/tmp/",
        ]
        atheris.Setup([sys.argv[0], *limits, corpus], read)
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())

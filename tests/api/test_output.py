"""What the service writes to a terminal or a file that fails: it goes on, and writes again as soon as it can."""

from __future__ import annotations

import os
from pathlib import Path

from api.output import lasting

FULL = Path("/dev/full")


def test_what_nobody_can_read_any_more_is_dropped_for_good() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as stream:
        out = lasting(stream)
        os.close(reading)
        out.write("Nobody reads this.\n")
        assert os.path.samestat(os.fstat(writing), Path(os.devnull).stat())
        out.detach()


def test_what_a_full_disk_refuses_is_dropped_and_the_next_line_is_tried_again() -> None:
    with FULL.open("w", buffering=1) as stream:
        out = lasting(stream)
        out.write("There is no room for this.\n")
        assert os.path.samestat(os.fstat(stream.fileno()), FULL.stat())
        out.detach()

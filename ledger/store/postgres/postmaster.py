"""What ``postmaster.pid`` tells of a data folder's server, and how far it may be believed.

The file outlives a server that is killed, and the process number it names may by then be another process's.
"""

import os
import re
import subprocess
import sys
from pathlib import Path


def running_postmaster(data: Path) -> int | None:
    """The postmaster of this data folder, when the process named there is proven to be it.

    A postmaster works in its data folder, so the proof is its working folder together with its program.
    """
    process = _named_process(data)
    if process is None or not _alive(process):
        return None
    if sys.platform == "linux":
        about = Path(f"/proc/{process}")
        try:
            program = (about / "exe").readlink().name.removesuffix(" (deleted)")
            proven = program == "postgres" and (about / "cwd").samefile(data)
        except OSError:
            return None  # gone, or another user's: the server of this home is ours to look at
    else:
        shown = subprocess.run(  # noqa: S603
            ["/bin/ps", "-ww", "-o", "command=", "-p", str(process)],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        proven = "postgres" in shown and str(data) in shown
    return process if proven else None


def is_ready(data: Path, process: int) -> bool:
    """Whether this server of ours says that it accepts connections: the eighth line of ``postmaster.pid``."""
    lines = _lines(data / "postmaster.pid")
    return lines[:1] == [str(process)] and lines[7:8] == ["ready"]


def remove_stale_pid_file(data: Path) -> None:
    """Remove a ``postmaster.pid`` that would stop the start; to be called under the lock and after the proof.

    Postgres would take a live process of that number for its own earlier self, and an empty file (a kill between
    its making and its writing) for a server just starting. A number that is dead is left to Postgres, which
    knows it for stale and looks at the old server's shared memory besides.
    """
    process = _named_process(data)
    if process is None or _alive(process):
        (data / "postmaster.pid").unlink(missing_ok=True)


def _named_process(data: Path) -> int | None:
    """The process number in ``postmaster.pid``, dead or alive; none when there is no readable one."""
    first = "".join(_lines(data / "postmaster.pid")[:1])
    return abs(int(first)) if re.fullmatch(r"-?[1-9]\d{0,8}", first) else None


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _lines(path: Path) -> list[str]:
    try:
        return [line.strip() for line in path.read_text(errors="replace").splitlines()]
    except FileNotFoundError:
        return []

"""Reading ``postmaster.pid``, and checking whether it names a running server of this data folder.

The file stays when a server is killed, and its process number may then belong to another process.
"""

import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path


def running_postmaster(data: Path) -> int | None:
    """The process number of the postmaster of this data folder; None unless it is proven.

    A postmaster works in its data folder, so its working folder and its program are the proof.
    """
    process = _named_process(data)
    if process is None or not _alive(process):
        return None
    if sys.platform == "linux":
        try:
            proven = _works_in(data, Path(f"/proc/{process}"))
        except OSError:
            return None  # It is gone, or another user's: we may read the server of this home.
    else:
        shown = subprocess.run(  # noqa: S603
            ["/bin/ps", "-ww", "-o", "command=", "-p", str(process)],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        proven = "postgres" in shown and str(data) in shown
    return process if proven else None


def ready_socket_folder(data: Path) -> Path | None:
    """The folder of the socket of the server that runs in this data folder; None when none is ready.

    It is the fifth line of ``postmaster.pid``. Raises OSError when that file cannot be read.
    """
    process = running_postmaster(data)
    lines = _lines(data / "postmaster.pid")
    return Path(lines[4]) if process is not None and is_ready(data, process) else None


def server_processes(data: Path) -> list[int]:
    """The process numbers of this data folder's server, with or without a postmaster. Empty except on Linux."""
    found = []
    for about in Path("/proc").glob("[1-9]*") if sys.platform == "linux" else ():
        with contextlib.suppress(OSError):  # It is gone, or another user's.
            if _works_in(data, about):
                found.append(int(about.name))
    return found


def is_ready(data: Path, process: int) -> bool:
    """Whether this server accepts connections, by the eighth line of ``postmaster.pid``."""
    lines = _lines(data / "postmaster.pid")
    return lines[:1] == [str(process)] and lines[7:8] == ["ready"]


def is_stopping(data: Path) -> bool:
    """Whether the server lets nobody in any more because it is to end, by the same line."""
    return _lines(data / "postmaster.pid")[7:8] == ["stopping"]


def remove_stale_pid_file(data: Path) -> None:
    """Remove a ``postmaster.pid`` that would stop the start. Call this under the lock and after the proof.

    Postgres would take a live process of that number for an earlier server, and an empty file (after a kill
    between its creation and its writing) for a server that is starting. The number of a dead process is left to
    Postgres, which knows that it is stale, and also checks the old server's shared memory.
    """
    process = _named_process(data)
    if process is None or _alive(process):
        (data / "postmaster.pid").unlink(missing_ok=True)


def _named_process(data: Path) -> int | None:
    """The process number in ``postmaster.pid``, dead or alive; None without a readable number."""
    first = "".join(_lines(data / "postmaster.pid")[:1])
    return abs(int(first)) if re.fullmatch(r"-?[1-9]\d{0,8}", first) else None


def _works_in(data: Path, about: Path) -> bool:
    program = (about / "exe").readlink().name.removesuffix(" (deleted)")
    return program == "postgres" and (about / "cwd").samefile(data)


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

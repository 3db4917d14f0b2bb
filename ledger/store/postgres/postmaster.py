"""Reading ``postmaster.pid``, and checking the content against a running server of the data folder.

The file survives the kill of a server, and the process number may then belong to another process.
"""

import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path


def running_postmaster(data: Path) -> int | None:
    """Return the process number of the postmaster of this data folder, or None without proof.

    A postmaster works in the data folder, so the working folder and the program of the process are the proof.
    """
    process = _named_process(data)
    if process is None or not _alive(process):
        return None
    if sys.platform == "linux":
        try:
            proven = _works_in(data, Path(f"/proc/{process}"))
        except OSError:
            return None  # The process has ended or belongs to another user; the server of this home is readable.
    else:
        output = subprocess.run(  # noqa: S603
            ["/bin/ps", "-ww", "-o", "command=", "-p", str(process)],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        proven = "postgres" in output and str(data) in output
    return process if proven else None


def ready_socket_folder(data: Path) -> Path | None:
    """Return the socket folder of the server running in this data folder, or None if no server is ready.

    The folder is the fifth line of ``postmaster.pid``. Raises OSError if the file cannot be read.
    """
    process = running_postmaster(data)
    lines = _lines(data / "postmaster.pid")
    return Path(lines[4]) if process is not None and is_ready(data, process) else None


def server_processes(data: Path) -> list[int]:
    """Return the process numbers of this data folder's server, with or without a postmaster.

    Empty except on Linux.
    """
    numbers = []
    for about in Path("/proc").glob("[1-9]*") if sys.platform == "linux" else ():
        with contextlib.suppress(OSError):  # The process has ended or belongs to another user.
            if _works_in(data, about):
                numbers.append(int(about.name))
    return numbers


def is_ready(data: Path, process: int) -> bool:
    """Return True if this server accepts connections, by the eighth line of ``postmaster.pid``."""
    lines = _lines(data / "postmaster.pid")
    return lines[:1] == [str(process)] and lines[7:8] == ["ready"]


def is_stopping(data: Path) -> bool:
    """Return True if the server is stopping and accepts no new connections.

    The state is in the eighth line of ``postmaster.pid``.
    """
    return _lines(data / "postmaster.pid")[7:8] == ["stopping"]


def remove_stale_pid_file(data: Path) -> None:
    """Remove a ``postmaster.pid`` that would prevent the start. Requires the lock and the proof.

    Postgres would mistake a live process with the number for an earlier server, and an empty file (after a kill
    between its creation and its writing) for a starting server. The number of a dead process is left to
    Postgres: it detects the stale number, and also checks the old server's shared memory.
    """
    process = _named_process(data)
    if process is None or _alive(process):
        (data / "postmaster.pid").unlink(missing_ok=True)


def _named_process(data: Path) -> int | None:
    """Return the process number in ``postmaster.pid``, dead or alive, or None without a readable number."""
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

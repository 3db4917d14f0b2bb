"""The user of an embedded Postgres server.

Postgres refuses to run as root. For root the server runs in a user namespace with another number for root: the
server still owns the files and can reach them under any path (such as ``/root``), and has no other rights of
root. Without namespaces, the server runs as an existing account without rights. No account is created and no
folder above the home is changed.
"""

import ctypes
import os
import pwd
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

_CLONE_NEWUSER = 0x10000000  # linux/sched.h
_PR_SET_PDEATHSIG = 1  # linux/prctl.h

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Identity:
    """A possible user of the server."""

    uid: int
    """The owner of the files, from the view of the machine."""
    gid: int
    client_name: str
    """The account of the service, from the view of the server. Only this account may connect."""
    inside: tuple[int, int] | None = None
    """The user and group numbers for uid and gid inside a namespace; None without a namespace."""

    def __str__(self) -> str:
        return f"user {self.uid} in a user namespace" if self.inside else f"user {self.uid}"


def identities() -> list[Identity]:
    """Return the possible users of the server, the best first.

    ``initdb`` also refuses a user number without an account; a namespace gives the number a name.
    """
    uid, gid = os.geteuid(), os.getegid()
    accounts = {entry.pw_name: entry for entry in pwd.getpwall()}
    own_name = next((entry.pw_name for entry in accounts.values() if entry.pw_uid == uid), None)
    if uid != 0 and own_name is not None:
        return [Identity(uid, gid, own_name)]
    unprivileged = [entry for entry in accounts.values() if entry.pw_uid not in (0, uid)]
    # "nobody" is the last choice: inside a namespace "nobody" also stands for every user outside the namespace.
    unprivileged.sort(key=lambda entry: (entry.pw_name == "nobody", entry.pw_name != "postgres", entry.pw_uid))
    choices = []
    if unprivileged and sys.platform == "linux":
        guise = unprivileged[0]
        choices.append(Identity(uid, gid, guise.pw_name, inside=(guise.pw_uid, guise.pw_gid)))
    if uid == 0:
        dropped = [accounts[name] for name in ("postgres", "nobody") if name in accounts]
        choices += [Identity(entry.pw_uid, entry.pw_gid, own_name or "root") for entry in dropped]
    return choices


def become(identity: Identity, last_signal: int, parent: int) -> None:
    """Change to the identity in a forked child, and request ``last_signal`` for the death of the parent.

    The signal is requested last, because a change of user clears the request. Raises OSError if the machine
    does not allow this identity.
    """
    if identity.inside is not None:
        # The maps name the outer numbers, unreadable inside the namespace.
        if _libc.unshare(_CLONE_NEWUSER):
            raise OSError(ctypes.get_errno(), "unshare")
        Path("/proc/self/uid_map").write_text(f"{identity.inside[0]} {identity.uid} 1")
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/gid_map").write_text(f"{identity.inside[1]} {identity.gid} 1")
    elif identity.uid != os.geteuid():
        os.setgroups([identity.gid])
        os.setgid(identity.gid)
        os.setuid(identity.uid)
    if sys.platform == "linux":
        _libc.prctl(_PR_SET_PDEATHSIG, last_signal)
        if os.getppid() != parent:
            os._exit(1)
    os.umask(0o077)


def obstacle(identity: Identity, base: Path, folder: Path) -> str | None:
    """Try the identity in a child process. Returns the reason of a failure, or None.

    The identity must be able to read and write in ``base``, and to run the programs in ``folder``.
    """
    parent, (answers, answer) = os.getpid(), os.pipe()
    child = os.fork()
    if child == 0:
        try:
            become(identity, signal.SIGKILL, parent)
            if not os.access(base, os.R_OK | os.W_OK | os.X_OK):
                os.write(answer, b"it cannot reach that folder")
            elif not all(os.access(folder / program, os.X_OK) for program in ("initdb", "postgres")):
                os.write(answer, f"it cannot run the programs in {folder}".encode())
        except OSError as error:
            os.write(answer, f"not allowed here ({error.strerror})".encode())
        finally:
            os._exit(0)
    os.close(answer)
    with os.fdopen(answers, "rb") as pipe:
        reason = pipe.read().decode()
    os.waitpid(child, 0)
    return reason or None


def write_for(identity: Identity, path: Path, text: str) -> None:
    """Write a file readable by the identity only. A kill leaves either the old or the new file."""
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text)
    fresh.chmod(0o600)
    if identity.uid != os.geteuid():
        os.chown(fresh, identity.uid, identity.gid)
    fresh.rename(path)

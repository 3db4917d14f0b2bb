"""The form of commits: `area: what changes`, at most 72 characters, then a body with the cause.

`python -m tests.targets.commits` checks the commits since the last tag. Without a tag, it checks those since this
file was added.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

from tests.targets.makefile import CHECKOUT

LONGEST = 72
_AREA = re.compile(r"[a-z][a-z0-9 _/-]*: \S")


def faults_of(message: str) -> Iterator[str]:
    """Yield the faults of a commit's message."""
    subject, _, rest = message.strip().partition("\n")
    if len(subject) > LONGEST:
        yield f"the subject has {len(subject)} characters, {LONGEST} at most: {subject}"
    if not _AREA.match(subject):
        yield f"the subject does not begin with an area, as in `rents: take the higher one`: {subject}"
    if not rest.strip():
        yield f"there is no body: {subject}"
    elif rest.split("\n")[0]:
        yield f"no empty line follows the subject: {subject}"


def messages() -> list[str]:
    """Return the messages of the commits to check, without merges, newest first. None outside a repository."""
    if not (CHECKOUT / ".git").exists():
        return []
    start = _git("describe", "--tags", "--abbrev=0") or _git(
        "log", "--diff-filter=A", "--format=%H", "--", "tests/targets/commits.py"
    )
    if not start:
        return []
    span = f"{start.split()[-1]}..HEAD"
    return [text for text in _git("log", "--no-merges", "--format=%B%x00", span).split("\0") if text.strip()]


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def main() -> int:
    """Print every fault. Returns the exit code."""
    faults = [fault for message in messages() for fault in faults_of(message)]
    sys.stdout.writelines(f"{fault}\n" for fault in faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

"""Successions: a new key of a service, endorsed by the old key.

A succession is a signed note with five lines: the name of the service, the word "succession", the old key, the new
key, and the time. Both keys sign. So the holder of either key may trust the other key: the old key vouches for the
checkpoints after the time, and the new key for the checkpoints before. The second line is no size, so a succession
is never a checkpoint. In the file of the keys, and in answers, a succession is one line::

    SUCCESSION+bWFibGlnb3A…
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from ledger.trust.notes import BadNote, Note, Signer, Verifier, note

LINE = "SUCCESSION+"
_WORD = "succession"
_TIME = "%Y-%m-%dT%H:%M:%SZ"


class Succession(NamedTuple):
    """The old key and the new key of a service, the time of the change, and the signed note."""

    old: Verifier
    new: Verifier
    at: datetime
    note: Note

    def __str__(self) -> str:
        return f"{LINE}{base64.b64encode(str(self.note).encode()).decode()}"

    @classmethod
    def parse(cls, line: str) -> Succession:
        """Read a line, and check both signatures. Raises BadNote."""
        try:
            signed = Note.parse(base64.b64decode(line.strip().removeprefix(LINE), validate=True))
            service, word, old_key, new_key, time, end = signed.text.split("\n")
            old, new = Verifier.parse(old_key), Verifier.parse(new_key)
            at = datetime.strptime(time, _TIME).replace(tzinfo=UTC)
        except (binascii.Error, ValueError) as fault:
            raise BadNote("this is no succession of keys") from fault
        if (word, old.name, new.name, end) != (_WORD, service, service, ""):
            raise BadNote("this is no succession of keys")
        for key in (old, new):
            signed.signed_by([key])
        return cls(old, new, at, signed)


def succession(old: Signer, new: Signer, at: datetime) -> Succession:
    """Let an old key endorse a new key of the same name."""
    time = at.astimezone(UTC).strftime(_TIME)
    text = f"{old.verifier.name}\n{_WORD}\n{old.verifier}\n{new.verifier}\n{time}\n"
    return Succession(old.verifier, new.verifier, at.replace(microsecond=0), note(text, [old, new]))


def followed(trusted: Sequence[Verifier], successions: Iterable[Succession]) -> list[Verifier]:
    """Return the trusted keys, and all keys reached from a trusted key by successions.

    A trusted key has the name of the service, or of a log of the service.
    """
    keys, pairs = list(trusted), list(successions)
    for key in keys:  # The list grows meanwhile.
        for pair in pairs:
            for end, opposite in ((pair.old, pair.new), (pair.new, pair.old)):
                reached = opposite._replace(name=key.name)
                service = key.name == end.name or key.name.startswith(f"{end.name}/")
                if service and key.public == end.public and reached not in keys:
                    keys.append(reached)
    return keys

"""Checking the edition in a folder, and what is said of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from api.command.edition.files import Finding, read, taker_of
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks import known
from ledger.rulebooks.parts.brought import Fault


class Checked(NamedTuple):
    """An edition that was read: its rulebook, its document, and what is wrong with it."""

    rulebook: str
    document: dict[str, Any]
    findings: list[Finding]

    def summary(self, language: str) -> str:
        """How much there is in an edition that is fit to play."""
        french = language == "fr"
        counts = []
        for counted in taker_of(self.rulebook).new_edition.counted:
            one, several = counted.fr if french else counted.en
            if counted.member not in self.document:
                continue
            count = len(self.document[counted.member])
            counts.append(f"{count} {one if count == 1 or (french and count == 0) else several}")
        return f"{', '.join(counts)} : jouable" if french else f"{', '.join(counts)}: fit to play"

    def counted(self, language: str) -> str:
        """How many faults there are."""
        count = len(self.findings)
        if language == "fr":
            return f"{count} défaut{'' if count == 1 else 's'}"
        return f"{count} fault{'' if count == 1 else 's'}"


def checked(path: Path) -> Checked:
    """Read and check the edition in a folder or a JSON file. Raises BadInput when there is none."""
    edition = read(path)
    unread = list(edition.findings)
    # What a file that could not be read holds is missing everywhere: those faults would not help.
    takes = taker_of(edition.rulebook)
    faults = [] if any(one.fault.place == "" for one in unread) else list(takes.faults_of(edition.document))
    if not unread and not faults:
        faults = _refused(edition.rulebook, edition.document)
    found = [*unread, *map(edition.finding, faults)]
    return Checked(
        edition.rulebook, edition.document, sorted(found, key=lambda one: (one.source.file, one.source.line or 0))
    )


def _refused(name: str, document: dict[str, Any]) -> list[Fault]:
    """Why no game could begin with an edition whose parts fit together; empty when one of some players can.

    The fewest players are tried first, and what is told is why they cannot play.
    """
    rulebook, takes = known()[name], taker_of(name)
    settings = msgspec.convert(takes.settings_of(document, {}), rulebook.settings)
    found: list[Fault] = []
    for count in range(rulebook.players[0], min(rulebook.players[1], len(_SEATS)) + 1):
        players = tuple(Seat(seat, seat.capitalize()) for seat in _SEATS[:count])
        try:
            rulebook.opening_action(Opening(players=players, settings=settings, dice="service"))
        except Malformed as refusal:
            place = str(refusal.values.get("place", ""))
            pieces = f"/{takes.edition_setting}"
            inside = place.removeprefix(pieces) if place.startswith(pieces) else f"/options{place}"
            found = found or [Fault(inside if place else "", refusal.en, refusal.fr)]
        else:
            return []
    return found


_SEATS = ("ana", "bob", "cid", "dan")

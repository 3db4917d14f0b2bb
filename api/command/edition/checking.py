"""Checking the edition in a folder, and describing the result."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from api.command.edition.files import Finding, read, taker_of
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.facts.state import Seat
from ledger.kernel.language.phrase import Phrase, is_singular
from ledger.kernel.rules.faces.editions import Fault
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks import rulebooks_by_id


class Checked(NamedTuple):
    """A checked edition: the rulebook, the document, the faults, and the warnings about a playable one."""

    rulebook: str
    document: dict[str, Any]
    findings: list[Finding]
    warnings: list[Finding]

    def summary(self, language: str) -> str:
        """Count the parts of an edition that is fit to play, in words."""
        counts = []
        for counted in taker_of(self.rulebook).new_edition().counted:
            if counted.member not in self.document:
                continue
            count = len(self.document[counted.member])
            name = counted.single if is_singular(count, language) else counted.several
            counts.append(f"{count} {name.in_language(language)}")
        listed = ", ".join(counts)
        return Phrase(f"{listed}: fit to play", f"{listed} : jouable").in_language(language)

    def counted(self, language: str) -> str:
        """Count the faults, in words."""
        count = len(self.findings)
        fault = Phrase("fault", "défaut") if count == 1 else Phrase("faults", "défauts")
        return f"{count} {fault.in_language(language)}"


def checked(path: Path) -> Checked:
    """Read and check the edition in a folder or a JSON file. Raises BadInput without an edition."""
    edition = read(path)
    unread = list(edition.findings)
    # An unreadable file would cause faults everywhere, of no help to the author.
    takes = taker_of(edition.rulebook)
    faults = (
        [] if any(finding.fault.place == "" for finding in unread) else list(takes.faults_of(edition.document))
    )
    if not unread and not faults:
        faults = _refused(edition.rulebook, edition.document)
    findings = [*unread, *map(edition.finding, faults)]
    return Checked(
        edition.rulebook,
        takes.normal(edition.document) if not findings else edition.document,
        _in_order(findings),
        [] if findings else _in_order(map(edition.finding, takes.warnings_of(edition.document))),
    )


def _in_order(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: (finding.source.file, finding.source.line or 0))


def _refused(name: str, document: dict[str, Any]) -> list[Fault]:
    """Return the reason why no game can begin with a valid edition; empty if some number of players can play.

    The smallest number of players is tried first, and its reason is returned.
    """
    rulebook, takes = rulebooks_by_id()[name], taker_of(name)
    settings = msgspec.convert(takes.settings_of(document, {}), rulebook.settings)
    reasons: list[Fault] = []
    for count in range(rulebook.players[0], min(rulebook.players[1], len(_SEATS)) + 1):
        players = tuple(Seat(seat, seat.capitalize()) for seat in _SEATS[:count])
        try:
            rulebook.play.opening_action(Opening(players=players, settings=settings, dice="service"))
        except Malformed as refusal:
            position = str(refusal.values.get("place", ""))
            pieces = f"/{takes.edition_setting}"
            inside = position.removeprefix(pieces) if position.startswith(pieces) else f"/options{position}"
            reasons = reasons or [Fault(inside if position else "", refusal.en, refusal.fr)]
        else:
            return []
    return reasons


_SEATS = ("ana", "bob", "cid", "dan")

"""Checking the edition in a folder, and what is said of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from api.command.edition.files import Finding, read
from ledger.kernel.opening import Opening
from ledger.kernel.refusals import Malformed
from ledger.kernel.state import Seat
from ledger.rulebooks.monopoly import RULEBOOKS
from ledger.rulebooks.monopoly.own_edition import check
from ledger.rulebooks.parts.brought import Fault

_COUNTED = (
    ("squares", "square", "squares", "case", "cases"),
    ("groups", "group", "groups", "groupe", "groupes"),
    ("decks", "deck", "decks", "pioche", "pioches"),
    ("cards", "card", "cards", "carte", "cartes"),
)


class Checked(NamedTuple):
    """An edition that was read: its document, and what is wrong with it."""

    document: dict[str, Any]
    findings: list[Finding]

    def summary(self, language: str) -> str:
        """How much there is in an edition that is fit to play."""
        french = language == "fr"
        counts = []
        for name, *words in _COUNTED:
            one, several = words[2:] if french else words[:2]
            count = len(self.document.get(name, ()))
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
    faults = [] if any(one.fault.place == "" for one in unread) else check(edition.document)
    if not unread and not faults:
        faults = _refused(edition.document)
    found = [*unread, *map(edition.finding, faults)]
    return Checked(edition.document, sorted(found, key=lambda one: (one.source.file, one.source.line or 0)))


def _refused(document: dict[str, Any]) -> list[Fault]:
    """Why no two players could begin a game with an edition whose parts fit together; empty when they can."""
    rulebook = next(one for one in RULEBOOKS if one.takes_editions)
    opening = Opening(
        players=(Seat("ana", "Ana"), Seat("bob", "Bob")),
        settings=msgspec.convert(rulebook.settings_of(document, {}), rulebook.settings),
        dice="service",
    )
    try:
        rulebook.opening_action(opening)
    except Malformed as refusal:
        place = str(refusal.values.get("place", ""))
        inside = place.removeprefix("/board") if place.startswith("/board") else f"/options{place}"
        return [Fault(inside if place else "", refusal.en, refusal.fr)]
    return []

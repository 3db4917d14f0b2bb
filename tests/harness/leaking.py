"""Events and rulebooks with one leak each, to test whether an attacker finds it."""

from __future__ import annotations

from copy import copy
from typing import Any, TypeVar

import msgspec

from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, Viewer
from ledger.kernel.facts.events import Event, tag_of
from ledger.kernel.facts.state import State
from ledger.kernel.rules.rulebook import Rulebook
from tests.harness.rulebooks import changed

S = TypeVar("S", bound=State)


def leaking(rulebook: Rulebook[S], *events: type[Event], **faces: Any) -> Rulebook[S]:
    """The rulebook with these events instead of those with the same tag, and with these faces."""
    by_tag = {tag_of(event): event for event in events}
    chapters = []
    for chapter in rulebook.chapters:
        other = copy(chapter)
        other.events = [by_tag.get(tag_of(event), event) for event in chapter.events]
        chapters.append(other)
    return changed(rulebook, chapters=chapters, **faces)


def widened(event: type[Event]) -> type[Event]:
    """The event, shown to everybody."""

    class Widened(event, frozen=True, kw_only=True, tag=tag_of(event)):  # type: ignore[misc, valid-type]
        def audience(self) -> Audience:
            return EVERYONE

    return Widened


def unredacted(event: type[Event]) -> type[Event]:
    """The event, without redaction."""

    class Unredacted(event, frozen=True, kw_only=True, tag=tag_of(event)):  # type: ignore[misc, valid-type]
        def redacted(self, viewer: Viewer) -> Event:
            return self

    return Unredacted


def half_redacted(event: type[Event]) -> type[Event]:
    """The event without its secret field, but with the postings that reveal it."""

    class Half(event, frozen=True, kw_only=True, tag=tag_of(event)):  # type: ignore[misc, valid-type]
        def redacted(self, viewer: Viewer) -> Event:
            return msgspec.structs.replace(super().redacted(viewer), postings=self.postings)

    return Half


def foretold(event: type[Event]) -> type[Event]:
    """The event, fully revealed by a dry run."""

    class Foretold(event, frozen=True, kw_only=True, tag=tag_of(event)):  # type: ignore[misc, valid-type]
        def reveals(self) -> Audience:
            return BANKER_ONLY

    return Foretold

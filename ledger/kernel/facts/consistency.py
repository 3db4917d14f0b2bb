"""Inconsistencies of a state, found by a rulebook: houses on a title of the bank, two licences."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ledger.kernel.facts.refusals import RuleNote


class Inconsistency(msgspec.Struct, frozen=True):
    """A fault of a state: the rule that forbids it, and a sentence in English and French.

    `about` identifies the fault ("houses:negotown"). It does not change with the values in the sentence.
    """

    rule: str
    about: str
    en: str
    fr: str
    readers: tuple[str, ...] | None = None
    """The seats allowed to know of the fault, besides the banker; None for everybody."""

    def warned(self) -> RuleNote:
        """Return the fault as a warning for the journal."""
        return RuleNote(self.rule, self.en, self.fr, self.readers)


def appeared(earlier: Iterable[Inconsistency], later: Iterable[Inconsistency]) -> tuple[Inconsistency, ...]:
    """Return the inconsistencies of `later` that are not in `earlier`."""
    earlier_keys = {(fault.rule, fault.about) for fault in earlier}
    return tuple(fault for fault in later if (fault.rule, fault.about) not in earlier_keys)

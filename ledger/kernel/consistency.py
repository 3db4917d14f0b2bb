"""What does not fit together in a state, as a rulebook finds it: houses on a title of the bank, two licences."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ledger.kernel.refusals import Warned


class Inconsistency(msgspec.Struct, frozen=True):
    """What a state should not have: the rule that forbids it, and a sentence in English and French.

    `about` names what is wrong with what ("houses:negotown"). It stays the same while the values in the sentence
    change.
    """

    rule: str
    about: str
    en: str
    fr: str
    told: tuple[str, ...] | None = None
    """The seats that may know of it, besides the banker; None for everybody."""

    def warned(self) -> Warned:
        """The same as a warning, which the journal keeps."""
        return Warned(self.rule, self.en, self.fr, self.told)


def appeared(before: Iterable[Inconsistency], after: Iterable[Inconsistency]) -> tuple[Inconsistency, ...]:
    """The inconsistencies after a change that were not there before it."""
    known = {(one.rule, one.about) for one in before}
    return tuple(one for one in after if (one.rule, one.about) not in known)

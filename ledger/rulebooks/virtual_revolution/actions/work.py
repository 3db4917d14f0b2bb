"""Work: gain eurocredits from the supply (vr:work.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.virtual_revolution.map import gaining
from ledger.rulebooks.virtual_revolution.table import terms
from ledger.rulebooks.virtual_revolution.table.operations import Deed
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution, amounts, titles_of
from ledger.rulebooks.virtual_revolution.table.terms import EUROCREDIT, Bonuses, Drawn
from ledger.rulebooks.virtual_revolution.turn import bonuses, performing
from ledger.rulebooks.virtual_revolution.turn.performing import Performing

chapter = Chapter("Work")


@performing.performs(terms.Work)
def _work(draft: Draft, work: terms.Work, under_way: Performing) -> None:
    """Gain the yield of a Work in this round."""
    seat = under_way.seat
    amount = performing.tell_figure(draft, seat, "work", "gain", amounts(draft.state).work_gain)
    gaining.gain(draft, seat, EUROCREDIT, amount, rule="vr:work.1")


@chapter.action(
    summary=("work", "travailler"),
    when=("as the Action of one's own turn", "comme Action de son tour"),
)
class Work(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Gain eurocredits, with whatever improves it (vr:work.1)."""

    bonuses: Bonuses = None
    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Work, without any condition."""
        performing.act(draft, terms.Work(bonuses=self.bonuses), self.drawn)

    def redacted(self) -> Mapping[str, Any]:
        """Hide the cards drawn with a bonus."""
        return bonuses.redact_bonuses(self.bonuses)

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer the Action with the default bonuses, and with each usable Title in addition."""
        if not performing.may_act(state, seat):
            return
        yield Choice({}, free=("bonuses",))
        for declared in with_titles(state, seat, "work"):
            yield Choice({"bonuses": declared}, free=("bonuses",))


def with_titles(state: VirtualRevolution, seat: str, deed: Deed) -> Iterable[list[dict[str, str]]]:
    """Yield the default bonuses plus one Title, for each usable Title."""
    if titles_of(state, seat):
        usual = [{"source": source} for source in bonuses.gains_by_default(state, seat, deed)]
        for source in bonuses.sources(state, seat, deed):
            if source in state.edition.pieces.titles:
                yield [*usual, {"source": source}]

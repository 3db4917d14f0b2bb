"""P. The banker mends the past: corrections of the history, by the banker alone (P.4)."""

from __future__ import annotations

from ledger.kernel import corrections
from ledger.kernel.rulebook import Chapter

chapter = Chapter("P. Corrections")

chapter.event(corrections.HistoryCorrected)


@chapter.action(
    by=("banker",),
    rules=("P.4", "IV.A.2"),
    summary=("correct the history", "corriger l'histoire"),
    when=("at any moment, also after the end", "à tout moment, même après la fin"),
)
class Correct(corrections.Correct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Drop, replace or insert actions; later ones are decided again (P.4)."""

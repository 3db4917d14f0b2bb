"""P and I.C. Contesting and ruling: disputes, the banker's rulings, and corrections of the history."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ledger.kernel import corrections, docket, rulings
from ledger.kernel.rulebook import Chapter
from ledger.rulebooks.negopoly.remedies import Remedy

chapter = Chapter("P. Disputes and rulings")

chapter.event(corrections.HistoryCorrected)
for _event in rulings.EVENTS:
    chapter.event(_event)


@chapter.action(
    by=("banker",),
    rules=("P.4", "IV.A.2"),
    summary=("correct the history", "corriger l'histoire"),
    when=("at any moment, also after the end", "à tout moment, même après la fin"),
)
class Correct(corrections.Correct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Drop, replace or insert actions; later ones are decided again (P.4)."""


@chapter.action(
    by=("player", "banker"),
    rules=("P.2", "I.C.4", "I.C.5", "I.C.6"),
    summary=("contest what happened", "contester ce qui s'est passé"),
    when=("at any moment, also after the end", "à tout moment, même après la fin"),
)
class OpenDispute(docket.OpenDispute, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Put actions before the banker; balances, holdings and the clock stay as they are (P.2).

    A private deal may be disputed by its parties only (I.C.5).
    """


@chapter.action(
    by=("player", "banker"),
    rules=("P.2", "I.C.6"),
    summary=("say something in a dispute", "s'exprimer dans un litige"),
    when=("while the dispute is open", "tant que le litige est ouvert"),
)
class AddStatement(docket.AddStatement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Add one's version, true or not (I.C.1), to a dispute that one may know of."""


@chapter.action(
    by=("player", "banker"),
    rules=("P.2",),
    summary=("withdraw a dispute", "retirer un litige"),
    when=("while the dispute is open, as its opener", "tant que le litige est ouvert, si on l'a ouvert"),
)
class WithdrawDispute(docket.WithdrawDispute, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let the matter rest."""


@chapter.action(
    by=("banker",),
    rules=(
        "P.1",
        "P.2",
        "I.2",
        "I.3",
        "I.B.3",
        "I.C.4",
        "I.C.5",
        "I.C.6",
        "II.B.13",
        "II.E.1",
        "IV.A.2",
        "IV.A.3",
        "X.A.7",
        "X.A.8",
    ),
    summary=("rule on a dispute, or on one's own motion", "trancher un litige, ou de sa propre initiative"),
    when=(
        "at any moment; after the end, only to dismiss or to correct",
        "à tout moment ; après la fin, seulement pour rejeter ou corriger",
    ),
)
class Rule(rulings.Rule, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker's version prevails (P.1, I.C.4).

    `rules` are the ones preferred, `waives` the ones set aside (I.2), be they of chapter I: only a ruling departs
    from that (I.3). Once the game has ended nothing may be ordered that would change what the winners won
    (II.E.1); a correction that drops the end opens the game again.
    """

    remedies: Annotated[tuple[Remedy, ...], Meta(max_length=50)] = ()


@chapter.action(
    by=("banker",),
    rules=("P.1",),
    summary=("publish the rulings of this table", "publier les décisions de cette table"),
    when=("at any moment, also after the end", "à tout moment, même après la fin"),
)
class PublishRulings(rulings.PublishRulings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let other tables find the rulings that everybody here may read."""

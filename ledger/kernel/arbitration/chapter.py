"""The chapter of disputes, rulings and corrections, shared by all rulebooks.

A rulebook includes the chapter with one line, and names the remedies open to the banker.
"""

from __future__ import annotations

from typing import Annotated, Any, get_args

import msgspec
from msgspec import Meta

from ledger.kernel.arbitration import docket, remedies, rulings
from ledger.kernel.facts.values import of_kind
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.rules import actions
from ledger.kernel.rules.chapter import Chapter

Remedies = remedies.Dismiss | remedies.CorrectHistory | remedies.Adjust | remedies.Fine
"""The remedies open to the banker of any game."""


_ANY_TIME = ("at any moment, also after the end", "à tout moment, même après la fin")


_MOSTLY_BEFORE_THE_END = (
    "at any moment; after the end, only to dismiss or to correct",
    "à tout moment ; après la fin, seulement pour rejeter ou corriger",
)


def arbitration(
    title: str,
    *,
    remedies: Any = Remedies,
    player_undo: bool = False,
) -> Chapter:
    """Return a chapter with the given title for corrections, disputes and rulings.

    Takes the union of the remedies, and the right of players to take back the last action (the rulebook then
    sets `Governance.player_undo` too).
    """
    chapter = Chapter(title)
    chapter.event(HistoryCorrected)
    orders = [event for remedy in get_args(remedies) for event in remedy.records]
    for event in (*rulings.EVENTS, *orders):
        chapter.event(event)
    everybody: tuple[actions.Actor, ...] = ("player", "banker")

    @chapter.action(
        by=everybody if player_undo else ("banker",),
        summary=("correct the history", "corriger l'histoire"),
        when=_ANY_TIME,
    )
    class Correct(actions.Correct, frozen=True, kw_only=True, forbid_unknown_fields=True):
        """Drop, replace or insert actions; later ones are decided again."""

    @chapter.action(
        by=everybody,
        summary=("contest what happened", "contester ce qui s'est passé"),
        when=_ANY_TIME,
    )
    class OpenDispute(docket.OpenDispute, frozen=True, kw_only=True, forbid_unknown_fields=True):
        """Put actions before the banker; it suspends nothing."""

    @chapter.action(
        by=everybody,
        summary=("say something in a dispute", "s'exprimer dans un litige"),
        when=("while the dispute is open", "tant que le litige est ouvert"),
    )
    class AddStatement(docket.AddStatement, frozen=True, kw_only=True, forbid_unknown_fields=True):
        """Add one's version to a dispute that one may know of."""

    @chapter.action(
        by=everybody,
        summary=("withdraw a dispute", "retirer un litige"),
        when=("while the dispute is open, as its opener", "tant que le litige est ouvert, si on l'a ouvert"),
    )
    class WithdrawDispute(docket.WithdrawDispute, frozen=True, kw_only=True, forbid_unknown_fields=True):
        """Let the matter rest."""

    # The caller supplies the remedies, so the type is known only at run time.
    ordered = Annotated[tuple[remedies, ...], Meta(max_length=50), of_kind("remedies")]
    rule: Any = msgspec.defstruct(
        "Rule",
        [("remedies", ordered, ())],
        bases=(rulings.GiveRuling,),
        namespace={"__doc__": "The banker decides, and what they order is carried out."},
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )
    chapter.action(
        by=("banker",),
        summary=("rule on a dispute, or on one's own motion", "trancher un litige, ou de sa propre initiative"),
        when=_ANY_TIME
        if all(remedy_type.after_end for remedy_type in get_args(remedies))
        else _MOSTLY_BEFORE_THE_END,
    )(rule)

    @chapter.action(
        by=("banker",),
        summary=("publish the rulings of this table", "publier les décisions de cette table"),
        when=_ANY_TIME,
    )
    class PublishRulings(rulings.PublishRulings, frozen=True, kw_only=True, forbid_unknown_fields=True):
        """Let other tables find the rulings that everybody here may read."""

    return chapter

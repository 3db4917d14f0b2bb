"""The action that corrects the history."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from ledger.kernel.facts.edits import Cascade, Edit
from ledger.kernel.facts.values import Text, of_kind
from ledger.kernel.rules.actions import Action, Choice, CorrectionRequest
from ledger.kernel.rules.draft import Draft


class Correct(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Correct the history. A rulebook with corrections includes the chapter `arbitration`."""

    docket: ClassVar[bool] = True

    edits: Annotated[tuple[Edit, ...], Meta(min_length=1, max_length=1000), of_kind("edits")]
    cascade: Cascade = "refuse"
    reason: Text

    def correction_request(self) -> CorrectionRequest:
        """Return the correction, to be planned before the decision."""
        return CorrectionRequest(self.edits, self.cascade, self.reason)

    def decide(self, draft: Draft[Any]) -> None:
        """Record nothing: the correction is recorded already."""

    @classmethod
    def choices(cls, state: Any, seat: str) -> Iterable[Choice]:
        """Offer to drop the last action, with every parameter open to change.

        The cascade is "restate", because dropping a correction restores the actions changed by the correction.
        """
        if state.version > 1:
            edits = [{"op": "drop", "action": state.version}]
            params = {"edits": edits, "cascade": "restate", "reason": "…"}
            yield Choice(params, free=("edits", "cascade", "reason"))

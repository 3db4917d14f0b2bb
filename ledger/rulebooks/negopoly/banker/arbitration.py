"""P and I.C. Contesting and ruling: disputes, the banker's rulings, and corrections of the history.

`rules` of a ruling are the ones preferred (P.1, I.C.4), `waives` the ones set aside (I.2), be they of chapter I:
only a ruling departs from that (I.3). A private deal may be disputed by its parties only (I.C.5), with versions
true or not (I.C.1). Once the game has ended nothing may be ordered that would change what the winners won
(II.E.1); a correction that drops the end opens the game again.
"""

from __future__ import annotations

from ledger.kernel.arbitration.chapter import arbitration
from ledger.rulebooks.negopoly.banker.remedies import Remedy

chapter = arbitration(
    "P. Disputes and rulings",
    remedies=Remedy,
)

"""P and I.C. Disputes, the banker's rulings, and corrections of the history.

`rules` of a ruling are the rules applied (P.1, I.C.4). `waives` are the rules set aside (I.2), including rules
of chapter I, reserved for rulings (I.3). Only the parties may dispute a private deal (I.C.5); the parties'
versions may be true or false (I.C.1). After the end of the game, no remedy may change the result (II.E.1). A
correction without the end reopens the game.
"""

from __future__ import annotations

from ledger.kernel.arbitration.chapter import arbitration
from ledger.rulebooks.negopoly.banker.remedies import Remedy
from ledger.rulebooks.negopoly.banker.settling import OLDER_RACKETS

chapter = arbitration(
    "P. Disputes and rulings",
    remedies=Remedy,
)
chapter.upcast_action("rule", OLDER_RACKETS)

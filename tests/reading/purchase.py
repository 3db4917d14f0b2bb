"""Short ways to read and correct the game with a purchase, its rent and a gift."""

from __future__ import annotations

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.labels import Name
from ledger.reading.history.audit import audit as read_audit
from ledger.reading.history.audit_lines import AuditLine
from ledger.reading.money.why import why as read_why
from ledger.service import Ledger
from tests.tables.ledgers import do

RULES = "/rules"
MONEY = "NGD"
BOUGHT, RENT, GIFT, CORRECTION = 9, 12, 13, 14


def correct(ledger: Ledger, game: str, *edits: dict[str, object], reason: str = "wrong square"):
    return do(ledger, game, BANKER, "correct", edits=list(edits), cascade="restate", reason=reason)


def audit(ledger: Ledger, game: str, viewer: Viewer = BANKER, **asked) -> dict[Name, AuditLine]:
    moment = ledger.moment(game, viewer, asked.pop("at", None), asked.pop("known_at", None))
    lines, more = read_audit(moment, register_at=RULES, limit=200, **asked)
    assert more is None
    return {line.action: line for line in lines}


def why(ledger: Ledger, game: str, account: str, commodity: str = MONEY, viewer: Viewer = BANKER, **asked):
    moment = ledger.moment(game, viewer, asked.pop("at", None), asked.pop("known_at", None))
    found = read_why(moment, account, commodity, register_at=RULES, **asked)
    assert found is not None
    return found[0]

"""A remedy that a reader has added to Negopoly: ordered, carried out, and worded."""

from __future__ import annotations

from ledger.rulebooks.negopoly.table.state import index_of
from tests.tables.negopoly import Table, ruled

if __name__ == "__main__":
    table = Table("ana", "bob")
    *_, ruling = ruled(table, {"op": "hospitalize", "seat": "bob"})
    assert ruling.rule == "P.1"
    assert table.state.positions["bob"] == index_of(table.state, "hopital")

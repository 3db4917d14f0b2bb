"""The accounts and commodities that a remedy may name, over HTTP: for a banker's form."""

from __future__ import annotations

from typing import Any

from tests.tables.over_http import HttpTable


def by_id(known: dict[str, Any], kind: str, name: str) -> dict[str, dict[str, Any]]:
    """The entries of one list of the answer, by id."""
    return {one[name]: one for one in known[kind]}


def test_the_banker_reads_what_a_remedy_may_name_in_both_languages(started: HttpTable) -> None:
    known = started.banker.get("accounts?known=1").json
    assert known["version"] == started.banker.get().json["version"]
    accounts = by_id(known, "accounts", "account")
    assert accounts["player:ana"]["name"] == {"en": "Ana", "fr": "Ana"}
    assert accounts["police"]["name"] == {"en": "the police", "fr": "la police"}
    assert accounts["property:nuketown"]["name"]["fr"] == "Nuketown (ce qui s'y trouve)"
    commodities = by_id(known, "commodities", "commodity")
    assert commodities["mortgage"]["name"] == {"en": "mortgage", "fr": "hypothèque"}
    assert commodities["NGD"]["accounts"] == ["bank", "player:ana", "player:bob"]
    assert "contract_round" not in commodities


def test_what_is_listed_may_be_moved_and_what_is_not_is_refused(started: HttpTable) -> None:
    """The form offers a dose between bank and Bob, and the ruling takes it; a price is neither."""

    def moved(commodity: str) -> int:
        posting = {"from": "bank", "to": "player:bob", "commodity": commodity, "amount": 1}
        remedy = {"op": "adjust", "postings": [posting], "reason": "so"}
        ruling = {"finding": "So be it.", "remedies": [remedy], "dry_run": True}
        return int(started.banker.post("rulings", ruling).status_code)

    listed = by_id(started.banker.get("accounts?known=1").json, "commodities", "commodity")
    assert {"bank", "player:bob"} <= set(listed["dose"]["accounts"])
    assert (moved("dose"), moved("contract_round")) == (200, 409)


def test_nobody_learns_from_the_list_what_is_hidden(started: HttpTable) -> None:
    """Bob gets a hack of Ana by ruling: for Ana and for a spectator the list stays what it was."""
    before = [seat.get("accounts?known=1").json for seat in (started.ana, started.spectator)]
    remedy = {"op": "grant_service", "seat": "bob", "service": "hack", "target": "ana"}
    given = started.banker.post("rulings", {"finding": "He had paid.", "remedies": [remedy]})
    assert given.status_code == 201
    after = [seat.get("accounts?known=1").json for seat in (started.ana, started.spectator)]
    assert [{**one, "version": 0} for one in after] == [{**one, "version": 0} for one in before]
    assert "holdings" in started.ana.get("accounts").json["accounts"][0]

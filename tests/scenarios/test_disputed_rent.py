"""The disputed rent: a mortgage that the banker forgot, a rent of 450 ₦, and a quarrel five rounds later.

The recorded game has the evening as the table believed it. This file plays the dispute over HTTP, on a server of
its own. Ana had said aloud that she mortgages 420 rue des patates (right after action 25); Bruno paid her the rent
in action 28; he contests the rent in round 7.

With the mortgage where it belongs, by hand:

    Ana    330 - 160 (Bassland) + 60 (mortgage) = 230, no rent; - 220 (MP7 Studio) = 10: l'Elysée at 260 is void,
    so
           Chloé owes no rent there (- 22); at Spawn 250 - 3 x 10 instead of 250 - 4 x 10. 230 instead of 372.
    Bruno  490, no rent; + 200 (a loan that he would not have needed) - 180 + 230 = 740 instead of 290.
    Chloé  148 + 22 = 170.
    bank   -810 - 60 (mortgage) - 260 (l'Elysée) - 10 (Ana's pay) = -1140.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import httpx
import pytest

from tests.command.service import Service
from tests.harness.recorded import play

pytestmark = pytest.mark.xdist_group("command")

LINES = (files("replays") / "games" / "disputed_rent.jsonl").read_text(encoding="utf-8").splitlines()

BASSLAND, RENT, LOAN, ELYSEE, RENT_OF_ELYSEE, PAY = 25, 28, 37, 44, 50, 59
DISPUTE, RULING, OVERTURNED, UPHELD = 65, 68, 69, 70
BELIEVED = RULING - 1
"""The last action before the ruling: what the table knew until then."""

CLAIM = "Ana had mortgaged 420 rue des patates before I came. No rent was due."
FINDING = "The title was mortgaged aloud in round 2, so it paid no rent; the bank forgot to write it down."
REASON = "the mortgage that Ana announced in round 2"
MORTGAGE = {
    "op": "insert",
    "after": BASSLAND,
    "action": {"kind": "mortgage_property", "seat": "ana", "params": {"title": "420_rue_des_patates"}},
}
DROP = {"op": "drop", "action": RENT}
REPAID_AT_ONCE = {"op": "collect_loan", "loan": str(LOAN)}
RENT_BACK = {
    "op": "adjust",
    "postings": [{"commodity": "NGD", "amount": 450, "from": "player:ana", "to": "player:bruno"}],
    "reason": "the rent of round 2, paid back",
}
COUNTS = {"unchanged": 0, "undone": 0, "restored": 0, "restated": 0, "voided": 0, "inserted": 0}


class Table:
    """The game on its server, with all tokens."""

    def __init__(self, service: Service) -> None:
        self._service = service
        with service.client() as client:
            played = play(LINES, client)
        self.actions = played.actions
        self.path = f"/api/v1/games/{played.game}"
        self.game = played.game
        self._tokens = {**played.tokens["players"], "banker": played.tokens["banker"]}

    def ask(
        self, who: str, path: str, content: Any = None, *, language: str = "en", **query: Any
    ) -> httpx.Response:
        """An answer of the service. With content the request is a POST."""
        with self._service.client(self._tokens[who]) as client:
            return client.request(
                "GET" if content is None else "POST",
                path if path.startswith("/api") else f"{self.path}/{path}",
                json=content,
                params=query,
                headers={"Accept-Language": language},
            )

    def get(self, who: str, path: str, *, language: str = "en", **query: Any) -> dict[str, Any]:
        """Read something with a seat's token."""
        found: dict[str, Any] = self.ask(who, path, language=language, **query).raise_for_status().json()
        return found

    def post(self, who: str, path: str, content: dict[str, Any]) -> dict[str, Any]:
        """Write something with a seat's token."""
        answer = self.ask(who, path, content)
        assert answer.status_code == 201, answer.text
        entry: dict[str, Any] = answer.json()
        return entry

    def rule(self, *remedies: dict[str, Any], dry_run: bool = False) -> httpx.Response:
        """The ruling on the dispute, with these remedies."""
        asked = {"finding": FINDING, "rules": ["V.B.1", "V.D.2"], "remedies": remedies, "dry_run": dry_run}
        return self.ask("banker", f"disputes/{DISPUTE}/rulings", asked)

    def balances(self, who: str = "banker", **query: Any) -> dict[str, int]:
        """The ₦ of each player, as far as a viewer may see them."""
        accounts = self.get(who, "accounts", **query)["accounts"]
        return {
            one["account"].removeprefix("player:"): one["holdings"].get("NGD", 0)
            for one in accounts
            if one["account"].startswith("player:")
        }

    def audit(self, who: str, language: str = "en", **query: Any) -> dict[str, dict[str, Any]]:
        """The lines of the audit that a viewer reads, by the name of their action."""
        lines = self.get(who, "audit", language=language, limit=100, **query)["lines"]
        return {line["action"]: line for line in lines}


class Quarrel:
    """The story: every answer in order, up to the ruling."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.opened = table.post("bruno", "disputes", {"claim": CLAIM, "actions": [RENT], "rules": ["V.B.1"]})
        table.post("ana", f"disputes/{DISPUTE}/statements", {"text": "I said so, and never saw the 60 ₦."})
        table.post("banker", f"disputes/{DISPUTE}/statements", {"text": "I was pouring the tea."})
        self.queue = table.get("banker", "disputes", status="open")["disputes"]
        self.dropped = table.rule(_correct(DROP, "restate"), dry_run=True)
        self.refused = table.rule(_correct(MORTGAGE))
        self.mended = table.rule(_correct(MORTGAGE, "restate"), dry_run=True)
        self.restated = table.rule(_correct(MORTGAGE, "restate"), REPAID_AT_ONCE, dry_run=True)
        self.kept = table.rule(_correct(MORTGAGE, "keep"), RENT_BACK, dry_run=True)
        self.version_before = table.get("banker", "accounts")["version"]
        self.given = table.rule(_correct(MORTGAGE, "restate"), REPAID_AT_ONCE)


def _correct(edit: dict[str, Any], cascade: str | None = None) -> dict[str, Any]:
    chosen = {} if cascade is None else {"cascade": cascade}
    return {"op": "correct", "edits": [edit], "reason": REASON, **chosen}


@pytest.fixture(scope="module")
def table(service: Service) -> Table:
    """The recorded evening: sixty-three actions after the first one."""
    return Table(service)


@pytest.fixture(scope="module")
def quarrel(table: Table) -> Quarrel:
    return Quarrel(table)


# The quarrel


def test_the_tenant_opens_a_dispute_which_everybody_may_read(quarrel: Quarrel) -> None:
    """The dispute is about public actions, so it is public; and the game goes on."""
    assert quarrel.table.actions == 63
    assert quarrel.opened["number"] == DISPUTE
    assert quarrel.opened["balances"] == {}
    dispute = quarrel.table.get("chloe", f"disputes/{DISPUTE}")["dispute"]
    assert (dispute["opener"], dispute["actions"], dispute["parties"]) == ("bruno", [RENT], None)
    assert [(said["by"], said["text"]) for said in dispute["statements"]] == [
        ("ana", "I said so, and never saw the 60 ₦."),
        ("banker", "I was pouring the tea."),
    ]


def test_it_waits_in_the_banker_s_queue(quarrel: Quarrel) -> None:
    (waiting,) = quarrel.queue
    assert (waiting["id"], waiting["status"], waiting["claim"]) == (str(DISPUTE), "open", CLAIM)
    assert quarrel.table.get("banker", "disputes", status="open")["disputes"] == []


# The banker's previews


def test_dropping_the_rent_alone_changes_nothing_because_it_is_due(quarrel: Quarrel) -> None:
    """Bruno cannot end his turn with an unpaid rent: the game posts it by itself, and the evening stays so."""
    preview = quarrel.dropped.json()["correction"]
    assert preview["counts"] == COUNTS | {"unchanged": 39, "undone": 1, "inserted": 1}
    (step,) = preview["inserted"]
    assert (step["kind"], step["seat"], step["by"], step["before"]) == ("resolve_square", "bruno", "system", 29)
    assert (preview["voided"], preview["restated"], preview["holdings"]) == ([], [], {})


def test_the_preview_tells_what_would_fall_and_what_would_change(quarrel: Quarrel) -> None:
    preview = quarrel.restated.json()["correction"]
    assert preview["counts"] == COUNTS | {"unchanged": 39, "restated": 3, "voided": 1, "inserted": 1}
    (fallen,) = preview["voided"]
    assert fallen == {
        "action": ELYSEE,
        "number": ELYSEE,
        "kind": "buy_property",
        "seat": "ana",
        "cause": 1,
        "because": RENT,
        "sentence": "Ana buys l'Elysée for ₦260.",
        "why": {"rule": "I.B.3", "text": "Ana has ₦10 and cannot spend ₦260 without ₦250 more"},
    }
    assert [(one["number"], one["seat"]) for one in preview["restated"]] == [
        (RENT, "bruno"),
        (RENT_OF_ELYSEE, "chloe"),
        (PAY, "ana"),
    ]
    paid = [
        [sum(posting["amount"] for event in events for posting in event["postings"]) for events in change]
        for change in ((one["before"], one["after"]) for one in preview["restated"])
    ]
    assert paid == [[450, 0], [22, 0], [210, 220]]
    (inserted,) = preview["inserted"]
    assert (inserted["action"], inserted["after"], inserted["seat"]) == (f"{RULING}.1", BASSLAND, "ana")
    assert inserted["events"][0]["text"].endswith("₦60 paid.")


def test_the_preview_tells_who_would_be_poorer_and_by_how_much(quarrel: Quarrel) -> None:
    """Ana loses 142 ₦ and l'Elysée. Bruno gains 450, of which 200 repay the loan that is unnecessary now."""
    mended = quarrel.mended.json()["correction"]
    assert mended["holdings"]["player:bruno"] == {"NGD": {"before": 290, "after": 740}}
    assert mended["agreements"] == []
    dry = quarrel.restated.json()
    assert dry["correction"]["holdings"] == {
        "bank": {
            "NGD": {"before": -810, "after": -1140 + 200},
            "mortgage": {"before": 0, "after": -1},
            "title:elysee": {"before": 0, "after": 1},
        },
        "player:ana": {"NGD": {"before": 372, "after": 230}, "title:elysee": {"before": 1, "after": 0}},
        "player:bruno": {"NGD": {"before": 290, "after": 740 - 200}},
        "player:chloe": {"NGD": {"before": 148, "after": 170}},
        "property:420_rue_des_patates": {"mortgage": {"before": 0, "after": 1}},
    }
    assert dry["correction"]["table"] == [
        {"path": "/titles/420_rue_des_patates/mortgaged", "before": False, "after": True},
        {"path": "/titles/elysee/owner", "before": "ana", "after": None},
    ]
    assert dry["correction"]["agreements"] == [
        {"path": f"/loans/{LOAN}/status", "before": "open", "after": "collected"},
        {"path": f"/loans/{LOAN}/outstanding", "before": 200, "after": 0},
    ]


def test_a_ruling_that_spreads_is_not_given_unless_the_banker_says_how(quarrel: Quarrel) -> None:
    """The default cascade is `refuse`: 409, with the same preview as a dry run."""
    assert quarrel.refused.status_code == 409
    problem = quarrel.refused.json()
    assert problem["type"] == "/problems/would-spread"
    assert problem["preview"] == quarrel.mended.json()["correction"]


def test_the_alternative_keeps_what_happened_and_moves_the_money(quarrel: Quarrel) -> None:
    """Ana keeps l'Elysée, and would be in debt: 372 + 60 - 450 = -18. Bruno gets his 450."""
    dry = quarrel.kept.json()
    assert dry["correction"]["counts"] == COUNTS | {"unchanged": 43, "inserted": 1}
    assert dry["correction"]["holdings"] == {
        "bank": {"NGD": {"before": -810, "after": -870}, "mortgage": {"before": 0, "after": -1}},
        "player:ana": {"NGD": {"before": 372, "after": -18}},
        "player:bruno": {"NGD": {"before": 290, "after": 740}},
        "property:420_rue_des_patates": {"mortgage": {"before": 0, "after": 1}},
    }


def test_looking_has_changed_nothing(quarrel: Quarrel) -> None:
    assert [one.status_code for one in (quarrel.dropped, quarrel.mended, quarrel.restated, quarrel.kept)] == [
        200
    ] * 4
    assert quarrel.version_before == BELIEVED


# The ruling


def test_the_ruling_is_one_action_with_a_receipt(quarrel: Quarrel) -> None:
    assert quarrel.given.status_code == 201
    entry = quarrel.given.json()
    assert (entry["number"], entry["kind"], entry["by"]) == (RULING, "rule", "banker")
    assert [event["kind"] for event in entry["events"]] == [
        "history_corrected",
        "loan_collected",
        "ruling_given",
    ]
    for who in ("ana", "bruno", "banker"):
        assert quarrel.table.get(who, f"actions/{RULING}")["receipt"] == entry["receipt"]
    assert len(entry["receipt"]["leaf"]) == 64


def test_it_comes_to_what_the_preview_said(quarrel: Quarrel) -> None:
    state = quarrel.table.get("banker", "state", at=RULING)
    assert state["accounts"]["player:bruno"]["NGD"] == 540
    assert quarrel.table.balances(at=RULING) == {"ana": 230, "bruno": 540, "chloe": 170}
    titles = state["table"]["titles"]
    assert ("owner" in titles["elysee"], titles["420_rue_des_patates"]["mortgaged"]) == (False, True)
    (loan,) = quarrel.table.get("bruno", "loans")["agreements"]
    assert (loan["id"], loan["status"], loan["outstanding"]) == (str(LOAN), "collected", 0)


@pytest.mark.parametrize(
    ("at", "known_at", "ana", "bruno", "chloe"),
    [
        pytest.param(RENT, BELIEVED, 620, 40, 510, id="right after the rent, as it was believed"),
        pytest.param(RENT, RULING, 230, 490, 510, id="right after the rent, as it was in fact"),
        pytest.param(BELIEVED, BELIEVED, 372, 290, 148, id="before the ruling, as it was believed"),
        pytest.param(BELIEVED, RULING, 230, 740, 170, id="before the ruling, as it was in fact"),
    ],
)
def test_two_times_are_read(quarrel: Quarrel, at: int, known_at: int, ana: int, bruno: int, chloe: int) -> None:
    found = quarrel.table.balances(at=at, known_at=known_at)
    assert found == {"ana": ana, "bruno": bruno, "chloe": chloe}


def test_the_statements_before_and_after(quarrel: Quarrel) -> None:
    def balances(seat: str, known_at: int) -> list[int]:
        lines = quarrel.table.get(
            seat, f"accounts/player:{seat}/statement", commodity="NGD", at=known_at, known_at=known_at
        )["lines"]
        return [line["balance"] for line in lines]

    opening = [500, 650, 590, 540, 490]
    assert balances("bruno", BELIEVED) == [*opening, 40, 240, 60, 290]
    assert balances("bruno", RULING) == [*opening, 690, 510, 740, 540]
    opening = [500, 650, 530, 480, 430, 380, 330, 170]
    assert balances("ana", BELIEVED) == [*opening, 620, 400, 140, 162, 372]
    assert balances("ana", RULING) == [*opening, 230, 10, 230]


# Readings of the parties


@pytest.mark.parametrize("party", ["ana", "bruno"])
@pytest.mark.parametrize(
    ("language", "sentences", "why"),
    [
        (
            "en",
            {
                RENT: "Bruno pays Ana ₦450 of rent for 420 rue des patates (4 houses).",
                RENT_OF_ELYSEE: "Chloé pays Ana ₦22 of rent for l'Elysée (0 houses).",
                PAY: "Ana is paid ₦210: ₦250 less ₦40 for 4 titles.",
            },
            f"played again by ruling {RULING}: {REASON}",
        ),
        (
            "fr",
            {
                RENT: "Bruno paie 450 ₦ de loyer à Ana pour 420 rue des patates (4 maisons).",
                RENT_OF_ELYSEE: "Chloé paie 22 ₦ de loyer à Ana pour l'Elysée (0 maison).",
                PAY: "Ana touche 210 ₦\u00a0: 250 ₦ moins 40 ₦ pour 4 titres.",
            },
            f"rejouée par la décision {RULING}\u00a0: {REASON}",
        ),
    ],
)
def test_both_parties_read_the_audit(
    quarrel: Quarrel, party: str, language: str, sentences: dict[int, str], why: str
) -> None:
    lines = quarrel.table.audit(party, language, known_at=RULING)
    for number, sentence in sentences.items():
        line = lines[number]
        assert line["status"] == "restated"
        assert line["status_text"] == why
        assert sentence in line["recorded"]["sentence"]
        assert sentence not in line["sentence"]
        assert [one["correction"] for one in line["touched_by"]["corrections"]] == [RULING]


@pytest.mark.parametrize("party", ["ana", "bruno"])
@pytest.mark.parametrize(
    ("language", "fallen", "funds", "inserted"),
    [
        (
            "en",
            f"made impossible by ruling {RULING}: {REASON}",
            ". Ana has ₦10 and cannot spend ₦260 without ₦250 more (I.B.3)",
            f"inserted by ruling {RULING}: {REASON}",
        ),
        (
            "fr",
            f"rendue impossible par la décision {RULING}\u00a0: {REASON}",
            ". Ana a 10 ₦ et ne peut pas dépenser 260 ₦ sans 250 ₦ de plus (I.B.3)",
            f"insérée par la décision {RULING}\u00a0: {REASON}",
        ),
    ],
)
def test_both_read_that_the_purchase_fell_and_what_was_forgotten(
    quarrel: Quarrel, party: str, language: str, fallen: str, funds: str, inserted: str
) -> None:
    """Ana reads how much she would have held when she could not buy; Bruno does not."""
    lines = quarrel.table.audit(party, language, known_at=RULING)
    told = fallen + funds if party == "ana" else fallen
    assert (lines[ELYSEE]["status"], lines[ELYSEE]["status_text"]) == ("voided", told)
    assert [posting["counts"] for posting in lines[ELYSEE]["postings"]] == [False, False]
    assert lines[f"{RULING}.1"]["status_text"] == inserted
    order = list(lines)
    assert order[order.index(BASSLAND) + 1] == f"{RULING}.1"


def test_the_rent_names_the_dispute_and_the_ruling_that_touch_it(quarrel: Quarrel) -> None:
    touched = quarrel.table.audit("ana", known_at=RULING)[RENT]["touched_by"]
    assert [(one["dispute"], one["opener_name"], one["status"]) for one in touched["disputes"]] == [
        (str(DISPUTE), "Bruno", "ruled")
    ]
    assert [(one["ruling"], one["finding"]) for one in touched["rulings"]] == [(str(RULING), FINDING)]


def test_the_journal_keeps_what_was_written_and_marks_it(quarrel: Quarrel) -> None:
    for number, status in ((RENT, "restated"), (ELYSEE, "voided"), (PAY, "restated"), (LOAN, "effective")):
        entry = quarrel.table.get("bruno", f"actions/{number}")
        assert entry["status"] == status
        assert entry["corrected_by"] == (None if status == "effective" else RULING)
    rent = quarrel.table.get("bruno", f"actions/{RENT}")
    assert rent["events"][0]["postings"] == [
        {"commodity": "NGD", "amount": 450, "from": "player:bruno", "to": "player:ana"}
    ]
    assert [event["kind"] for event in rent["restated"]] == ["square_resolved"]


def test_why_bruno_has_what_he_has(quarrel: Quarrel) -> None:
    why = quarrel.table.get("bruno", "why", account="player:bruno", commodity="NGD", at=RULING)
    assert (why["amount"], why["recorded"]) == (540, 540 - 450)
    assert why["corrections"] == [
        {
            "correction": RULING,
            "reason": REASON,
            "change": 450,
            "actions": [{"action": RENT, "status": "restated", "change": 450}],
        }
    ]


@pytest.mark.parametrize("stranger", ["ana", "chloe"])
def test_the_loan_stays_bruno_s_secret(quarrel: Quarrel, stranger: str) -> None:
    """They read the whole ruling except the remedy on the loan, of which they only see that it exists."""
    table = quarrel.table
    whole: dict[str, Any] = {"limit": 100}
    asked = {"actions": whole, "audit": whole, "state": {}, "rulings": {}, f"actions/{RULING}": {}}
    for path, query in asked.items():
        shown = table.ask(stranger, path, **query).text
        assert FINDING in shown or path == "state"
        assert "loan_collected" not in shown
        assert "loan_taken" not in shown
        assert "borrows" not in shown
        assert "collect_loan" not in shown
    assert table.get(stranger, "loans")["agreements"] == []
    (ruling,) = table.get(stranger, "rulings")["rulings"]
    assert ruling["remedies"] == ["correct", "private"]
    assert "Bruno's loan" in table.audit("bruno")[RULING]["sentence"]


# Afterwards


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"rule": "V.B.1"}, True),
        ({"rule": "V.D.2", "words": "Mortgaged ALOUD"}, True),
        ({"words": "forgot rent"}, True),
        ({"rule": "V.B.2"}, False),
        ({"rule": "V.B.1", "words": "squatted"}, False),
    ],
)
def test_the_precedent_is_found_by_rule_and_words(quarrel: Quarrel, query: dict[str, str], found: bool) -> None:
    table = quarrel.table
    rulings = [
        one for one in table.get("chloe", "/api/v1/rulings", **query)["rulings"] if one["game"] == table.game
    ]
    assert [(one["number"], one["dispute"], one["claim"], one["actions"], one["rules"]) for one in rulings] == (
        [(RULING, str(DISPUTE), CLAIM, [RENT], ["V.B.1", "V.D.2"])] if found else []
    )


def test_the_ruling_is_overturned_and_upheld(quarrel: Quarrel) -> None:
    """The undone ruling restores the old state and the open dispute; the redone ruling stands again."""
    table = quarrel.table
    undone = table.post("banker", "undo", {"action": RULING, "reason": "a witness remembers it otherwise"})
    assert undone["number"] == OVERTURNED
    assert table.balances() == {"ana": 372, "bruno": 290, "chloe": 148}
    assert [one["id"] for one in table.get("bruno", "disputes", status="open")["disputes"]] == [str(DISPUTE)]
    (loan,) = table.get("bruno", "loans")["agreements"]
    assert (loan["status"], loan["outstanding"]) == ("open", 200)
    (ruling,) = table.get("chloe", "rulings")["rulings"]
    assert (ruling["status"], ruling["overturned_by"]) == ("overturned", OVERTURNED)
    assert table.audit("ana")[ELYSEE]["status"] == "effective"

    redone = table.post("banker", "redo", {"action": RULING, "reason": "the witness was not there"})
    assert redone["number"] == UPHELD
    assert table.balances() == {"ana": 230, "bruno": 540, "chloe": 170}
    assert table.get("bruno", "disputes", status="open")["disputes"] == []
    (ruling,) = table.get("chloe", "rulings")["rulings"]
    assert (ruling["status"], ruling["overturned_by"]) == ("standing", None)
    assert [table.balances(known_at=known)["bruno"] for known in (BELIEVED, RULING, OVERTURNED, UPHELD)] == [
        290,
        540,
        290,
        540,
    ]

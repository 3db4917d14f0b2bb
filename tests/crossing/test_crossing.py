"""Short evenings of every rulebook, as `make crossing` plays them; and the program finds planted faults."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest

from tests.crossing import counting
from tests.crossing.evenings import play
from tests.crossing.findings import Finding
from tests.crossing.followers import merged
from tests.crossing.holding import differing
from tests.crossing.house import API, House
from tests.crossing.plans import RULEBOOKS, Plan, plan_of
from tests.crossing.sentences import Glossary, wrong_in
from tests.crossing.shrinking import shrunk

STEPS = 10
SEEDS = {name: f"short {name}" for name in RULEBOOKS}


@pytest.fixture(scope="module")
def house(new_database: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(new_database, tmp_path_factory.mktemp("crossing"))
    yield house
    house.close()


@pytest.fixture(scope="module")
def schemas(house: House) -> dict[str, Any]:
    with house.client() as client:
        return {name: client.get(f"{API}/rulebooks/{name}").json()["settings"] for name in RULEBOOKS}


@pytest.mark.xdist_group("crossing")
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_short_evening(house: House, schemas: dict[str, Any], rulebook: str) -> None:
    plan = plan_of(SEEDS[rulebook], schemas, rulebook=rulebook, steps=STEPS)
    played = play(house, replace(plan, workers=1, extras=frozenset()), short=True)
    assert played.findings == []
    assert played.counts["actions"] > 1


# The program finds what is planted -----------------------------------------------------------------


class CrookedHouse(House):
    """A house whose answers are changed on their way to the table."""

    def __init__(self, house: House, change: Callable[[httpx.Request, bytes], bytes | None]) -> None:
        self.__dict__.update(house.__dict__)
        self._change = change

    def client(self) -> httpx.Client:
        client = super().client()
        client.event_hooks["response"] = [self._alter]
        return client

    def _alter(self, response: httpx.Response) -> None:
        changed = self._change(response.request, response.read())
        if changed is not None:
            response._content = changed


def _richer(request: httpx.Request, content: bytes) -> bytes | None:
    """Give the bank one more of everything in the list of accounts."""
    if not request.url.path.endswith("/accounts"):
        return None
    answer = json.loads(content)
    for account in answer["accounts"]:
        if account["account"] == "bank":
            account["holdings"] = {name: amount + 1 for name, amount in account["holdings"].items()}
    return json.dumps(answer).encode()


def _another_phase(request: httpx.Request, content: bytes) -> bytes | None:
    """Read another round in the state than the stream told."""
    if not request.url.path.endswith("/state"):
        return None
    return json.dumps({**json.loads(content), "round": 99}).encode()


def _an_id(request: httpx.Request, content: bytes) -> bytes | None:
    """Name a purse by its id in a label."""
    if not request.url.path.endswith("/state"):
        return None
    state = json.loads(content)
    state["phase"] = {**state["phase"], "label": f"player:{state['seats'][0]['seat']} throws"}
    return json.dumps(state).encode()


def _nothing_offered(request: httpx.Request, content: bytes) -> bytes | None:
    """Offer nobody anything."""
    if not request.url.path.endswith("/moves"):
        return None
    return json.dumps({**json.loads(content), "moves": []}).encode()


def _more_moved(request: httpx.Request, content: bytes) -> bytes | None:
    """Tell of a posting in the audit that the journal does not have."""
    if not request.url.path.endswith("/audit"):
        return None
    answer = json.loads(content)
    for line in answer["lines"]:
        line["postings"] = [*line["postings"], *line["postings"][:1]]
    return json.dumps(answer).encode()


def _another_debt(request: httpx.Request, content: bytes) -> bytes | None:
    """Tell of a debt in the list of obligations that the state does not have."""
    if not request.url.path.endswith("/obligations"):
        return None
    debt = {"kind": "debt", "status": "due", "about": "", "text": "Zoé owes the bank ₦5 (fine)."}
    return json.dumps({"obligations": [*json.loads(content)["obligations"], debt]}).encode()


@pytest.mark.xdist_group("crossing")
@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (_richer, "sums are not zero"),
        (_another_phase, "the stream tells another state"),
        (_an_id, "a sentence: an id"),
        (_nothing_offered, "awaited and not offered: join_game"),
        (_more_moved, "the audit tells other postings than the journal"),
        (_another_debt, "state and list owe otherwise"),
    ],
    ids=["a sum", "a state", "an id in a sentence", "nothing offered", "a posting", "a debt"],
)
def test_a_planted_fault_is_found(
    house: House, schemas: dict[str, Any], change: Callable[[httpx.Request, bytes], bytes | None], kind: str
) -> None:
    plan = plan_of("planted", schemas, rulebook="negopoly", steps=1)
    plan = replace(plan, workers=1, extras=frozenset(), dice="table", settings={})
    played = play(CrookedHouse(house, change), plan, short=True, patience=0.0, until=kind)
    assert kind in {finding.kind for finding in played.findings}


def test_throws_and_rents_are_counted_from_tables_alone() -> None:
    events = 'kind,counts,data\ndice_thrown,true,"{""seat"": ""ana"", ""dice"": [2, 2]}"\ndice_thrown,false,{}\n'
    assert counting.throws(events, "movement dice") == {"ana": {2: 2}}
    postings = (
        "kind,counts,commodity,amount,source,target\n"
        "rent_paid,true,NGD,50,player:ana,player:bob\nrent_paid,false,NGD,9,player:ana,player:bob\n"
    )
    owners = {"player:ana": "ana", "player:bob": "bob"}
    assert counting.rents(postings, "NGD", owners) == {("ana", "bob"): 50}
    assert counting.balances(postings, "NGD", owners) == {"ana": -50, "bob": 50}


def test_a_patch_removes_what_is_null_and_keeps_the_rest() -> None:
    assert merged({"a": {"b": 1, "c": 2}, "d": 3}, {"a": {"b": None}, "e": 4}) == {"a": {"c": 2}, "d": 3, "e": 4}
    assert differing({"a": {"b": 1}}, {"a": {"b": 2}}) == ["/a/b: 1 / 2"]


NAMES = {
    "seats": [{"name": "Zoé"}],
    "commodities": {"COIN": {"name": "shells", "plural": "shells"}, "rpg7": {"name": "RPG-7", "plural": "RPG-7"}},
    "accounts": {"player:q7": "Zoé"},
}


@pytest.mark.parametrize(
    ("sentence", "language", "kind"),
    [
        ("player:q7 does not hold 1 shell", "en", "an id"),
        ("q7 pays ₦5.", "en", "an id"),
        ("Zoé buys rpg7.", "en", "an id"),
        ("Zoé pays None to the bank.", "en", "a hole"),
        ("Zoé pays {amount}.", "en", "a hole"),
        ("Zoé paie le loyer dans les temps", "en", "not in en"),
        ("the turn of Zoé is over and done", "fr", "not in fr"),
        ("Zoé pays ₦5 to the bank.", "en", None),
        ("Zoé paie 5 ₦ à la banque.", "fr", None),
        ("Zoé: “the best of the dice”", "fr", None),
    ],
)
def test_what_is_wrong_with_a_sentence(sentence: str, language: str, kind: str | None) -> None:
    glossary = Glossary(NAMES, NAMES, ["q7"])
    kinds = [wrong.kind for wrong in wrong_in({"sentence": sentence}, language, glossary)]
    assert kinds == ([] if kind is None else [kind])


def test_a_failing_evening_is_shrunk_to_the_steps_that_break_it() -> None:
    plan = Plan("1", "negopoly", "table", (), {}, board=None, languages={}, workers=1, steps=40)
    finding = Finding("c", "sums are not zero", "")

    def findings_of(shorter: Plan) -> list[Finding]:
        return [finding] if {7, 31} <= set(shorter.numbers) else []

    assert shrunk(plan, finding, findings_of, tries=60).numbers == (7, 31)

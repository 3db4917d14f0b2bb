"""GET moves: what a page offers each seat, and the words of the catalogue."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from tests.tables.over_http import BASE, HttpTable, problem


def test_a_move_says_what_people_read_and_what_an_action_takes(started: HttpTable) -> None:
    rolling = started.ana.get("moves", Accept_Language="fr").json["moves"][0]
    rules = rolling.pop("rules")
    assert "II.B.4" in rules
    assert rolling == {
        "id": "roll_dice",
        "kind": "roll_dice",
        "params": {},
        "free": {},
        "label": {"en": "Roll the dice", "fr": "Lancer les dés"},
        "group": {"id": "turn", "label": "Tour", "order": 1},
        "rank": "due",
        "only": True,
        "verbs": {"en": ["roll", "dice", "throw"], "fr": ["lancer", "dés", "jet"]},
        "bare": False,
        "final": False,
        "draws": [
            {
                "name": "movement dice",
                "label": {"en": "the dice of the move", "fr": "les dés du déplacement"},
                "kind": "die",
                "count": 2,
                "sides": 6,
                "parameter": "dice",
            }
        ],
    }


def test_a_move_tells_what_may_be_chosen_and_within_which_bounds(started: HttpTable) -> None:
    """Ana has 1650 ₦, and the bank lends 500 ₦ at most; a dispute needs a claim, and may name actions."""
    moves = {move["id"]: move for move in started.ana.get("moves").json["moves"]}
    amount = {"x-kind": "amount", "required": True, "minimum": 1}
    assert moves["transfer_money"]["free"] == {"amount": {**amount, "maximum": 1650}}
    assert moves["take_loan"]["free"] == {"amount": {**amount, "maximum": 500}}
    disputing = moves["open_dispute"]["free"]
    assert disputing["claim"] == {"x-kind": "text", "required": True}
    assert disputing["actions"] == {"x-kind": "list", "required": False}


def test_the_banker_reads_the_moves_of_all_seats_at_once(started: HttpTable) -> None:
    everybody = started.banker.get("moves?seat=all").json
    assert everybody["version"] == 6
    assert [one.get("seat") for one in everybody["seats"]] == ["ana", "bob", None]
    for one in everybody["seats"]:
        alone = started.banker.get(f"moves?seat={one['seat']}" if "seat" in one else "moves").json
        assert alone["moves"] == one["moves"]
    banker, *seats = ({move["kind"] for move in one["moves"]} for one in reversed(everybody["seats"]))
    assert "end_game" in banker
    assert not any("end_game" in kinds for kinds in seats), "the banker's own move is offered once"
    assert all("issue_warrant" in kinds for kinds in seats), "a warrant needs a seat"
    for caller in (started.ana, started.spectator):
        problem(caller.get("moves?seat=all"), 403, "not-yours")


def test_why_not_names_the_action_and_has_the_text_of_the_rule(started: HttpTable) -> None:
    (obstacle,) = started.bob.get("moves?explain=roll_dice", Accept_Language="fr").json["obstacles"]
    assert (obstacle["label"], obstacle["rule"]) == ("Lancer les dés", "II.D.4")
    rule = started.client.get(f"{BASE}/rulebooks/negopoly/rules/II.D.4", headers={"Accept-Language": "fr"}).json
    assert obstacle["rule_text"] == rule["requires"]


def test_the_catalogue_has_the_words_of_each_kind(started: HttpTable) -> None:
    kind = started.client.get(f"{BASE}/rulebooks/negopoly/actions/buy_property").json
    assert kind["label"] == {"en": "Buy a title", "fr": "Acheter une propriété"}
    assert kind["verbs"]["fr"] == ["acheter", "achat"]
    assert kind["group"] == {"id": "estate", "label": "Titles", "order": 5}
    assert (kind["bare"], kind["final"]) == (False, False)


def parts(table: HttpTable, kind: str, *given: str, who: str = "ana") -> dict[str, Any]:
    """The next step of an action of this kind."""
    query = urlencode([("kind", kind), *(("given", one) for one in given)])
    found: dict[str, Any] = getattr(table, who).get(f"moves?{query}").json["parts"]
    return found


def test_an_action_is_chosen_in_parts(started: HttpTable) -> None:
    """First the seat, then the amount; what is offered is sent back as it is, and the act as it stands."""
    first = parts(started, "transfer_money")
    assert (first["kind"], first["given"], first["whole"]) == ("transfer_money", [], True)
    (option,) = first["options"]
    label = {"en": "Bob", "fr": "Bob"}
    assert option == {"given": '/to="bob"', "at": "/to", "x-kind": "seat", "value": "bob", "label": label}
    assert "act" not in first
    second = parts(started, "transfer_money", option["given"])
    assert second["given"] == [option["given"]]
    assert second["free"] == [{"at": "/amount", "x-kind": "amount", "minimum": 1, "maximum": 1650}]
    act = parts(started, "transfer_money", option["given"], "/amount=45")["act"]
    costs = [{"commodity": "NGD", "amount": 45}]
    assert act == {"kind": "transfer_money", "params": {"to": "bob", "amount": 45}, "cost": 45, "costs": costs}
    assert started.ana.play(act["kind"], **act["params"])["number"] == 7
    assert "act" not in parts(started, "transfer_money", option["given"], "/amount=1606")


def test_moves_of_a_kind_in_parts_are_those_of_the_kind_alone(started: HttpTable) -> None:
    moves = started.ana.get("moves?kind=transfer_money").json["moves"]
    assert [move["kind"] for move in moves] == ["transfer_money"]
    assert "parts" not in started.ana.get("moves").json


def test_parts_of_another_seat_and_of_no_action_are_refused(started: HttpTable) -> None:
    """A player chooses for the own seat alone; a part is a place and a value, of this action."""
    problem(started.ana.get("moves?seat=bob&kind=transfer_money"), 403, "not-yours")
    problem(started.ana.get("moves?kind=end_game"), 403, "not-yours")
    problem(started.ana.get("moves?kind=fly"), 422, "invalid-request")
    for wrong in ("to", "/to", "/to=bob", "/house=1", "/to/0=1", "", "/to/-=1", f"/to={'[' * 3900}"):
        problem(
            started.ana.get(f"moves?{urlencode([('kind', 'transfer_money'), ('given', wrong)])}"),
            422,
            "invalid-request",
        )
    assert started.spectator.get("moves?kind=transfer_money").status_code == 403

"""GET moves: what a page offers each seat, and the words of the catalogue."""

from __future__ import annotations

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

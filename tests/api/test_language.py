"""English and French, by the Accept-Language header."""

import pytest
from flask.testing import FlaskClient

from api.rest.running.context import preferred
from tests.tables.over_http import BASE, HttpTable, problem


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("fr-CA", "fr"),
        ("en, fr;q=0.9", "en"),
        ("en;q=0.3, fr;q=0.8", "fr"),
        ("de, fr;q=0.5, en;q=0.1", "fr"),
        ("de", "en"),
        ("*", "en"),
        ("fr;q=0, en", "en"),
        (";;;,,,=", "en"),
    ],
)
def test_which_language_is_preferred(accepted: str, language: str) -> None:
    assert preferred(accepted) == language


def test_sentences(started: HttpTable) -> None:
    started.ana.play("transfer_money", to="bob", amount=200)
    french = started.ana.get("actions/7", Accept_Language="fr-FR, en;q=0.5")
    assert french.headers["Content-Language"] == "fr"
    assert french.json["events"][0]["text"] == "Ana donne 200 ₦ à Bob."
    english = started.ana.get("actions/7")
    assert english.headers["Content-Language"] == "en"
    assert english.json["events"][0]["text"] == "Ana gives ₦200 to Bob."
    lines = started.ana.get("accounts/player:ana/statement", Accept_Language="fr").json["lines"]
    assert lines[-1]["text"] == "Ana donne 200 ₦ à Bob."


def test_problems(started: HttpTable) -> None:
    asked = {"to": "bob", "amount": 9000}
    english = problem(started.ana.act("transfer_money", params=asked), 409, "rule-broken")
    answer = started.ana.act("transfer_money", params=asked, headers={"Accept_Language": "fr"})
    french = problem(answer, 409, "rule-broken")
    assert english["title"] == "A rule forbids it"
    assert french["title"] == "Une règle l'interdit"
    assert answer.headers["Content-Language"] == "fr"
    assert "Ana has ₦1650 and cannot spend ₦9000 without ₦7350 more" in english["detail"]
    assert "Ana a 1650 ₦ et ne peut pas dépenser 9000 ₦ sans 7350 ₦ de plus" in french["detail"]


def test_wrong_shapes(started: HttpTable) -> None:
    answer = started.ana.act(
        "transfer_money", params={"to": "bob", "amount": -5}, headers={"Accept_Language": "fr"}
    )
    detail = problem(answer, 422, "invalid-parameters")["detail"]
    assert ": au moins 1" in detail
    assert "reçu\u00a0: -5" in detail


def test_rules_and_actions(client: FlaskClient) -> None:
    french = {"Accept-Language": "fr"}
    english = client.get(f"{BASE}/rulebooks/negopoly/rules/I.B.6").json
    translated = client.get(f"{BASE}/rulebooks/negopoly/rules/I.B.6", headers=french)
    assert translated.headers["Content-Language"] == "fr"
    assert translated.json["id"] == english["id"] == "I.B.6"
    assert translated.json["requires"] != english["requires"]
    action = f"{BASE}/rulebooks/negopoly/actions/transfer_money"
    assert client.get(action).json["summary"] == "give money to another player"
    assert client.get(action, headers=french).json["summary"] == "donner de l'argent à un autre joueur"


def test_the_page_of_a_problem(client: FlaskClient) -> None:
    page = client.get("/problems/game-over", headers={"Accept-Language": "fr"})
    assert "La partie est terminée" in page.text
    assert '<html lang="fr">' in page.text


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("actions?order=upwards", "Les valeurs possibles sont\u00a0: oldest, newest."),
        ("actions?limit=many", "Ce n'est pas un nombre entier."),
        ("actions?colour=red", "Ce paramètre est inconnu."),
        ("actions?cursor=nonsense", "pas un curseur de cette liste"),
        ("moves?seat=eve", "aucun siège de cette partie"),
        ("state?at=99", "il n'y a pas d'action 99\u00a0; la dernière est la 6"),
    ],
)
def test_each_fault_of_a_query_is_told_in_the_language_of_the_answer(
    started: HttpTable, path: str, told: str
) -> None:
    answer = started.banker.get(path, Accept_Language="fr")
    assert [fault["detail"] for fault in answer.json["errors"]] == [told]
    assert [fault["detail"] for fault in started.banker.get(path).json["errors"]] != [told]


def test_each_fault_of_a_body_is_told_in_the_language_of_the_answer(started: HttpTable) -> None:
    answer = started.ana.act("transfer_money", params={"amount": 5}, headers={"Accept_Language": "fr"})
    assert [fault["detail"] for fault in answer.json["errors"]] == ["params/to\u00a0: il manque le champ `to`"]


def test_who_may_not_look_is_told_names_and_no_ids(started: HttpTable) -> None:
    detail = problem(started.ana.get("moves?seat=bob"), 403, "not-yours")["detail"]
    assert detail == "only the banker and Bob see what Bob may do"

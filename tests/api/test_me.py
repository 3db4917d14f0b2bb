"""What a token is, and where everything is: the first two requests of a page."""

from flask.testing import FlaskClient

from tests.tables.over_http import BASE, HttpTable, problem

ME = f"{BASE}/me"


def test_ana_learns_who_she_is(table: HttpTable) -> None:
    answer = table.ana.get(ME)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    (own,) = (row["id"] for row in table.banker.get("tokens").json["tokens"] if row["seat"] == "ana")
    (seat,) = (one for one in table.ana.get().json["seats"] if one["seat"] == "ana")
    assert answer.json == {
        "game": table.game,
        "rulebook": "negopoly",
        "title": table.ana.get().json["title"],
        "role": "player",
        **seat,
        "token": own,
        "may": ["read", "act", "dispute", "ask_for_undo"],
        "log": table.banker.get(ME).json["log"],
    }
    assert str(table.ana.token) not in answer.text


def test_the_banker_and_a_spectator_have_no_seat(table: HttpTable) -> None:
    banker, spectator = table.banker.get(ME).json, table.spectator.get(ME).json
    for one in (banker, spectator):
        assert one.keys() == {"game", "rulebook", "title", "role", "token", "may", "log"}
    assert spectator["may"] == ["read"]
    assert {"read_everything", "act_for_others", "correct", "rule", "invite", "manage_tokens"} <= set(
        banker["may"]
    )


def test_a_revoked_token_is_nobody(table: HttpTable) -> None:
    problem(table.stranger.get(ME), 401, "token-missing")
    assert table.banker.delete(f"tokens/{table.ana.get(ME).json['token']}").status_code == 204
    problem(table.ana.get(ME), 401, "token-unknown")


def test_the_index_lists_every_resource(client: FlaskClient) -> None:
    answer = client.get(BASE)
    assert answer.status_code == 200
    assert '</openapi.json>; rel="service-desc"' in answer.headers["Link"]
    listed = {one["template"]: one for one in answer.json["resources"]}
    document = client.get("/openapi.json").json
    described = {path: set(item) for path, item in document["paths"].items() if path.startswith(f"{BASE}/")}
    assert listed.keys() == described.keys()
    for template, one in listed.items():
        assert {method.lower() for method in one["methods"]} == described[template] & {"get", "post", "delete"}
        assert one["title"]
    assert listed[f"{BASE}/join"]["methods"] == ["POST"]
    assert all(client.get(one["openapi"]).status_code == 200 for one in [answer.json])

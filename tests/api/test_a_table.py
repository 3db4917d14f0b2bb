"""A game over HTTP: creation, a few actions, and what each role reads of them."""

from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger.store.store import Store
from tests.tables.ledgers import a_ledger
from tests.tables.over_http import BASE, HttpTable, version_of


def test_a_game_is_created_with_a_token_for_everybody(client: FlaskClient) -> None:
    answer = client.post(
        f"{BASE}/games",
        json={
            "rulebook": "negopoly",
            "title": "Friday",
            "players": [{"seat": "ana", "name": "Ana"}, {"seat": "bob", "name": "Bob"}],
            "settings": {"starting_balance": 2000},
            "dice": "service",
        },
    )
    assert answer.status_code == 201
    game, tokens = answer.json["game"], answer.json["tokens"]
    assert answer.headers["Location"] == f"{BASE}/games/{game}"
    assert answer.headers["Cache-Control"] == "no-store"
    assert set(tokens) == {"banker", "players", "spectator"}
    assert set(tokens["players"]) == {"ana", "bob"}
    seen = HttpTable(client, game, tokens).spectator.get().json
    assert seen["title"] == "Friday"
    assert seen["status"] == "setup"
    assert seen["version"] == 1
    assert seen["dice"] == "service"
    assert seen["seats"] == [
        {"seat": "ana", "name": "Ana", "letter": "A", "colour": 0},
        {"seat": "bob", "name": "Bob", "letter": "B", "colour": 1},
    ]
    assert (seen["round"], seen["turn"]) == (0, None)


def test_the_settings_are_those_asked_for(client: FlaskClient) -> None:
    table = HttpTable.created(client, settings={"starting_balance": 2000})
    entry = table.ana.play("join_game", persona="Don")
    assert entry["balances"]["player:ana"] == {"NGD": 2000}


def test_an_action_answers_with_its_entry(started: HttpTable) -> None:
    answer = started.ana.act("transfer_money", params={"to": "bob", "amount": 200})
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"{BASE}/games/{started.game}/actions/7"
    assert version_of(answer) == 7
    entry = answer.json
    assert (entry["number"], entry["kind"], entry["seat"], entry["by"]) == (7, "transfer_money", "ana", "ana")
    assert entry["params"] == {"to": "bob", "amount": 200}
    assert entry["recorded_at"] == "2026-11-20T20:00:00Z"
    assert entry["status"] == "effective"
    assert entry["version"] == 7
    assert entry["warnings"] == []
    assert entry["receipt"]["number"] == 7
    assert len(entry["receipt"]["leaf"]) == 64
    (event,) = entry["events"]
    assert (event["kind"], event["rule"]) == ("money_transferred", "I.B.6")
    assert event["data"] == {"seat": "ana", "to": "bob", "amount": 200}
    assert event["postings"] == [{"commodity": "NGD", "amount": 200, "from": "player:ana", "to": "player:bob"}]
    assert event["text"] == "Ana gives ₦200 to Bob."
    assert entry["balances"]["player:ana"] == {"NGD": 1450}
    assert "player:bob" not in entry["balances"]


def test_the_entry_is_read_again_as_it_was_answered(started: HttpTable) -> None:
    entry = started.ana.play("transfer_money", to="bob", amount=200)
    assert started.ana.get("actions/7").json == entry


def test_the_banker_acts_for_a_seat(started: HttpTable) -> None:
    entry = started.banker.play("transfer_money", seat="bob", to="ana", amount=5)
    assert (entry["seat"], entry["by"]) == ("bob", "banker")


def test_the_banker_waives_a_rule_and_the_warning_stays(started: HttpTable) -> None:
    refused = started.bob.act("roll_dice", params={"dice": [1, 2]})
    assert refused.status_code == 409
    answer = started.banker.act(
        "end_turn", seat="ana", params={}, override={"reason": "Ana had to leave the table"}
    )
    assert answer.status_code == 201, answer.text
    entry = answer.json
    assert entry["override"] == "Ana had to leave the table"
    assert entry["warnings"]
    assert started.spectator.get(f"actions/{entry['number']}").json["warnings"] == entry["warnings"]


def test_a_dry_run_tells_what_would_happen_and_writes_nothing(started: HttpTable) -> None:
    answer = started.ana.act("transfer_money", params={"to": "bob", "amount": 200}, dry_run=True)
    assert answer.status_code == 200
    assert "Location" not in answer.headers
    assert version_of(answer) == 6
    assert answer.json["balances"]["player:ana"] == {"NGD": 1450}
    assert started.version == 6
    assert started.ana.get("accounts/player:ana").json["holdings"]["NGD"] == 1650


def test_the_state_now_and_at_an_earlier_moment(started: HttpTable) -> None:
    started.ana.play("transfer_money", to="bob", amount=200)
    now = started.ana.get("state").json
    assert (now["version"], now["head"], now["status"]) == (7, 7, "play")
    assert now["accounts"]["player:ana"]["NGD"] == 1450
    assert now["table"]["turn"]["seat"] == "ana"
    assert now["table"]["you"].items() >= {"perk": "money", "effects": []}.items()
    before = started.ana.get("state?at=6").json
    assert (before["version"], before["head"]) == (6, 7)
    assert before["accounts"]["player:ana"]["NGD"] == 1650
    laid_out = started.ana.get("state?known_at=1").json
    assert laid_out["status"] == "setup"
    assert "player:ana" not in laid_out["accounts"]
    assert started.ana.get("state?at=7").json == now


def test_accounts_and_a_statement_with_running_balances(started: HttpTable) -> None:
    started.ana.play("transfer_money", to="bob", amount=200)
    accounts = {row["account"]: row["holdings"] for row in started.ana.get("accounts").json["accounts"]}
    assert accounts["player:ana"] == {"NGD": 1450}
    statement = started.ana.get("accounts/player:ana/statement").json
    assert [(line["number"], line["amount"], line["balance"]) for line in statement["lines"]] == [
        (2, 1500, 1500),
        (3, 150, 1650),
        (7, -200, 1450),
    ]
    assert statement["lines"][2]["counterparty"] == "player:bob"
    assert statement["next"] is None
    none = started.ana.get("accounts/player:ana/statement?commodity=dose").json
    assert none["lines"] == []


def test_moves_are_ready_to_be_sent(started: HttpTable) -> None:
    moves = started.ana.get("moves").json
    assert moves["seat"] == "ana"
    assert moves["version"] == 6
    rolling = [move for move in moves["moves"] if move["kind"] == "roll_dice"]
    assert rolling
    giving = next(move for move in moves["moves"] if move["kind"] == "transfer_money")
    assert giving["params"] == {"amount": 1, "to": "bob"}
    assert list(giving["free"]) == ["amount"]
    assert giving["cost"] == 1
    assert started.ana.act("transfer_money", params=giving["params"]).status_code == 201
    assert started.spectator.get("moves").json["moves"] == []
    for_bob = started.banker.get("moves?seat=bob").json
    assert {move["kind"] for move in for_bob["moves"]} >= {"transfer_money"}


def test_why_not(started: HttpTable) -> None:
    obstacles = started.bob.get("moves?explain=end_turn").json["obstacles"]
    assert obstacles
    assert obstacles[0]["kind"] == "end_turn"
    assert obstacles[0]["rule"].startswith("II.")
    assert (
        obstacles[0]["detail"]
        != started.bob.get("moves?explain=end_turn", Accept_Language="fr").json["obstacles"][0]["detail"]
    )


def test_bounties_are_listed(started: HttpTable) -> None:
    started.ana.play("post_bounty", amount=100, conditions="Find my trottinette")
    listed = started.spectator.get("bounties").json
    assert listed["collection"] == "bounties"
    assert [one["amount"] for one in listed["agreements"]] == [100]
    assert listed["agreements"][0]["type"] == "bounty"
    assert started.spectator.get("bounties?status=open").json["agreements"] == listed["agreements"]
    assert started.spectator.get("state").json["agreements"]["bounties"] == listed["agreements"]


def test_games_are_listed_newest_first_a_page_at_a_time(client: FlaskClient, clock) -> None:
    made = []
    for _ in range(3):
        clock.pass_by(60)
        made.append(HttpTable.created(client).game)
    first = client.get(f"{BASE}/games?limit=2")
    assert [game["game"] for game in first.json["games"]] == [made[2], made[1]]
    assert {"ana"} <= {seat["seat"] for seat in first.json["games"][0]["seats"]}
    second = client.get(f"{BASE}/games?limit=1&cursor={first.json['next']}")
    assert [game["game"] for game in second.json["games"]] == [made[0]]


def test_with_a_service_key_only_its_holder_creates_and_lists(new_app) -> None:
    with new_app(creation_key="the-service-key").test_client() as client:
        from tests.tables.over_http import ANA_AND_BOB, problem

        problem(client.post(f"{BASE}/games", json=ANA_AND_BOB), 401, "token-missing")
        wrong = {"Authorization": "Bearer something-else"}
        refused = problem(client.post(f"{BASE}/games", json=ANA_AND_BOB, headers=wrong), 401, "token-unknown")
        assert "something-else" not in str(refused)
        problem(client.get(f"{BASE}/games"), 401, "token-missing")
        right = {"Authorization": "Bearer the-service-key"}
        created = client.post(f"{BASE}/games", json=ANA_AND_BOB, headers=right)
        assert created.status_code == 201
        listed = client.get(f"{BASE}/games?limit=200", headers=right).json["games"]
        assert created.json["game"] in {game["game"] for game in listed}


def test_while_the_service_key_is_replaced_both_are_taken(new_app) -> None:
    with new_app(creation_key="the-new-key, the-old-key").test_client() as client:
        for key, status in (
            ("the-new-key", 200),
            ("the-old-key", 200),
            ("the-new-key, the-old-key", 401),
            ("the", 401),
        ):
            listed = client.get(f"{BASE}/games", headers={"Authorization": f"Bearer {key}"})
            assert listed.status_code == status


def test_health_and_readiness(store: Store) -> None:
    client = create_app(a_ledger(store), Config()).test_client()
    assert client.get("/healthz").json == {"status": "ok"}
    assert client.get("/readyz").json == {"status": "ok"}


def test_the_way_in(client: FlaskClient) -> None:
    index = client.get("/").json
    assert index["api"] == BASE
    for link in (index["documentation"], index["openapi"], index["health"]):
        assert client.get(link).status_code == 200

"""The names in a game over HTTP: the same shape for every rulebook, and no more than the caller may know."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from api.rest.application import Config, create_app
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from tests.example import RULEBOOKS as EXAMPLES
from tests.tables.ledgers import Clock, chance_of_a_test
from tests.tables.negopoly import asked_for
from tests.tables.over_http import BASE, HttpTable, problem

FRENCH = {"Accept-Language": "fr"}


@pytest.fixture
def table(client: FlaskClient) -> HttpTable:
    return HttpTable.created(client, "ana", "bob").start()


def test_money_has_a_symbol_and_its_place_in_each_language(table: HttpTable) -> None:
    english, french = table.ana.get("names"), table.ana.get("names", **FRENCH)
    assert english.json["commodities"]["NGD"] == {
        "name": "NegoDollar",
        "plural": "NegoDollars",
        "class": "money",
        "icon": "coin",
        "symbol": "₦",
        "symbol_place": "before",
        "tradable": True,
    }
    assert french.json["commodities"]["NGD"]["symbol_place"] == "after"
    assert (english.headers["Content-Language"], french.headers["Content-Language"]) == ("en", "fr")


def test_a_card_says_at_a_glance_what_it_does(client: FlaskClient) -> None:
    """The kind of effect for a chip, and a few characters for a list of cards."""
    table = HttpTable.created(client, "ana", "bob", settings={}).start()
    english, french = (table.spectator.get("names", **headers).json["cards"] for headers in ({}, FRENCH))
    subsidy = {"kind": "receive", "label": "receive", "icon": "coin", "text": "+₦100"}
    assert english["chance_01"]["effect"] == subsidy
    assert french["chance_01"]["effect"] == {**subsidy, "label": "recevoir", "text": "+100 ₦"}
    assert english["chance_02"]["effect"]["text"] == "−₦25 per house"
    assert english["chance_12"]["effect"] == {
        "kind": "move",
        "label": "move",
        "icon": "prison",
        "text": "→ Prison",
    }
    assert english["kamtar_01"]["effect"]["kind"] == "keep"
    assert "text" not in english["chance_05"]["effect"]


def test_everything_of_the_box_has_a_name(table: HttpTable) -> None:
    """A title has its quarter, a weapon its plural, a card its deck; places, kinds and agreements have names."""
    names = table.spectator.get("names", **FRENCH).json
    things = names["commodities"]
    assert things["title:black_arretxea"] == {
        "name": "Black Arretxea",
        "plural": "Black Arretxea",
        "class": "title",
        "group": "marron",
        "icon": "title",
        "price": 60,
        "tradable": True,
    }
    assert names["groups"]["marron"] == "Marron"
    assert (things["mortier"]["name"], things["mortier"]["plural"]) == ("Mortier", "Mortiers")
    assert (things["house"]["name"], things["house"]["plural"]) == ("maison", "maisons")
    board = table.spectator.get("board", **FRENCH).json
    assert names["places"] == {place["id"]: place["name"] for place in board["places"]}
    assert names["kinds"]["events"]["token_moved"] == "… va jusqu'à …"
    assert names["kinds"]["events"]["history_corrected"] == "L'histoire est corrigée"
    assert names["agreements"]["loans"] == "Prêts"
    assert names["accounts"]["bank"] == "la banque"
    assert names["owners"]["player:ana"] == "ana"
    assert names["owners"].keys() <= names["accounts"].keys()
    assert names["seats"][0] == {"seat": "ana", "name": "Ana", "letter": "A", "colour": 0}


def test_nothing_is_called_by_its_id(client: FlaskClient) -> None:
    """Shops and decks have the names that stand on the board, in both languages."""
    table = HttpTable.created(client, "ana", "bob", settings={}).start()
    for language, deck in (("en", "the Chance deck"), ("fr", "la pioche Chance")):
        names = table.banker.get("names", **{"Accept-Language": language}).json
        accounts = names["accounts"]
        assert accounts["shop:nc_custom"] == "NC Custom (stock)"
        assert accounts["shop:bar"] == "Bar à mercenaires (stock)"
        assert accounts["deck:chance"] == deck
        named = {**accounts, **{one: view["name"] for one, view in names["commodities"].items()}}
        assert [one for one, name in named.items() if "_" in name or (":" in one and name == one)] == []


def test_every_card_of_the_box_can_be_read(client: FlaskClient) -> None:
    """Which cards there are is printed in the rules; who has them is not said here."""
    table = HttpTable.created(client, "ana", "bob", settings={}).start()
    english, french = table.spectator.get("names").json, table.spectator.get("names", **FRENCH).json
    deck = [card for card in french["cards"].values() if card["group"] == "chance"]
    assert len(deck) == 16
    assert all(card["name"] for card in deck)
    assert any(card.get("text") for card in deck)
    assert english["cards"].keys() == french["cards"].keys()
    for card in deck:
        assert french["commodities"][card["commodity"]]["name"] == card["name"]


def test_names_are_fetched_again_only_when_they_change(table: HttpTable) -> None:
    """The entity tag is of the names: a payment leaves it as it is."""
    tag = table.ana.get("names").headers["ETag"]
    table.ana.play("transfer_money", to="bob", amount=5)
    assert table.ana.get("names", **{"If-None-Match": tag}).status_code == 304
    assert table.ana.get("names", **{"If-None-Match": tag, **FRENCH}).status_code == 200


def test_nothing_hidden_is_named_into_existence(client: FlaskClient) -> None:
    """Doses are on their way from Ana to Bob: only the two have a name for the delivery."""
    table = HttpTable.created(client, "ana", "bob", "cid").start(ana="doses", bob="doses", cid="doses")
    before = table.cid.get("names").text
    sent = table.ana.play("send_delivery", to="bob", commodity="dose", amount=2)
    transit = f"transit:{sent['number']}"
    named = table.bob.get("names").json["accounts"][transit]
    assert named == f"delivery {sent['number']} (on its way)"
    assert table.cid.get("names").text == before
    assert transit not in table.spectator.get("names").text


@pytest.mark.parametrize("rulebook", [*rulebooks_by_id(), *(one.id for one in EXAMPLES)])
def test_names_have_one_shape_in_every_game(store: Store, clock: Clock, rulebook: str) -> None:
    """Every name says something, in both languages, and what belongs together fits together."""
    rulebooks = {**rulebooks_by_id(), **{one.id: one for one in EXAMPLES}}
    ledger = Ledger(store, rulebooks, clock=clock, chance=chance_of_a_test())
    client = create_app(ledger, Config()).test_client()
    seats = ("ana", "bob", "cid", "dan")[: rulebooks[rulebook].players[0]]
    table = HttpTable.created(client, *seats, rulebook=rulebook, settings={}, dice="service")
    for language in ("en", "fr"):
        names = table.banker.get("names", **{"Accept-Language": language}).json
        assert [seat["seat"] for seat in names["seats"]] == list(seats)
        assert set(names["kinds"]["actions"]) == set(rulebooks[rulebook].actions)
        assert set(names["agreements"]) == set(rulebooks[rulebook].agreements.agreement_types)
        things = names["commodities"]
        assert things[rulebooks[rulebook].accounts.currency]["class"] == "money"
        assert things[names["worth"]]["class"] == ("points" if rulebook == "virtual_revolution" else "money")
        assert {one["group"] for one in things.values() if "group" in one} <= set(names["groups"])
        said = [text for part in ("accounts", "groups", "places", "agreements") for text in names[part].values()]
        said += [text for kinds in names["kinds"].values() for text in kinds.values()]
        said += [text for one in things.values() for text in (one["name"], one["plural"])]
        assert all(any(letter.isalpha() for letter in text) for text in said if text != "₦")
        assert not any("{" in text or text == "…" for text in said)


@pytest.mark.parametrize(
    ("players", "said"),
    [
        ([("ana", "Ana"), ("bob", "\u200b")], "is no name"),
        ([("ana", "Ana"), ("bob", "The bank")], "would be taken for the bank"),
        ([("ana", "Ana"), ("all", "Bob")], "'all' cannot be a seat"),
        ([("ana", "Ana"), ("bank", "Bob")], "a seat cannot be called 'bank'"),
        ([("ana", "Ana"), ("none", "Bob")], "'none' cannot be a seat"),
    ],
)
def test_who_cannot_be_told_from_others_does_not_sit_down(
    client: FlaskClient, players: list[tuple[str, str]], said: str
) -> None:
    before = client.get(f"{BASE}/games").json["games"]
    asked = asked_for("ana", "bob", players=[{"seat": seat, "name": name} for seat, name in players])
    refused = problem(client.post(f"{BASE}/games", json=asked), 422, "invalid-request")
    assert said in refused["detail"]
    assert client.get(f"{BASE}/games").json["games"] == before


def test_two_people_of_one_name_are_told_apart_everywhere(client: FlaskClient) -> None:
    """Long names, names without Latin letters and names with pictures are names as any other."""
    long, arabic, picture = "Maximilienne-Alexandrine de la Tour d'Auvergne", "عبد الرحمن", "Zoë 🐉"
    names = {"ana": "Ana", "ana2": "Ana", "seat3": long, "seat4": arabic, "zoe": picture}
    players = [{"seat": seat, "name": name} for seat, name in names.items()]
    table = HttpTable.created(client, *names, players=players)
    shown = {seat["seat"]: seat["name"] for seat in table.banker.get("names").json["seats"]}
    assert shown == names | {"ana2": "Ana (2)"}
    table.start()
    table.players["ana"].act("transfer_money", params={"to": "ana2", "amount": 5})
    for language, said in (("en", "Ana gives ₦5 to Ana (2)."), ("fr", "Ana donne 5 ₦ à Ana (2).")):
        page = table.banker.get("actions?order=newest&limit=1", **{"Accept-Language": language})
        assert page.json["actions"][0]["sentence"] == said


def test_what_a_player_is_called_in_the_game_can_be_read_and_told_apart(client: FlaskClient) -> None:
    """A character of which nothing is seen is refused, and so is a token that looks like another player's."""
    negopoly = HttpTable.created(client, "ana", "bob")
    for persona in ("\u200b\u3164", "Ana\nThe bank", " . "):
        refused = negopoly.ana.act("join_game", params={"persona": persona})
        assert refused.status_code == 422, persona
    assert "is no name" in negopoly.ana.act("join_game", params={"persona": " . "}).json["detail"]
    assert (
        "n'est pas un nom"
        in negopoly.ana.act("join_game", params={"persona": " . "}, headers=FRENCH).json["detail"]
    )
    assert negopoly.ana.act("join_game", params={"persona": "Ana"}).status_code == 201


def test_two_tokens_do_not_look_the_same(store: Store, clock: Clock) -> None:
    ledger = Ledger(store, rulebooks_by_id(), clock=clock, chance=chance_of_a_test())
    client = create_app(ledger, Config()).test_client()
    table = HttpTable.created(client, "ana", "bob", rulebook="monopolys", settings={"tokens_chosen": True})
    assert table.ana.act("join_table", params={"token": "Spоon"}).status_code == 201
    refused = table.bob.act("join_table", params={"token": "spoon"})
    assert refused.status_code == 409
    assert "is Ana's" in refused.json["detail"]

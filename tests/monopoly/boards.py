"""The small town with further cards, for scenarios of effects: Ana draws the card that a scenario writes."""

from __future__ import annotations

import copy
from typing import Any

from ledger.kernel.facts.events import Event
from ledger.rulebooks.monopoly.own_edition import check, settings_of
from tests.monopoly.own import TOWN
from tests.monopoly.table import SEATS, Table

CARD = "new_card"
"""The card of a scenario, of the deck "letters"."""


def with_cards(**cards: list[dict[str, Any]]) -> dict[str, Any]:
    """The town with further cards of the deck "letters", by their effects; it is fit to play."""
    edition = copy.deepcopy(TOWN)
    for name, effects in cards.items():
        title = {"en": f"The card {name}.", "fr": f"La carte {name}."}
        edition["cards"].append({"id": name, "deck": "letters", "title": title, "effects": effects})
    assert check(edition) == []
    return edition


def town_with(
    *effects: dict[str, Any],
    seats: tuple[str, ...] = SEATS,
    dice: str = "table",
    settings: Any = None,
    **cards: Any,
) -> Table:
    """A game in the town, in play, with a card of these effects, and others by name."""
    edition = with_cards(**({CARD: list(effects)} if effects else {}), **cards)
    return Table("monopoly", seats=seats, dice=dice, settings=settings_of(edition, settings or {}))


def drawn(table: Table, seat: str = "ana", card: str = CARD) -> list[Event]:
    """The player stops on a letter box and draws the card."""
    table.arrive(seat, "letter_box_2")
    return table.play(seat, "draw_card", card=card)


def kept(use: str, **members: Any) -> dict[str, Any]:
    """The effect of a card that is kept for a use."""
    return {"op": "keep", "use": use, **members}


def all_effects() -> dict[str, Any]:
    """The town with many squares of cards: every effect on titles, every choice, every use of a kept card."""
    gift, fine = {"op": "receive", "amount": 40}, {"op": "pay", "amount": 60}
    options = [
        {"title": "Pay", "effects": [fine]},
        {"title": "Draw", "effects": [gift, {"op": "draw", "deck": "tides"}]},
    ]
    choice = {"op": "choose", "options": options}
    paid = {"op": "choose", "who": "all", "options": [{"title": "Get", "effects": [gift]}, options[0]]}
    edition = with_cards(
        pays_or_draws=[gift, choice],
        everybody_chooses=[paid, gift],
        draws=[{"op": "draw", "deck": "letters"}],
        takes=[{"op": "take_title", "share": [1, 2]}, gift],
        asks=[{"op": "take_title", "consent": True, "price": 200}, fine],
        takes_from_bank=[{"op": "take_title", "source": "bank", "of": "station"}],
        buys=[{"op": "buy_title", "share": [1, 2]}, {"op": "lose_title", "which": "cheapest", "share": [1, 2]}],
        gives=[{"op": "give_title"}, {"op": "give_title", "who": "chosen", "to": "next"}],
        swaps=[{"op": "swap_titles", "of": "street"}, {"op": "swap_titles", "consent": True}],
        others_lose=[{"op": "lose_title", "who": "others", "chooser": "drawer"}],
        auctions=[{"op": "auction_title"}, gift],
        builds=[{"op": "build", "count": 3}, {"op": "build", "who": "others", "share": [1, 2]}],
        ruins=[{"op": "lose_building", "who": "all", "chooser": "drawer", "count": 2}],
        fines=[{"op": "pay", "who": "chosen", "amount": 150}, {"op": "receive_from_each", "amount": 30}],
        free_stay=[kept("no_rent")],
        dear_stay=[kept("double_rent")],
        shield=[kept("say_no")],
        refusal=[kept("refuse_card")],
        coupon=[kept("half_price")],
        surprise=[gift, kept("effects", effects=[choice], playable="turn")],
        anytime=[kept("effects", effects=[paid, {"op": "buy_title"}], playable="any")],
    )
    edition["cards"] = [card for card in edition["cards"] if not card["id"].startswith("letter_")]
    for square in edition["squares"]:
        if square["kind"] in {"tax", "rest", "utility"} or square.get("deck") == "tides":
            for member in ("price", "rents", "mortgage", "amount", "group"):
                square.pop(member, None)
            square.update(kind="card", deck="letters")
    edition["groups"] = [group for group in edition["groups"] if group["id"] != "works"]
    edition["cards"] = [card for card in edition["cards"] if card["id"] not in {"weather_wind", "tide_works"}]
    edition["cards"].append({"id": "wind", "deck": "weather", "title": "Wind", "effects": [gift]})
    assert check(edition) == []
    return edition

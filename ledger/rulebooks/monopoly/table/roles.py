"""Roles: the engine's demands on an edition's register. An edition names a rule for each role.

`roles` names a rule for every role of the edition. `at` names a different rule for some squares, by a square's
id or kind; `quick` a different rule in the quick game:

    [rules.roles]
    tax = "naruto:tax.1"
    [rules.at.ramen_ichiraku]
    tax = "naruto:tax.2"
    [rules.quick]
    build_most = "naruto:quick.3"
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

Role = Literal[
    # the table
    "banker",
    "election",
    "opening",
    "players",
    "pieces",
    "token",
    "shuffle",
    "dealing",
    "order",
    "capital",
    "dice",
    "dice_board",
    # turns and movement
    "turn",
    "post",
    "move",
    "landing",
    "double",
    "third_double",
    "end_turn",
    "salary",
    "stay",
    "rest",
    "income",
    "double_one",
    # buying and auctions
    "buy",
    "buy_price",
    "decline",
    "first_lap",
    "auction",
    "bid_payment",
    "bid_minimum",
    "bid_won",
    "bidders",
    "decliner",
    # rents
    "rent",
    "rent_paid",
    "rent_lapsed",
    "rent_base",
    "rent_group",
    "rent_built",
    "rent_row",
    "travel",
    "rent_mortgaged",
    "rent_station",
    "rent_utility_one",
    "rent_utility_all",
    "rent_throw",
    # building
    "build_group",
    "build_kind",
    "build_price",
    "build_even",
    "build_most",
    "build_mortgaged",
    "build_time",
    "build_levels",
    "build_standing",
    "build_alone",
    "hotel",
    "hotel_needs",
    "hotel_one",
    "stock_empty",
    "shortage",
    "shortage_auction",
    "sell",
    "sell_even",
    "hotel_back",
    # mortgages
    "mortgage_debt",
    "mortgage_built",
    "mortgage",
    "unmortgage",
    # prison
    "go_to_jail",
    "jail_by_card",
    "jail_ends_turn",
    "jail_fine",
    "jail_card",
    "jail_wait",
    "jail_double",
    "jail_third",
    "jail_board",
    # cards, taxes, the pot
    "card",
    "card_effect",
    "card_under",
    "card_keep",
    "card_declined",
    "choose",
    "card_title",
    "card_house",
    "card_use",
    "card_no",
    "card_draw",
    "card_who",
    "card_sum",
    "card_move",
    "square",
    "passing",
    "miss",
    "again",
    "tax",
    "pot",
    "pot_fed",
    "pot_least",
    # trades
    "trade",
    "trade_built",
    "trade_group",
    "trade_things",
    "trade_mortgaged",
    "trade_lift",
    "trade_keep",
    "no_loans",
    "no_waivers",
    "promise",
    # debts and bankruptcy
    "debt",
    "debts_first",
    "bankrupt",
    "bankrupt_cash",
    "bankrupt_buildings",
    "bankrupt_titles",
    "bankrupt_cards",
    "bankrupt_interest",
    "bankrupt_lift",
    "bankrupt_bank",
    "bankrupt_bank_cash",
    "bankrupt_bank_cards",
    "bankrupt_auction",
    "titles_to_bank",
    "eliminated",
    # the end
    "victory",
    "limit",
    "quick_end",
    "dealt",
    "goal",
    "worth",
    "worth_title",
    "worth_mortgaged",
    "worth_house",
    "worth_hotel",
    "quick_win",
    # seasons
    "season_vote",
    "season_close",
    "season_profit",
    "season_tax",
    "season_open",
    "division",
    "promotion",
    "relegation",
]

MAY_LACK: frozenset[Role] = frozenset(
    {
        "election",
        "token",
        "shuffle",
        "dealing",
        "post",
        "stay",
        "income",
        "build_levels",
        "double_one",
        "first_lap",
        "card_declined",
        "pot_least",
        "titles_to_bank",
        "promise",
        "dealt",
        "goal",
        "build_standing",
        "build_alone",
        "rent_row",
        "travel",
        "dice_board",
        "jail_board",
        "limit",
        "rent_lapsed",
        "shortage",
        "shortage_auction",
        "card_under",
        "card_keep",
        "choose",
        "card_title",
        "card_house",
        "card_use",
        "card_no",
        "card_draw",
        "card_who",
        "card_sum",
        "card_move",
        "square",
        "passing",
        "miss",
        "again",
        "pot",
        "pot_fed",
        "quick_end",
        "quick_win",
        "season_vote",
        "season_close",
        "season_profit",
        "season_tax",
        "season_open",
        "division",
        "promotion",
        "relegation",
    }
)
"""The roles of optional parts of an edition."""


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of an edition by role. Raises ValueError for a role without a rule."""

    roles: Mapping[Role, str]
    at: Mapping[str, Mapping[Role, str]] = {}
    quick: Mapping[Role, str] = {}

    def __post_init__(self) -> None:
        needed = set(Role.__args__) - MAY_LACK  # type: ignore[attr-defined]
        if missing := sorted(needed - self.roles.keys()):
            raise ValueError(f"no rule has the role {', '.join(missing)}")

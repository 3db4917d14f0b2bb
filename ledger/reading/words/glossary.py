"""The names in a game, alike for every rulebook: seats, accounts, commodities, places, kinds, agreements."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

import msgspec

from ledger.games.moments import Moment
from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.facts.events import kind_of
from ledger.kernel.journal.sight import visible_holdings
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.commodities import CardEffect, CardKind, CommodityWords
from ledger.kernel.rules.icons import Icon
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.words.naming import Names
from ledger.reading.words.seating import SeatView, seated
from ledger.rulebooks.parts.boards import drawn

_KINDS_OF_CARDS: Mapping[CardKind, Phrase] = {
    "receive": Phrase("receive", "recevoir"),
    "pay": Phrase("pay", "payer"),
    "move": Phrase("move", "bouger"),
    "keep": Phrase("keep", "garder"),
    "other": Phrase("other", "autre"),
}

SymbolPlace = Literal["before", "after"]


class CommodityView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename={"sort": "class"}):
    """What people call a commodity, and what is drawn of it.

    `class` is the sort of thing that it is: "money", "title", "weapon". `group` is one of the `groups`. `symbol`
    is the sign of the commodity, and `symbol_place` where the sign stands beside an amount in this language.
    `price` is the usual price of one at the bank, in the game's money; the cost of a move is the price now.
    `tradable` says that seats may give it to one another in a deal or a trade. `promised` names the commodity
    whose holder may promise it without having it; an empty text stands for everybody. What a commodity does not
    have is left out.
    """

    name: str
    plural: str
    sort: str
    group: str | msgspec.UnsetType = msgspec.UNSET
    icon: Icon | msgspec.UnsetType = msgspec.UNSET
    symbol: str | msgspec.UnsetType = msgspec.UNSET
    symbol_place: SymbolPlace | msgspec.UnsetType = msgspec.UNSET
    price: int | msgspec.UnsetType = msgspec.UNSET
    promised: str | msgspec.UnsetType = msgspec.UNSET
    tradable: bool = False


class EffectView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The effect of a card at a glance. `kind` sorts cards, `label` is the word for the kind ("receive").

    `text` is short: "+₦100", "→ Prison"; left out for an effect without a short form.
    """

    kind: CardKind
    label: str
    icon: Icon
    text: str | msgspec.UnsetType = msgspec.UNSET


class CardView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is printed on a card: its name and its text. `commodity` is what it is called in accounts and postings.

    `group` is its deck, one of the `groups`, and `effect` its effect. A card without a text, a deck or an effect
    has none here.
    """

    name: str
    commodity: str
    group: str | msgspec.UnsetType = msgspec.UNSET
    text: str | msgspec.UnsetType = msgspec.UNSET
    effect: EffectView | msgspec.UnsetType = msgspec.UNSET


class KindNames(msgspec.Struct, frozen=True):
    """The labels of the kinds of actions and of events. "…" stands in an event's label for what differs."""

    actions: dict[str, str]
    events: dict[str, str]


class GlossaryView(msgspec.Struct, frozen=True):
    """The names in a game by id, in one language, as far as a viewer may know of what is named.

    `accounts` are those that the rulebook always has, and those in which the viewer sees something; `owners` has
    the seat of each that belongs to a seat. `places` are the places of the board. `cards` are the cards of the
    box, by the id that actions name them by; where each of them is remains hidden. `agreements` are the
    collections of agreements. `worth` is the commodity that the worth of a seat is counted in: money, or points.
    `shown_label` are the words beside the public part of that worth (`shown` of a standing): "in titles".
    """

    seats: tuple[SeatView, ...]
    accounts: dict[str, str]
    owners: dict[str, str]
    commodities: dict[str, CommodityView]
    cards: dict[str, CardView]
    groups: dict[str, str]
    places: dict[str, str]
    kinds: KindNames
    agreements: dict[str, str]
    worth: str
    shown_label: str


def glossary(moment: Moment, language: str = "en") -> GlossaryView:
    """Return the names in a game at a moment, in "en" or "fr"."""
    rulebook, state = moment.rulebook, moment.state
    names = Names(rulebook, state, language)
    words = rulebook.accounts.commodities(state)
    board = drawn(rulebook, state, language)
    places, board_groups = ((), ()) if board is None else (board.places, board.groups)
    visible = {
        account: visible_holdings(rulebook.secrets, state, account, moment.viewer)
        for account, _ in state.holdings.items()
    }
    visible_commodities = {commodity for amounts in visible.values() for commodity in amounts}
    accounts = dict.fromkeys(
        (BANK, BOX, *(item for seat in state.seats for item in rulebook.accounts.accounts_of(seat)))
    )
    accounts |= dict.fromkeys(sorted(account for account, amounts in visible.items() if amounts))
    return GlossaryView(
        seats=seated(moment.game, state),
        accounts={account: names.account(account) for account in accounts},
        owners={account: seat for seat in state.seats for account in rulebook.accounts.accounts_of(seat)},
        commodities={
            item: _commodity(item, words.get(item), names)
            for item in (*words, *sorted(visible_commodities - words.keys()))
        },
        cards={
            item.card: _card(commodity, item, names) for commodity, item in words.items() if item.card is not None
        },
        groups={
            **{group.id: group.name for group in board_groups},
            **rulebook.accounts.groups(state, language),
        },
        places={place.id: place.name for place in places},
        kinds=_kinds(rulebook, language),
        agreements={
            collection: _agreement_name(rulebook, collection, language)
            for collection in rulebook.agreements.agreement_types
        },
        worth=rulebook.score.unit or rulebook.accounts.currency,
        shown_label=rulebook.score.shown_label.in_language(language),
    )


def _commodity(commodity: str, words: CommodityWords | None, names: Names) -> CommodityView:
    """Build the view of a commodity. Without words in the rulebook, the sort is the beginning of the id."""
    if words is None:
        words = CommodityWords(sort=commodity.partition(":")[0])
    name = names.commodity(commodity) if words.name is None else words.name.in_language(names.language)
    symbol = words.symbol
    position: SymbolPlace | msgspec.UnsetType = msgspec.UNSET
    if symbol is not None:
        position = symbol.fr if names.language == "fr" else symbol.en
    return CommodityView(
        name=name,
        plural=name if words.plural is None else words.plural.in_language(names.language),
        sort=words.sort,
        group=msgspec.UNSET if words.group is None else words.group,
        icon=msgspec.UNSET if words.icon is None else words.icon,
        symbol=msgspec.UNSET if symbol is None else symbol.sign,
        symbol_place=position,
        price=msgspec.UNSET if words.price is None else words.price,
        promised=msgspec.UNSET if words.promised is None else words.promised,
        tradable=words.tradable,
    )


def _card(commodity: str, words: CommodityWords, names: Names) -> CardView:
    text = "" if words.text is None else words.text.in_language(names.language)
    return CardView(
        name=names.commodity(commodity),
        commodity=commodity,
        group=msgspec.UNSET if words.group is None else words.group,
        text=text or msgspec.UNSET,
        effect=msgspec.UNSET if words.effect is None else _effect(words.effect, names.language),
    )


def _effect(effect: CardEffect, language: str) -> EffectView:
    return EffectView(
        kind=effect.kind,
        label=_KINDS_OF_CARDS[effect.kind].in_language(language),
        icon=effect.icon,
        text=effect.text.in_language(language) or msgspec.UNSET,
    )


def _agreement_name(rulebook: Rulebook[Any], collection: str, language: str) -> str:
    name = rulebook.language.agreement_names.get(collection)
    return collection.capitalize() if name is None else name.in_language(language)


@cache
def _kinds(rulebook: Rulebook[Any], language: str) -> KindNames:
    return KindNames(
        actions={
            kind: rulebook.language.wording.of(kind, action.summary).label.in_language(language)
            for kind, action in rulebook.actions.items()
        },
        events={
            kind_of(event): with_gaps(Phrase(event.en, event.fr).in_language(language))
            if event.label is None
            else event.label.in_language(language)
            for event in rulebook.events.values()
        },
    )


_FIELD = re.compile(r"\{[^{}]*\}")
_BRACKETED = re.compile(r"\s*\(…\)?|(?<=…)\)")
_GAPS = re.compile(r"…(?:[\s,;×/–-]*…)+")


def with_gaps(template: str) -> str:
    """Replace the values in a template by "…", for the label of all its sentences: "… moves to …"."""

    def gap(field: re.Match[str]) -> str:
        _, _, form = field[0].strip("{}").partition(":")
        manner, *words = form.split("|")
        return words[-1] if manner == "plural" else "…"

    return _GAPS.sub("…", _BRACKETED.sub(" …", _FIELD.sub(gap, template))).rstrip(".: ").strip()

"""The names of a game's commodities: money, titles, buildings, cards, and mortgages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.commodities import CommodityWords, Glossary, Symbol
from ledger.rulebooks.monopoly.debts import promises
from ledger.rulebooks.monopoly.showing.card_glances import effect_of
from ledger.rulebooks.monopoly.table.pieces import Pieces
from ledger.rulebooks.monopoly.table.state import Monopoly
from ledger.rulebooks.monopoly.table.terms import HOTEL, HOUSE, MORTGAGE, NOTE, PASS, STAY, TOWER
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.caching import cached_by_identity
from ledger.rulebooks.parts.titles import deed

AGREEMENTS: Mapping[str, Phrase] = {"trades": Phrase("Trades", "Échanges")}
"""The names of the agreements of each collection."""

_ROUNDS_AHEAD = 5
"""The number of rounds from the present on in which a payment is suggested."""

NARROW_SPACE = "\N{NARROW NO-BREAK SPACE}"
"""The separator of thousands, in English and French alike."""


def money_text(pieces: Pieces, amount: int | str) -> str:
    """Format an amount of money with the sign, in both languages: "200 Y$"; from five digits on in thousands.

    Digits given as text, such as in a report, stay unchanged.
    """
    grouped = isinstance(amount, int) and abs(amount) >= 10_000
    digits = f"{amount:,}".replace(",", NARROW_SPACE) if grouped else str(amount)
    return f"{digits} {pieces.named.symbol}"


def commodities(pieces: Pieces, currency: str) -> Glossary:
    """Return the words of all commodities, known to everybody, the money first."""
    named = pieces.named
    sign = Symbol(named.symbol, "after", "after")
    money = CommodityWords(
        sort="money", name=named.money, plural=named.money, icon="coin", symbol=sign, tradable=True
    )
    return {currency: money, **_words_of(pieces)}


def promised(state: Monopoly) -> Glossary:
    """Return the promises of a table with promises: free stays, payments in the next rounds, and those in a hand.

    Sentences supply the names.
    """
    ahead = {f"{NOTE}{state.round + later}": "" for later in range(1, _ROUNDS_AHEAD + 1)}
    stays = {f"{STAY}{title}": deed(title) for title in state.edition.pieces.titles}
    words = CommodityWords(sort="promise", icon="contract", tradable=True)
    hands = {thing: words for _, thing, _ in promises.in_hands(state)}
    return {**hands, **{thing: replace(words, promised=giver) for thing, giver in {**stays, **ahead}.items()}}


def groups(pieces: Pieces) -> Mapping[str, str]:
    """Return the names of the decks; the colours are groups of the board."""
    return {deck.id: deck.name for deck in pieces.decks if not deck.faces}


@cached_by_identity
def _words_of(pieces: Pieces) -> Glossary:
    return dict(_words(pieces))


def _words(pieces: Pieces) -> Iterator[tuple[str, CommodityWords]]:
    named = pieces.named
    for title in pieces.titles.values():
        yield (
            deed(title.id),
            CommodityWords(
                sort="title", group=title.group or None, icon="title", price=title.price, tradable=True
            ),
        )
    yield HOUSE, CommodityWords(sort="piece", name=named.house, plural=named.houses, icon="house")
    yield HOTEL, CommodityWords(sort="piece", name=named.hotel, plural=named.hotels, icon="house")
    if pieces.has_towers:
        tower, towers = named.tower_words
        yield TOWER, CommodityWords(sort="piece", name=tower, plural=towers, icon="hotel")
    yield (
        MORTGAGE,
        CommodityWords(
            sort="piece",
            name=Phrase("mortgage", "hypothèque"),
            plural=Phrase("mortgages", "hypothèques"),
            icon="mortgage",
        ),
    )
    if pieces.passes:
        yield PASS, CommodityWords(sort="card", name=named.jail_pass, icon="card", card=PASS, tradable=True)
    for card in pieces.cards:
        if not card.face:
            yield (
                decks.commodity(card.id),
                CommodityWords(
                    sort="card",
                    group=card.deck,
                    icon="card",
                    card=card.id,
                    text=card.words,
                    tradable=card.is_kept,
                    effect=effect_of(card, pieces, partial(money_text, pieces)),
                ),
            )

"""What people call the commodities of a game: its money, titles, buildings, cards, and mortgages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ledger.kernel.language.wording import Phrase
from ledger.kernel.rules.commodities import CommodityWords, Glossary, Symbol
from ledger.rulebooks.monopoly.table.pieces import Pieces
from ledger.rulebooks.monopoly.table.terms import HOTEL, HOUSE, MORTGAGE, PASS
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.titles import deed

AGREEMENTS: Mapping[str, Phrase] = {"trades": Phrase("Trades", "Échanges")}
"""What people call the agreements of each collection."""

NARROW_SPACE = "\N{NARROW NO-BREAK SPACE}"
"""What stands between thousands, in English and French alike."""


def money_said(pieces: Pieces, amount: int | str) -> str:
    """An amount of money with its sign, in both languages: "200 Y$"; from five digits on in thousands.

    Digits that come as text, like those of a report, stay as they are.
    """
    grouped = isinstance(amount, int) and abs(amount) >= 10_000
    digits = f"{amount:,}".replace(",", NARROW_SPACE) if grouped else str(amount)
    return f"{digits} {pieces.named.symbol}"


def commodities(pieces: Pieces, currency: str) -> Glossary:
    """The words of all commodities; everybody knows what there is."""
    return dict(_words(pieces, currency))


def groups(pieces: Pieces) -> Mapping[str, str]:
    """The names of the decks; the colours are groups of the board."""
    return {one.id: one.name for one in pieces.decks if not one.faces}


def _words(pieces: Pieces, currency: str) -> Iterator[tuple[str, CommodityWords]]:
    named = pieces.named
    sign = Symbol(named.symbol, "after", "after")
    yield currency, CommodityWords(sort="money", name=named.money, plural=named.money, icon="coin", symbol=sign)
    for title in pieces.titles.values():
        yield deed(title.id), CommodityWords(sort="title", group=title.group, icon="title")
    yield HOUSE, CommodityWords(sort="piece", name=named.house, plural=named.houses, icon="house")
    yield HOTEL, CommodityWords(sort="piece", name=named.hotel, plural=named.hotels, icon="house")
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
        yield PASS, CommodityWords(sort="card", name=named.jail_pass, icon="card", card=PASS)
    for card in pieces.cards:
        if not card.face:
            yield (
                decks.commodity(card.id),
                CommodityWords(sort="card", group=card.deck, icon="card", card=card.id, text=card.words),
            )

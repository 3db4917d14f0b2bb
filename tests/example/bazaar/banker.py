"""The banker: corrections, disputes, rulings, and the accounts among which a ruling moves things (banker)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ledger.kernel.arbitration.chapter import arbitration
from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.facts.consistency import Inconsistency
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import AccountName
from ledger.kernel.rules.commodities import CommodityWords, Glossary
from ledger.kernel.rules.faces.accounts import Accounts
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player as purse
from tests.example.bazaar.cards import CARDS
from tests.example.bazaar.table import COIN, DECK, MARKET, VEIL, Bazaar, hand, offer

chapter = arbitration("The banker", player_undo=True)

_GLOSSARY: Glossary = {
    COIN: CommodityWords(
        sort="money", name=Phrase("Coin", "Pièce"), plural=Phrase("Coins", "Pièces"), icon="coin"
    ),
    VEIL: CommodityWords(sort="card", name=Phrase("Card", "Carte"), plural=Phrase("Cards", "Cartes"), icon="card"),
    **{
        decks.commodity(name): CommodityWords(sort="card", name=Phrase(card.en, card.fr), icon="card", card=name)
        for name, card in CARDS.items()
    },
}


class BazaarAccounts(Accounts[Bazaar]):
    """The accounts of the game."""

    account_names: Mapping[str, AccountName] = {
        BANK: AccountName("the bank", "la banque"),
        BOX: AccountName("the box", "la boîte"),
        MARKET: AccountName("the market", "le marché"),
        decks.pile(DECK): AccountName("the pile", "la pioche"),
        decks.discards(DECK): AccountName("the discards", "la défausse"),
        "player": AccountName("{name}", "{name}", of="seat"),
        "hand": AccountName("{name} (hand)", "{name} (main)", of="seat"),
        "offer": AccountName("{name} (offer)", "{name} (offre)", of="seat"),
    }

    def may_owe(self, account: str, commodity: str) -> bool:
        """Let the bank owe coins (setup.3), and the pile cards recorded elsewhere (deal.5)."""
        return account == BOX or (account == BANK and commodity == COIN) or decks.owes(account, commodity)

    def accounts_of(self, seat: str) -> tuple[str, ...]:
        """Return purse, hand and offer."""
        return purse(seat), hand(seat), offer(seat)

    def commodities(self, state: Bazaar) -> Glossary:
        """Return the coin, the cards, and the hidden card."""
        return _GLOSSARY

    def movable(self, state: Bazaar) -> Mapping[str, Sequence[str]]:
        """Return the coins with the purses and the bank, and the cards with the hands (banker.3)."""
        hands, purses = tuple(map(hand, state.order)), tuple(map(purse, state.order))
        return {COIN: (*purses, BANK), **dict.fromkeys(map(decks.commodity, CARDS), hands)}


def inconsistencies(state: Bazaar) -> Iterator[Inconsistency]:
    """Yield each offer without a card (trade.3)."""
    for seat in (trade.by for trade in state.open.values()):
        if not decks.held_in(state, offer(seat)):
            name = state.seats[seat].name
            en, fr = f"the offer of {name} has no card", f"l'offre de {name} n'a pas de carte"
            yield Inconsistency("bazaar:trade.3", f"offer:{seat}", en, fr)

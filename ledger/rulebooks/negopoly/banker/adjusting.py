"""P.1. The remedy `adjust`: the things that a ruling may move, and the accounts allowed for each thing.

Rows of the price list without a holder (a round of a contract, a minute of a meeting) are not moved. Things
without an effect of their own (a hack without a target) have a separate remedy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ledger.kernel.arbitration import remedies
from ledger.kernel.arbitration.remedies import Ruling, Transfer
from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.facts.audience import told_to
from ledger.kernel.facts.consistency import appeared
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import AccountName
from ledger.kernel.rules.commodities import Glossary
from ledger.kernel.rules.faces.accounts import Accounts
from ledger.rulebooks.negopoly.arsenal.charges import PLACED
from ledger.rulebooks.negopoly.banker import consistency
from ledger.rulebooks.negopoly.cards import decks
from ledger.rulebooks.negopoly.cards.vocabulary import DECKS, is_card
from ledger.rulebooks.negopoly.goods import shops
from ledger.rulebooks.negopoly.mercenaries.hacks import HACK
from ledger.rulebooks.negopoly.mercenaries.kidnapping import KIDNAPPING
from ledger.rulebooks.negopoly.mercenaries.strikes import DEFENCE, TEAM
from ledger.rulebooks.negopoly.squares.spawn import LICENCE
from ledger.rulebooks.negopoly.table import glossary, speaking
from ledger.rulebooks.negopoly.table.pieces import DELIVERABLE, ITEMS, TITLES
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, seat_named
from ledger.rulebooks.negopoly.table.terms import MONEY, POLICE, USED, attached, player
from ledger.rulebooks.parts import decks as piles

_BOUND = ("escrow:", "transit:")
"""Prefixes of the accounts of agreements. The holdings of an agreement move only with the agreement."""

_GOODS = tuple(sorted(DELIVERABLE | {LICENCE, KIDNAPPING, TEAM}))
"""The goods of an inventory, apart from money, cards and hacks."""

ON_TITLES = ("house", "mortgage", "squat", DEFENCE)
"""The things attached to titles, apart from charges."""


class _Elsewhere(NamedTuple):
    """The refusal for a row of the price list: the rule, and the remedy to order instead."""

    rule: str
    en: str
    fr: str


_OTHER_REMEDIES: Mapping[str, _Elsewhere] = {
    "prison_racket": _Elsewhere(
        "VI.D.3",
        "{item} is no thing that an account holds: order set_rackets",
        "{item} n'est rien qu'un compte détienne : ordonnez set_rackets",
    ),
    "k9_bribe": _Elsewhere(
        "VI.E.2",
        "{item} is no thing that an account holds: order set_k9",
        "{item} n'est rien qu'un compte détienne : ordonnez set_k9",
    ),
}
_A_PRICE = _Elsewhere(
    "II.E.5",
    "{item} is a price, and no thing that an account holds: it would count as wealth and do nothing",
    "{item} est un prix, et rien qu'un compte détienne : cela compterait comme fortune, sans effet",
)


def movable(state: Negopoly) -> Mapping[str, tuple[str, ...]]:
    """Return the commodities moved by `adjust`, each with the allowed accounts. The result holds no secret."""
    players = tuple(player(seat) for seat in state.seats if seat not in state.eliminated)
    on_titles = (BANK, USED, *(attached(title) for title in TITLES))
    accounts: dict[str, tuple[str, ...]] = {MONEY: (BANK, *players)}
    for item in _GOODS:
        sellers = (shops.account(item),) if item in shops.STOCKED else ()
        accounts[item] = (BANK, *players, POLICE, *sellers, USED)
    for thing in ON_TITLES:
        accounts[thing] = on_titles
    for title in TITLES:
        for thing in sorted(state.holdings.account(attached(title))):
            if thing.startswith(PLACED):
                accounts[thing] = on_titles
    for card in decks.cards_of(state):
        active = (decks.WEATHER,) if card.deck == "meteo" else ()
        accounts[card.commodity] = (*players, decks.pile(card.deck), decks.discards(card.deck), *active, USED)
    return accounts


class Adjust(remedies.Adjust, frozen=True, kw_only=True):
    """Move money, goods, cards and what lies on titles between the accounts where they belong.

    `GET …/accounts?known=1` lists what moves between which accounts. Titles, hacks and the holdings of agreements
    have remedies of their own.
    """

    def carry_out(self, draft: Draft, ruling: Ruling) -> None:
        """Refuse a posting without the holding, without an effect, or beyond a limit of the rules.

        Limits are the limits of `consistency`: five houses (V.C.2), one mortgage (V.B.1), one licence (VI.A.4)…
        The ruling may waive a limit.
        """
        for transfer in self.postings:
            _require_fitting(draft, transfer)
        remedies.require_known(draft, ruling, self.postings)
        places = movable(draft.state)
        for transfer in self.postings:
            _require_accounts(draft, transfer, places)
        earlier = list(consistency.inconsistencies(draft.state))
        super().carry_out(draft, ruling)
        for inconsistency in appeared(earlier, consistency.inconsistencies(draft.state)):
            draft.require(
                False,
                inconsistency.rule,
                "{said}",
                "{dit}",
                known_to=told_to(inconsistency.readers),
                said=inconsistency.en,
                dit=inconsistency.fr,
            )


def _require_fitting(draft: Draft, transfer: Transfer) -> None:
    """Refuse commodities with a separate remedy, and rows of the price list without a holder."""
    if transfer.commodity.startswith("title:"):
        raise Impossible(
            "P.1",
            "{title:goods} is not moved by adjust: order forced_sale or reset_property",
            "{title:goods} ne se déplace pas par adjust : ordonnez forced_sale ou reset_property",
            title=transfer.commodity,
        )
    for account in (transfer.source, transfer.target):
        if account.startswith(_BOUND):
            raise Impossible(
                "P.1",
                "what {account:account} keeps moves with its agreement: order a remedy for that",
                "ce que garde {account:account} suit son accord : ordonnez un remède pour celui-ci",
                account=account,
            )
        if account.removeprefix("player:") in draft.state.eliminated:
            seat_named(draft.state, account.removeprefix("player:"), "P.1")
    if transfer.commodity == HACK:
        raise Impossible(
            "IX.B.10",
            "a hack has no effect without its target: order grant_service or withdraw_service",
            "un hack est sans effet sans sa cible : ordonnez grant_service ou withdraw_service",
        )
    if transfer.commodity in ITEMS and transfer.commodity not in {*_GOODS, *ON_TITLES}:
        why = _OTHER_REMEDIES.get(transfer.commodity, _A_PRICE)
        raise Impossible(why.rule, why.en, why.fr, item=ITEMS[transfer.commodity].name)


def _require_accounts(draft: Draft, transfer: Transfer, places: Mapping[str, tuple[str, ...]]) -> None:
    """Refuse an account outside the accounts allowed for the commodity."""
    for account in (transfer.source, transfer.target):
        if account in places.get(transfer.commodity, ()):
            continue
        raise Impossible(
            "P.1",
            "{thing:goods} has no place in {account:account}: it lies {where.en}",
            "{thing:goods} n'a pas sa place dans {account:account} : c'est {where.fr}",
            thing=transfer.commodity,
            account=account,
            where=_accounts_phrase(transfer.commodity),
        )


def _accounts_phrase(commodity: str) -> Phrase:
    """Return the phrase for the accounts of a commodity."""
    if commodity == MONEY:
        return Phrase("with the bank or a player", "à la banque ou chez un joueur")
    if commodity in ON_TITLES or commodity.startswith(PLACED):
        return Phrase("on a title or with the bank", "sur un titre ou à la banque")
    if commodity in _GOODS:
        return Phrase(
            "with the bank, a player, the police or its shop, or is used up",
            "à la banque, chez un joueur, à la police ou dans sa boutique, ou épuisé",
        )
    return Phrase(
        "in a hand, its deck, its discards or the weather", "dans une main, sa pioche, sa défausse ou la météo"
    )


class NegopolyAccounts(Accounts[Negopoly]):
    """The accounts of the game."""

    account_names: Mapping[str, AccountName] = speaking.ACCOUNT_NAMES

    def may_owe(self, account: str, commodity: str) -> bool:
        """Return True if an account may owe a commodity.

        The bank may owe everything except cards and titles, which come from the box; a player may owe money
        (I.B.3). A deck may owe a card drawn at the table and recorded elsewhere in the journal (I.C.6).
        """
        if account == BANK:
            return not commodity.startswith("title:") and not is_card(commodity)
        if account == BOX:
            return True
        if commodity == MONEY:
            return account.startswith("player:")
        return piles.owes(account, commodity)

    def account_on(self, commodity: str) -> str | None:
        """Return the account of the attachments of a title."""
        title = commodity.removeprefix("title:")
        return attached(title) if title in TITLES and title != commodity else None

    def knows_account(self, state: Negopoly, account: str) -> bool:
        """Return True if an account exists, even without holdings, such as the police, the shops and the decks."""
        return (
            account in {POLICE, USED, decks.WEATHER, *shops.ACCOUNTS}
            or account in {place(deck) for place in (decks.pile, decks.discards) for deck in DECKS}
            or (account.startswith("property:") and account.removeprefix("property:") in TITLES)
            or super().knows_account(state, account)
        )

    def knows_commodity(self, state: Negopoly, commodity: str) -> bool:
        """Return True if the commodity is on the price list or an attachment of titles, even without any
        holder.
        """
        return commodity in ITEMS or commodity in ON_TITLES or super().knows_commodity(state, commodity)

    def commodities(self, state: Negopoly) -> Glossary:
        """Return money, titles, goods, cards, and the pieces on titles. The contents of the box are no secret."""
        return glossary.commodities(state)

    def groups(self, state: Negopoly, language: str) -> Mapping[str, str]:
        """Return the decks. The quarters are groups of the board."""
        return glossary.groups(language)

    def movable(self, state: Negopoly) -> Mapping[str, Sequence[str]]:
        """Return the commodities that `adjust` moves, with the accounts. Everybody knows the pieces."""
        return movable(state)

"""The terms of agreements in words: title, parties, status and due date."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from ledger.kernel.facts.agreements import Agreement, Due, PromisedTransfer, Terms, tag_of
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker, speak
from ledger.rulebooks.negopoly.agreements.loans import deadline_of
from ledger.rulebooks.negopoly.table.state import Negopoly
from ledger.rulebooks.negopoly.table.terms import MONEY, Bounty, Contract, Deal, Delivery, Loan, Meeting

Say = Callable[..., str]
"""Takes an English and a French template and the values; returns the sentence in the requested language."""

_LONGEST = 60
"""Maximum length of a free text in a title, in characters."""

KINDS = {
    "deal": Phrase("deal", "accord"),
    "delivery": Phrase("delivery", "livraison"),
    "contract": Phrase("contract", "contrat"),
    "bounty": Phrase("bounty", "prime"),
    "loan": Phrase("loan", "prêt"),
    "meeting": Phrase("meeting", "réunion"),
}

_STATUSES: Mapping[str, Mapping[str, Phrase]] = {
    "deal": {
        "proposed": Phrase("proposed", "proposé"),
        "concluded": Phrase("concluded", "conclu"),
        "broken": Phrase("recorded as broken", "déclaré rompu"),
        "withdrawn": Phrase("withdrawn", "retiré"),
    },
    "delivery": {
        "open": Phrase("on its way", "en route"),
        "arrived": Phrase("arrived", "arrivée"),
        "returned": Phrase("returned", "renvoyée"),
        "intercepted": Phrase("intercepted", "interceptée"),
    },
    "contract": {
        "proposed": Phrase("proposed", "proposé"),
        "open": Phrase("in force", "en vigueur"),
        "lapsed": Phrase("lapsed", "échu"),
        "withdrawn": Phrase("withdrawn", "retiré"),
        "ended": Phrase("ended", "terminé"),
    },
    "bounty": {
        "posted": Phrase("waits for the bank", "attend la banque"),
        "open": Phrase("open", "ouverte"),
        "refused": Phrase("refused by the bank", "refusée par la banque"),
        "awarded": Phrase("awarded", "attribuée"),
        "refunded": Phrase("refunded", "remboursée"),
    },
    "loan": {
        "open": Phrase("to be paid back", "à rembourser"),
        "repaid": Phrase("paid back", "remboursé"),
        "collected": Phrase("collected by the bank", "recouvré par la banque"),
        "forgiven": Phrase("written off", "remis"),
    },
    "meeting": {
        "open": Phrase("under way", "en cours"),
        "ended": Phrase("ended", "terminée"),
    },
}
"""The statuses of each kind of agreement, in English and French."""


def terms_of(state: Negopoly, agreement: Agreement, language: str, speakers: Mapping[str, Speaker]) -> Terms:
    """Return the terms of an agreement, in "en" or "fr"."""

    def say(english: str, french: str, **values: Any) -> str:
        return speak(Phrase(english, french).in_language(language), values, language, speakers)

    kind = tag_of(agreement)
    title, parties, amount, due = _summary(state, agreement, say)
    return Terms(
        label=KINDS[kind].in_language(language),
        title=title,
        status=_STATUSES[kind][agreement.status].in_language(language),
        parties=tuple(dict.fromkeys(parties)),
        amount=amount,
        due=due if agreement.id in state.open else None,
        gives=_gives(agreement),
        terms=_promises(agreement),
        agreed=agreement.agreed if isinstance(agreement, Deal | Contract) else None,
    )


def _gives(agreement: Agreement) -> tuple[PromisedTransfer, ...]:
    """Return the transfers between the seats: the legs of a deal, the goods of a delivery."""
    match agreement:
        case Deal():
            return tuple(
                PromisedTransfer(source=leg.giver, target=leg.taker, commodity=leg.commodity, amount=leg.amount)
                for leg in agreement.legs
            )
        case Delivery(sender=sender, recipient=to, commodity=commodity, amount=amount):
            return (PromisedTransfer(source=sender, target=to, commodity=commodity, amount=amount),)
        case _:
            return ()


def _promises(agreement: Agreement) -> tuple[str, ...]:
    """Return the promises in the seats' own words: clauses, or the conditions of a bounty."""
    match agreement:
        case Deal() | Contract():
            return agreement.clauses
        case Bounty():
            return (agreement.conditions,)
        case _:
            return ()


def _summary(
    state: Negopoly, agreement: Agreement, say: Say
) -> tuple[str, tuple[str, ...], int | None, Due | None]:
    """Return the title, the parties, the amount and the deadline."""
    match agreement:
        case Loan():
            title = say(
                "The bank lends {who:seat} {amount:money}",
                "La banque prête {amount:money} à {who:seat}",
                who=agreement.borrower,
                amount=agreement.principal,
            )
            amount = agreement.outstanding if agreement.status == "open" else agreement.principal
            passages = deadline_of(agreement)
            due = Due(text=say(f"{passages.en} by Spawn", f"{passages.fr} par Spawn"))
            return title, (agreement.borrower,), amount, due
        case Contract():
            return _contract_title(agreement, say), agreement.parties, _escrow(agreement), _lapse(agreement, say)
        case Bounty():
            title = say(
                "{who:seat} offers {amount:money}: {conditions}",
                "{who:seat} offre {amount:money} : {conditions}",
                who=agreement.poster,
                amount=agreement.amount,
                conditions=_short(agreement.conditions),
            )
            winner = () if agreement.winner is None else (agreement.winner,)
            return title, (agreement.poster, *winner), agreement.amount, None
        case Deal():
            return _deal_title(agreement, say), agreement.parties, None, None
        case Delivery():
            title = say(
                "{amount} × {what:goods} from {sender:seat} to {to:seat}",
                "{amount} × {what:goods}, {sender:de|seat} à {to:seat}",
                amount=agreement.amount,
                what=agreement.commodity,
                sender=agreement.sender,
                to=agreement.recipient,
            )
            arrives = agreement.sent_round + agreement.rounds
            text = say("arrives in round {round}", "arrive au round {round}", round=arrives)
            return title, (agreement.sender, agreement.recipient), None, Due(text=text, round=arrives)
        case Meeting():
            title = say(
                "{who:seat}'s meeting: {present:seats}",
                "Réunion {who:de|seat} : {present:seats}",
                who=agreement.launcher,
                present=agreement.attended,
            )
            parties = (agreement.launcher, *agreement.attended, *agreement.invited)
            return (
                title,
                parties,
                agreement.paid or None,
                Due(text=_clock(agreement.ends_at, say), at=agreement.ends_at),
            )
        case _:
            raise TypeError(f"{type(agreement).__name__} is no agreement of Negopoly")


def _contract_title(contract: Contract, say: Say) -> str:
    return say(
        "Contract of {parties:seats}: {clause}",
        "Contrat entre {parties:seats} : {clause}",
        parties=contract.parties,
        clause=_short(say("; ", " ; ").join(contract.clauses)),
    )


def _escrow(contract: Contract) -> int | None:
    return sum(contract.escrow.values()) or None


def _lapse(contract: Contract, say: Say) -> Due | None:
    """Return the due date of a contract: the start of a seat's turn of a round (X.A.5)."""
    if contract.status == "proposed":
        rounds = contract.rounds
        term = (
            say("for {rounds} rounds", "pour {rounds} rounds", rounds=rounds)
            if rounds > 1
            else say("for one round", "pour un round")
        )
        return Due(text=term)
    if contract.ends_round is None or contract.ends_seat is None:
        return None
    text = say(
        "lapses at {who:seat}'s turn of round {round}",
        "échoit au tour {who:de|seat}, round {round}",
        who=contract.ends_seat,
        round=contract.ends_round,
    )
    return Due(text=text, round=contract.ends_round, seat=contract.ends_seat)


def content_of(deal: Deal, language: str, speakers: Mapping[str, Speaker]) -> str:
    """Return the content of a deal, in "en" or "fr": "Ana gives ₦100; no rent on Nuketown"."""

    def say(english: str, french: str, **values: Any) -> str:
        return speak(Phrase(english, french).in_language(language), values, language, speakers)

    return _content(deal, say).rstrip(".")


def _deal_title(deal: Deal, say: Say) -> str:
    return say(
        "Deal of {parties:seats}: {content}",
        "Accord entre {parties:seats} : {content}",
        parties=deal.parties,
        content=_content(deal, say),
    )


def _content(deal: Deal, say: Say) -> str:
    legs = (
        say(
            "{who:seat} gives {what}",
            "{who:seat} donne {what}",
            who=leg.giver,
            what=_goods(leg.commodity, leg.amount, say),
        )
        for leg in deal.legs
    )
    return _short(say("; ", " ; ").join((*legs, *deal.clauses)), 2 * _LONGEST)


def _goods(commodity: str, amount: int, say: Say) -> str:
    if commodity == MONEY:
        return say("{amount:money}", "{amount:money}", amount=amount)
    if amount == 1:
        return say("{what:goods}", "{what:goods}", what=commodity)
    return say("{amount} × {what:goods}", "{amount} × {what:goods}", amount=amount, what=commodity)


def _clock(at: datetime, say: Say) -> str:
    return say("until {time}", "jusqu'à {time}", time=at.isoformat(timespec="seconds").replace("+00:00", "Z"))


def _short(text: str, longest: int = _LONGEST) -> str:
    """Cut a free text to the length of a title."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"

"""The obligations of a table: agreements, goods in transit, rackets, overdrawn purses, rents, answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.facts.agreements import tag_of
from ledger.kernel.facts.obligations import Obligation
from ledger.kernel.language.phrase import Phrase
from ledger.rulebooks.negopoly.agreements.loans import deadline_of
from ledger.rulebooks.negopoly.agreements.telling import KINDS
from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.estate import real_estate
from ledger.rulebooks.negopoly.goods import tank
from ledger.rulebooks.negopoly.squares.prison import RACKET
from ledger.rulebooks.negopoly.table.state import Negopoly, owner_of
from ledger.rulebooks.negopoly.table.terms import (
    MONEY,
    AnyAgreement,
    Bounty,
    Contract,
    Deal,
    Delivery,
    Loan,
    player,
)
from ledger.rulebooks.negopoly.table.views import NegopolySecrets, audience_of_agreement
from ledger.rulebooks.parts.agreements import in_order

_BOUNTY = Phrase(
    "goes to the winner, or back at the end of the game", "va au gagnant, ou revient en fin de partie"
)
_ESCROW = Phrase("paid out by the banker, or back with the contract", "versé par le banquier, ou rendu à terme")
_CLAUSES = Phrase("the banker may establish a breach", "le banquier peut constater un manquement")
_GOODS = Phrase("the deal may be recorded as broken", "l'accord peut être déclaré rompu")
_RACKET = Phrase("paid by the next player sent to Prison", "payé par le prochain joueur envoyé en Prison")
_OVERDRAWN = Phrase("no voluntary spending", "aucune dépense volontaire")
_STOP = Phrase("paid at the end of the turn, into debt if needed", "payé en fin de tour, à découvert s'il le faut")
_ANSWER = Phrase("the usual answer at the end of the turn", "la réponse par défaut en fin de tour")

MATTERS: Mapping[str, Phrase] = {
    **{kind: Phrase(f"{words.en} {{about}}", f"{words.fr} {{about}}") for kind, words in KINDS.items()},
    "racket": Phrase("racket in Prison", "racket en Prison"),
    "overdraft": Phrase("overdrawn purse", "découvert"),
    "rent": Phrase("rent: {about:title}", "loyer : {about:title}"),
    "answer": Phrase("answer: {about:question}", "répondre : {about:question}"),
}
"""The words for each kind of obligation."""

SETTLING: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "loan": {"repay_loan": {"loan": "about"}},
    "bounty": {"award_bounty": {"bounty": "about"}, "close_bounty": {"bounty": "about"}},
    "contract": {"release_escrow": {"contract": "about", "depositor": "debtor"}},
    "deal": {"send_delivery": {"deal": "about", "leg": "part"}},
}
"""The actions that settle each kind of obligation."""


def obligations(state: Negopoly) -> Iterator[Obligation]:
    """Yield the obligations: agreements in the order of opening, rackets, overdrawn purses, a rent, answers.

    The parties alone may read about an agreement, and the player alone about a purse (I.C.6).
    """
    if state.ended:
        return
    for agreement in in_order(state.open.values()):
        yield from _of_agreement(agreement)
    for planter, count in Counter(state.rackets).items():
        yield Obligation("racket", None, player(planter), "VI.D.4", _RACKET, MONEY, RACKET * count)
    for seat in state.seats:
        balance, audience = (
            state.holdings.of(player(seat), MONEY),
            NegopolySecrets().holding_audience(state, player(seat), MONEY),
        )
        if balance < 0:
            yield Obligation("overdraft", seat, BANK, "I.B.3", _OVERDRAWN, MONEY, -balance, audience=audience)
    yield from _of_the_turn(state)


def _of_the_turn(state: Negopoly) -> Iterator[Obligation]:
    """Yield the rent of the present stop until it is resolved, and the answers due. All of it is public."""
    turn = state.turn
    if turn is None:
        return
    due = None if turn.paused_at is not None else turn.ends_at
    title = state.board[state.positions[turn.seat]].property if turn.unresolved else None
    owner = None if title is None else owner_of(state, title)
    if title is not None and owner is not None and not disruption.squares_off(state):
        amount, rule = real_estate.rent_due(state, turn.seat, title), real_estate.rule_of_rent(state, title)
        if amount and not tank.protects(state, turn.seat):
            yield Obligation("rent", turn.seat, player(owner), rule, _STOP, MONEY, amount, about=title, due=due)
    for question in state.questions:
        yield Obligation("answer", question.seat, None, question.rule, _ANSWER, about=question.id, due=due)


def _of_agreement(agreement: AnyAgreement) -> Iterator[Obligation]:
    """Yield the obligations of an open agreement; none of a proposal or a meeting."""
    owed = partial(
        Obligation,
        tag_of(agreement),
        about=agreement.id,
        since=agreement.opened[0],
        audience=audience_of_agreement(agreement),
    )
    match agreement:
        case Loan(borrower=seat, outstanding=amount):
            deadline = deadline_of(agreement)
            collected = Phrase(f"collected {deadline.en} by Spawn", f"recouvré {deadline.fr} par le Spawn")
            yield owed(seat, BANK, "X.C.4", collected, MONEY, amount)
        case Bounty(poster=seat, amount=amount):
            yield owed(seat, None, "X.B.4", _BOUNTY, MONEY, amount, laid=True)
        case Contract(status="open", escrow=escrow):
            for seat, amount in escrow.items():
                yield owed(seat, None, "X.A.6", _ESCROW, MONEY, amount, laid=True)
            for seat in agreement.parties if agreement.clauses else ():
                yield owed(seat, None, "X.A.6", _CLAUSES)
        case Deal(legs=legs, due=due):
            for index in due:
                giver, taker = legs[index].giver, player(legs[index].taker)
                goods = partial(owed, giver, taker, "II.D.1", _GOODS, legs[index].commodity, legs[index].amount)
                yield goods(part=index, awaited=True)
        case Delivery(sender=seat, recipient=recipient, commodity=commodity, amount=amount):
            last = agreement.sent_round + agreement.rounds
            arrives = Phrase(f"arrives in round {last}", f"arrive au round {last}")
            yield owed(seat, player(recipient), "VIII.D.3", arrives, commodity, amount, laid=True)

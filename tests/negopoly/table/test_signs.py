"""The sign of money stands before the amount in English, and after it in French."""

from __future__ import annotations

import re

from ledger.kernel.facts.audience import BANKER
from ledger.reading.entries.journal import page_of_journal
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.terms import MONEY
from ledger.service import Ledger
from tests.tables.ledgers import started
from tests.tables.negopoly import Table

AFTER = re.compile(r"\d ₦")


def test_a_starting_perk_is_told_with_the_sign_in_its_place(ledger: Ledger) -> None:
    game = started(ledger, "ana", "bob")
    for language, told in (("en", ": ₦150."), ("fr", "\u00a0: 150 ₦.")):
        journal, _ = page_of_journal(ledger.moment(game, BANKER), language=language)
        perks = [entry.sentence for entry in journal if entry.kind == "choose_starter_perk"]
        assert [sentence for sentence in perks if sentence.endswith(told)], perks


def test_thousands_stand_apart_from_five_digits_on() -> None:
    """In refusals as in the sentences of the journal."""
    table = Table("ana", "bob")
    short = table.refused("ana", "transfer_money", "I.B.6", to="bob", amount=125_000)
    assert "cannot spend ₦125,000 without ₦123,350 more" in short.en
    assert "ne peut pas dépenser 125\u202f000 ₦ sans 123\u202f350 ₦ de plus" in short.fr
    table.give("ana", MONEY, 10_000)
    (payment,) = table.play("ana", "transfer_money", to="bob", amount=11_000)
    assert payment.sentence("en", RULEBOOK.naming(table.state)) == "Ana gives ₦11,000 to Bob."


def test_no_english_text_of_the_rulebook_has_the_sign_behind() -> None:
    """The register and the descriptions of actions."""
    texts = [f"{rule.title} {rule.requires}" for rule in RULEBOOK.register.rules()]
    texts += [f"{action.__doc__} {action.summary.en}" for action in RULEBOOK.actions.values()]
    assert [text for text in texts if AFTER.search(text)] == []

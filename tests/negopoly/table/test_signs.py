"""The sign of money stands before the amount in English, and after it in French."""

from __future__ import annotations

import re

from ledger.kernel.facts.audience import BANKER
from ledger.reading.entries.journal import page_of_journal
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Ledger
from tests.tables.ledgers import started

AFTER = re.compile(r"\d ₦")


def test_a_starting_perk_is_told_with_the_sign_in_its_place(ledger: Ledger) -> None:
    game = started(ledger, "ana", "bob")
    for language, told in (("en", ": ₦150."), ("fr", "\u00a0: 150 ₦.")):
        journal, _ = page_of_journal(ledger.moment(game, BANKER), language=language)
        perks = [entry.sentence for entry in journal if entry.kind == "choose_starter_perk"]
        assert [sentence for sentence in perks if sentence.endswith(told)], perks


def test_no_english_text_of_the_rulebook_has_the_sign_behind() -> None:
    """The register and the descriptions of actions."""
    texts = [f"{rule.title} {rule.requires}" for rule in RULEBOOK.register.rules()]
    texts += [f"{action.__doc__} {action.summary.en}" for action in RULEBOOK.actions.values()]
    assert [text for text in texts if AFTER.search(text)] == []

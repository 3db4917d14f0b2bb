"""No line of a French sentence begins with a sign of its own: each text for people has its no-break spaces."""

from __future__ import annotations

import re

import pytest

from ledger.kernel.language.phrase import Phrase, unbroken
from ledger.reading.words.forms import form_of
from ledger.rulebooks import rulebooks_by_id

_BREAKING = re.compile(r"[^\s] [:;!?%»]|« ")
_BOOKS = sorted(rulebooks_by_id())


def test_a_french_phrase_keeps_each_sign_with_its_word() -> None:
    phrase = Phrase("Is it so: 12%?", "« Oui » : 12 % ; vrai ?")
    assert phrase.in_language("fr") == "«\u00a0Oui\u00a0»\u00a0: 12\u00a0%\u00a0; vrai\u00a0?"
    assert phrase.in_language("en") == "Is it so: 12%?"
    assert unbroken(unbroken(phrase.fr)) == unbroken(phrase.fr)


@pytest.mark.parametrize("name", _BOOKS)
def test_rules_and_forms_are_unbroken(name: str) -> None:
    """The texts of the rules, the words of the forms, and the sentences of the events."""
    rulebook = rulebooks_by_id()[name]
    rules = [text for rule in rulebook.register.rules("fr") for text in (rule.title, rule.requires, rule.decision)]
    forms = [
        text
        for kind in rulebook.actions
        for member in form_of(rulebook, kind, "fr")["properties"].values()
        for text in (member.get("title", ""), member.get("description", ""))
    ]
    said = [Phrase(event.en, event.fr).in_language("fr") for event in rulebook.events.values()]
    assert all((rules, forms, said))
    assert [text for text in (*rules, *forms, *said) if _BREAKING.search(text)] == []

"""What people call the actions: every kind of every game has its words, and they fit its parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import fields

from ledger.kernel.facts.state import Seat
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.wording import ActionWords, Wording
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks import rulebooks_by_id
from replays import simulation
from tests.example import RULEBOOKS as EXAMPLES

RULEBOOKS = {**rulebooks_by_id(), **{one.id: one for one in EXAMPLES}}
BUILT_IN = {"", "list", "seats"}
FIELD = re.compile(r"\{(\w+)(?::([\w|]*))?\}")


def worded(rulebook: Rulebook[Any]) -> Iterator[tuple[str, ActionWords]]:
    """Every kind with its words, and with those of each of its variants."""
    for kind in rulebook.actions:
        words = rulebook.words_of(kind)
        yield kind, words
        for name in words.variants:
            yield kind, rulebook.words_of(kind, name)
        if words.when_due is not None:
            yield kind, words.but(words.when_due)


def templates(words: ActionWords) -> Iterator[Phrase]:
    """The templates of a kind."""
    yield from (one for one in (words.one, words.several, words.option) if one is not None)


@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_every_kind_of_action_has_its_words(rulebook: Rulebook[Any]) -> None:
    assert rulebook.language.wording.actions.keys() == rulebook.actions.keys()
    for kind, words in worded(rulebook):
        for text in (words.label.en, words.label.fr):
            assert re.fullmatch(r"[A-ZÀ-Ý][^{}\[\]]+[^.…]", text), f"{kind}: {text}"
        for verb in (*words.verbs.en, *words.verbs.fr):
            assert re.fullmatch(r"[a-zà-ÿ][a-zà-ÿ0-9]+", verb), f"{kind}: {verb}"


@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_the_templates_say_parameters_that_there_are_in_both_languages(rulebook: Rulebook[Any]) -> None:
    seats = [Seat(one, one.capitalize()) for one in ("ana", "bob", "cleo", "dan")]
    opening = Opening(players=tuple(seats), settings=rulebook.settings(), dice="service")
    game = simulation.play(rulebook, opening, seed=1, actions=1).game
    speakers = rulebook.naming(game.state).keys()
    for kind, words in worded(rulebook):
        params = {field.encode_name for field in fields(rulebook.actions[kind])}
        assert {*words.per, *words.choice} <= params, kind
        for template in templates(words):
            said = [FIELD.findall(text) for text in (template.en, template.fr)]
            assert {name for name, _ in said[0]} == {name for name, _ in said[1]}, f"{kind}: {template}"
            for name, manner in (*said[0], *said[1]):
                assert name in params | {"seat", "cost"}, f"{kind}: {name}"
                way = manner.rpartition("|")[2]
                assert way in speakers or way in BUILT_IN, f"{kind}: {manner}"


def test_words_that_do_not_fit_together_are_no_wording() -> None:
    words = """
        [roll]
        group = "turn"
        label = { en = "Roll", fr = "Lancer" }
        verbs = { en = ["roll"], fr = ["lancer"] }
    """
    turn = '[groups.turn]\norder = 1\nlabel = { en = "Turn", fr = "Tour" }\n'
    assert Wording.read(turn, words).actions["roll"].label.in_language("fr") == "Lancer"
    with pytest.raises(ValueError, match="roll is in no known group: 'turn'"):
        Wording.read(words)
    with pytest.raises(ValueError, match="there twice: roll"):
        Wording.read(turn, words, words)
    with pytest.raises(ValueError, match="roll has no verb in each language"):
        Wording.read(turn, words.replace('fr = ["lancer"]', "fr = []"))

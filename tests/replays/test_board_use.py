"""The use of a board over many games: titles of winners, and cards without an effect."""

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.rulebooks import rulebooks_by_id
from ledger.rulebooks.monopoly.cards.piles import CardDrawn, CardReturned
from ledger.rulebooks.monopoly.cards.sums import CardPaidOut
from replays.board_use import CardUse, TitleUse, Use, Watching, cards_of, names_in, titles_of
from replays.results import share

RULEBOOK = rulebooks_by_id()["monopoly"]


def test_the_least_lucky_titles_come_first_and_unsold_ones_before() -> None:
    uses = [
        (Use(owners={"mill": "ana", "inn": "bob"}), ("ana",)),
        (Use(owners={"mill": "bob", "inn": "bob"}), ("bob",)),
        (Use(owners={"inn": "ana"}), ("bob",)),
    ]
    assert titles_of(uses, ["inn", "mill", "dock"]) == (
        TitleUse(title="dock", games=0, won=0, share=None),
        TitleUse(title="inn", games=3, won=1, share=share(1, 3)),
        TitleUse(title="mill", games=2, won=2, share=share(2, 2)),
    )


def test_cards_are_counted_with_those_that_nobody_draws() -> None:
    uses = [Use(drawn={"a": 3, "b": 1}, idle={"a": 3}), Use(drawn={"b": 2}, idle={"b": 1})]
    assert cards_of(uses, ["a", "b", "c"]) == (
        CardUse(card="a", drawn=3, idle=3),
        CardUse(card="c", drawn=0, idle=0),
        CardUse(card="b", drawn=3, idle=1),
    )


def test_a_draw_followed_by_nothing_but_the_return_is_idle() -> None:
    """The first draw pays, the second does nothing; a title from the bank has its first owner."""
    watching = Watching(RULEBOOK, ["ana", "bob"])
    drawn = CardDrawn(rule="x", seat="ana", deck="letters", card="roofs")
    back = CardReturned(rule="x", seat="ana", deck="letters", card="roofs")
    paid = CardPaidOut(rule="x", seat="ana", amount=1, postings=(Posting("COIN", 1, BANK, "player:ana"),))
    for events in ([drawn, paid, back], [drawn, back]):
        watching.take(events)
    for target in ("player:bob", "player:ana"):
        sold = (Posting("title:mill", 1, BANK, target),)
        watching.take([CardPaidOut(rule="x", seat="ana", amount=1, postings=sold)])
    assert watching.use == Use(owners={"mill": "bob"}, drawn={"roofs": 2}, idle={"roofs": 1})


def test_names_and_texts_are_those_of_the_edition() -> None:
    document = {"squares": [{"id": "a", "name": "Mill"}], "cards": [{"id": "b", "title": {"en": "x", "fr": "y"}}]}
    assert names_in(document, "squares") == {"a": "Mill"}
    assert names_in(document, "cards") == {"b": "x"}
    assert names_in(document, "cards", "fr") == {"b": "y"}
    assert names_in(document, "decks") == {}

"""II.B.7, II.B.9, II.B.11, II.D.2, III.A: drawing, keeping and playing cards."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Malformed, NeedsDraw
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.cards.vocabulary import OPERATIONS as VOCABULARY
from ledger.rulebooks.negopoly.table.pieces import CARDS, OPERATIONS
from ledger.rulebooks.negopoly.table.state import Negopoly
from tests.tables.negopoly import NOON, Table

STREET = "69_rue_des_patates"
CHANCE_CARDS = [card.id for card in CARDS if card.deck == "chance"]


def at_chance(*seats: str, **options: Any) -> Table:
    """Ana stops on the Chance square 7, whose card is still to be drawn."""
    table = Table(*(seats or ("ana", "bob", "cleo")), decks=True, **options)
    table.place("ana", 4)
    table.play("ana", "roll_dice", dice=[1, 2])
    return table


def holding(*cards: str, **options: Any) -> Table:
    """Ana, whose turn it is, holds these cards."""
    table = Table("ana", "bob", "cleo", decks=True, **options)
    table.hand("ana", *cards)
    return table


def named(events: list[Event]) -> list[str]:
    """The events by name."""
    return [type(event).__name__ for event in events]


# The decks ------------------------------------------------------------------------------------------


@pytest.mark.rule("II.B.9")
def test_the_decks_hold_their_cards_when_a_game_is_laid_out() -> None:
    """16 Chance, 12 Kamtar and 12 Météo cards come out of the box; nobody issues any other."""
    table = Table("ana", "bob", decks=True)
    counts = {deck: len(table.state.holdings.account(f"deck:{deck}")) for deck in ("chance", "kamtar", "meteo")}
    assert counts == {"chance": 16, "kamtar": 12, "meteo": 12}
    assert not RULEBOOK.accounts.may_owe("bank", "card:chance_01")


def test_every_card_is_told_in_both_languages() -> None:
    """Each has a title, a text that differs, and operations that are described for those who write decks."""
    for card in CARDS:
        assert card.title.en, card.id
        assert card.title.fr, card.id
        assert card.text.en != card.text.fr, card.id
    assert set(OPERATIONS) == set(VOCABULARY)
    for name, row in OPERATIONS.items():
        assert row["en"] != row["fr"], name


# Drawing --------------------------------------------------------------------------------------------


@pytest.mark.rule("II.B.7")
def test_a_stop_on_chance_draws_a_card_which_is_mandatory() -> None:
    """Ana cannot end her turn before the card is drawn; "Frais de dossier" then takes 80 ₦."""
    table = at_chance()
    table.refused("ana", "end_turn", "II.B.7")
    events = table.play("ana", "resolve_square", draws=["chance_04"])
    assert named(events) == ["CardDrawn", "CardPaid", "SquareResolved"]
    assert table.holds("ana") == 1650 - 80
    assert table.holds("discard:chance", "card:chance_04") == 1
    table.play("ana", "end_turn")


@pytest.mark.rule("II.B.7")
def test_crossing_chance_draws_nothing() -> None:
    table = Table("ana", "bob", decks=True)
    table.place("ana", 6)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "resolve_square")
    assert len(table.state.holdings.account("deck:chance")) == 16


@pytest.mark.rule("II.B.7", "II.B.13")
def test_when_time_runs_out_the_service_draws_the_card_that_was_due() -> None:
    """The service throws in this game: the draw of the stop is posted before the turn closes."""
    table = Table("ana", "bob", decks=True, dice="service")
    table.place("ana", 7)
    with table.arranged() as state:
        _stopped(state, "ana", 7)
    table.wait(301)
    events = table.banker("expire_turn")
    assert "II.B.7" in [event.rule for event in events]
    assert len(table.state.holdings.account("deck:chance")) == 15
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"


@pytest.mark.rule("II.B.13")
def test_when_time_runs_out_a_card_that_the_table_has_not_drawn_is_missed() -> None:
    """Nobody could say which card it was, and the next player does not wait for it."""
    table = at_chance()
    table.wait(301)
    due = RULEBOOK.progress.due(table.state, table.now)
    assert due is not None
    events = table._perform(due[0], due[1], "system")
    assert "DrawMissed" in named(events)
    assert len(table.state.holdings.account("deck:chance")) == 16
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"


@pytest.mark.rule("VI.B.3")
def test_an_empty_chance_deck_takes_its_discards_back() -> None:
    """The only card left was drawn last time; the fifteen discarded ones and no other can come now."""
    table = at_chance()
    with table.arranged() as state:
        for card in CHANCE_CARDS:
            target = "player:bob" if card == "chance_06" else "discard:chance"
            state.holdings.post(Posting(f"card:{card}", 1, "deck:chance", target))
    assert isinstance(table.malformed("ana", "resolve_square"), NeedsDraw)
    with pytest.raises(Malformed, match="cards left to draw"):
        table.banker("resolve_square", seat="ana", draws=["chance_06"])
    events = table.play("ana", "resolve_square", draws=["chance_04"])
    assert named(events)[:2] == ["DeckRebuilt", "CardDrawn"]
    assert len(table.state.holdings.account("deck:chance")) == 14
    assert list(table.state.holdings.account("discard:chance")) == ["card:chance_04"]


def test_without_a_card_left_a_chance_square_does_nothing() -> None:
    """Every card is in a player's hand: nothing is due, and the turn can end."""
    table = at_chance()
    with table.arranged() as state:
        for card in CHANCE_CARDS:
            state.holdings.post(Posting(f"card:{card}", 1, "deck:chance", "player:bob"))
    table.play("ana", "end_turn")


@pytest.mark.rule("II.B.7")
def test_a_card_to_keep_goes_into_the_hand_unseen() -> None:
    """Ana draws "Amnistie": others see that she keeps a Chance card, and neither which one nor where it went."""
    table = at_chance()
    table.play("ana", "resolve_square", draws=["chance_06"])
    assert table.holds("ana", "card:chance_06") == 1
    (kept,) = [event for event in table.seen_by("bob") if type(event).__name__ == "CardKept"]
    assert (kept.card, kept.deck, kept.postings) == (None, "chance", ())  # type: ignore[attr-defined]
    (own,) = [event for event in table.seen_by("ana") if type(event).__name__ == "CardKept"]
    assert own.card == "chance_06"  # type: ignore[attr-defined]


@pytest.mark.rule("II.B.7", "II.B.6")
def test_a_card_that_leads_to_another_stop_leaves_that_stop_to_be_resolved() -> None:
    """Marche arrière from Chance 36 goes back over the Kamtar to Chance 33, whose card is drawn in turn."""
    table = Table("ana", "bob", decks=True)
    with table.arranged() as state:
        state.positions["ana"] = 36
        _stopped(state, "ana", 36)
    table.play("ana", "resolve_square", draws=["chance_09"])
    assert table.state.positions["ana"] == 35
    table.play("ana", "answer", question=table.state.questions[0].id, answer="no")
    assert table.state.positions["ana"] == 33
    table.refused("ana", "end_turn", "II.B.7")
    table.play("ana", "resolve_square", draws=["chance_01"])
    assert table.holds("ana") == 1650 + 100
    table.play("ana", "end_turn")


# Targets of a drawn card ------------------------------------------------------------------------------


@pytest.mark.rule("V.B.3", "II.B.7")
def test_a_card_that_needs_a_choice_asks_its_drawer() -> None:
    """Saisie conservatoire: Ana names which of her two titles is mortgaged; until then her turn waits."""
    table = at_chance()
    table.own("ana", STREET, "nuketown")
    table.play("ana", "resolve_square", draws=["chance_13"])
    (question,) = table.state.questions
    assert question.about["candidates"] == [STREET, "nuketown"]
    table.refused("ana", "end_turn", "II.B.7")
    answers = [one["answer"] for one in table.offers("ana", "answer")]
    assert answers == [STREET, "nuketown"]
    table.refused("ana", "answer", "II.B.7", question=question.id, answer="hijacked")
    table.play("ana", "answer", question=question.id, answer="nuketown")
    assert table.holds("property:nuketown", "mortgage") == 1
    assert table.holds("ana") == 1650


@pytest.mark.rule("V.B.3")
def test_where_there_is_no_choice_nothing_is_asked() -> None:
    """With one title it is that one, without any the card has no effect."""
    table = at_chance()
    table.own("ana", STREET)
    table.play("ana", "resolve_square", draws=["chance_13"])
    assert table.holds(f"property:{STREET}", "mortgage") == 1
    bare = at_chance()
    events = bare.play("ana", "resolve_square", draws=["chance_13"])
    assert "CardWithoutEffect" in named(events)


@pytest.mark.rule("II.B.13", "V.B.3")
def test_a_choice_that_time_cuts_off_is_made_in_the_order_of_the_board() -> None:
    """Silence mortgages the first title, before the turn closes."""
    table = at_chance()
    table.own("ana", STREET, "nuketown")
    table.play("ana", "resolve_square", draws=["chance_13"])
    table.wait(301)
    table.banker("expire_turn")
    assert table.holds(f"property:{STREET}", "mortgage") == 1
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"


# Playing: the moment --------------------------------------------------------------------------------


@pytest.mark.rule("II.B.9")
def test_one_card_a_turn_during_or_after_the_move() -> None:
    """Chantage waits for the roll; "Dénonciation" is a second card, which is refused and stays in hand."""
    table = holding("kamtar_03", "kamtar_10")
    table.refused("ana", "play_card", "II.B.9", card="kamtar_03", target="bob")
    table.play("ana", "roll_dice", dice=[2, 4])
    table.play("ana", "play_card", card="kamtar_03", target="bob")
    assert (table.holds("ana"), table.holds("bob")) == (1750, 1550)
    table.refused("ana", "play_card", "II.B.9", card="kamtar_10", target="bob")
    assert table.holds("ana", "card:kamtar_10") == 1
    assert table.holds("discard:kamtar", "card:kamtar_03") == 1


@pytest.mark.rule("II.B.9", "III.A.2")
def test_a_card_played_before_the_roll_is_the_one_of_the_turn() -> None:
    table = holding("kamtar_07", "kamtar_03")
    table.play("ana", "play_card", card="kamtar_07")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "play_card", "II.B.9", card="kamtar_03", target="bob")


@pytest.mark.rule("II.B.9", "II.D.2")
def test_cards_playable_at_any_time_do_not_count() -> None:
    """Ana lifts her warrant, then blackmails Bob in the same turn."""
    table = holding("chance_06", "kamtar_03")
    with table.arranged() as state:
        state.wanted.add("ana")
    table.play("ana", "play_card", card="chance_06")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "play_card", card="kamtar_03", target="bob")
    assert table.state.wanted == set()


@pytest.mark.rule("II.D.2")
def test_out_of_turn_only_cards_playable_at_any_time() -> None:
    """In Ana's turn Bob lifts his warrant with "Amnistie"; his "Chantage" is refused."""
    table = Table("ana", "bob", decks=True)
    table.hand("bob", "chance_06", "kamtar_03")
    with table.arranged() as state:
        state.wanted.add("bob")
    table.play("bob", "play_card", card="chance_06")
    assert table.state.wanted == set()
    table.refused("bob", "play_card", "II.D.2", card="kamtar_03", target="ana")


@pytest.mark.rule("III.A.1", "III.A.2", "II.B.5")
def test_a_card_that_hampers_a_roll_is_played_before_it_also_out_of_turn() -> None:
    """Bob trips Ana before she rolls: 3 off her 7. Once she has rolled, Cleo comes too late."""
    table = Table("ana", "bob", "cleo", decks=True)
    table.hand("bob", "kamtar_08")
    table.play("bob", "play_card", card="kamtar_08", target="ana")
    table.play("ana", "roll_dice", dice=[3, 4])
    assert table.state.positions["ana"] == 4
    late = Table("ana", "bob", "cleo", decks=True)
    late.hand("cleo", "kamtar_08")
    late.play("ana", "roll_dice", dice=[3, 4])
    late.refused("cleo", "play_card", "III.A.1", card="kamtar_08", target="ana")
    late.play("cleo", "play_card", card="kamtar_08", target="bob")
    assert late.state.roll_changes == {"bob": -3}


@pytest.mark.rule("II.B.1")
def test_the_start_of_a_turn_lists_what_cards_and_weather_have_in_store() -> None:
    """Cleo has tripped Bob, and it is hot: everybody reads it; the card in his hand is his own affair."""
    table = Table("ana", "bob", "cleo", decks=True)
    table.weather("meteo_01")
    table.hand("bob", "kamtar_01")
    table.hand("cleo", "kamtar_08")
    table.play("cleo", "play_card", card="kamtar_08", target="bob")
    table.play("ana", "roll_dice", dice=[1, 3])
    table.play("ana", "resolve_square")
    events = table.play("ana", "end_turn")
    assert events[-1].effects == ("roll:-3", "weather:meteo_01")  # type: ignore[attr-defined]
    for viewer, known in (("bob", True), ("cleo", False)):
        effects = RULEBOOK.screen.view(table.state, Viewer("player", viewer))["you"]["effects"]
        assert ("card:kamtar_01" in effects) is known


@pytest.mark.rule("III.A.3")
def test_after_the_roll_no_card_changes_the_movement() -> None:
    """Refused, "Pas léger" stays in hand."""
    table = holding("kamtar_07")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "play_card", "III.A.3", card="kamtar_07")
    assert table.holds("ana", "card:kamtar_07") == 1


@pytest.mark.rule("III.B.6")
def test_after_a_dose_no_card_replaces_the_roll() -> None:
    """The drug result is compulsory: "Raccourci" would avoid it."""
    table = holding("kamtar_12", perks={"ana": "doses"})
    table.own("ana", STREET)
    table.play("ana", "consume_dose", dice=[5])
    if table.state.questions:
        table.play("ana", "answer", question=table.state.questions[0].id, answer="no")
    table.refused("ana", "play_card", "III.B.6", card="kamtar_12", title=STREET)


@pytest.mark.rule("II.D.2")
def test_a_card_that_answers_is_not_played_of_itself() -> None:
    table = holding("kamtar_02")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "play_card", "II.D.2", card="kamtar_02")


# Playing: the target --------------------------------------------------------------------------------


@pytest.mark.rule("II.B.11")
def test_a_card_needs_what_it_asks_for_and_takes_nothing_else() -> None:
    """A player for "Chantage", who is another one and in the game; none for "Silence radio"."""
    table = holding("kamtar_03", "kamtar_11")
    table.play("ana", "roll_dice", dice=[1, 2])
    refusal = table.refused("ana", "play_card", "II.B.11", card="kamtar_03")
    assert "Bob, Cleo" in refusal.en
    table.refused("ana", "play_card", "II.B.11", card="kamtar_03", target="ana")
    table.refused("ana", "play_card", "II.B.11", card="kamtar_03", target="bob", title=STREET)
    table.refused("ana", "play_card", "II.B.11", card="kamtar_11", target="bob")
    assert table.holds("ana", "card:kamtar_03") == 1


@pytest.mark.rule("II.B.11")
def test_a_card_that_would_do_nothing_is_kept() -> None:
    """Nobody is wanted: "Amnistie" stays in hand."""
    table = holding("chance_06")
    table.refused("ana", "play_card", "II.B.11", card="chance_06")
    assert table.holds("ana", "card:chance_06") == 1


@pytest.mark.rule("II.B.9")
def test_nobody_plays_a_card_they_do_not_hold_or_learns_who_does() -> None:
    """Bob names a card of Ana's hand and one of the deck: the answers are the same but for its name."""
    table = holding("kamtar_01")
    held = table.refused("bob", "play_card", "II.B.9", card="kamtar_01", target="ana")
    free = table.refused("bob", "play_card", "II.B.9", card="kamtar_06", target="ana")
    names = {card.id: card.title.en for card in CARDS}
    assert held.en.replace(names["kamtar_01"], names["kamtar_06"]) == free.en


def test_moves_offer_each_card_for_each_player_and_title() -> None:
    """Before the roll: "Raccourci" to either title, "Confidence" about either player; "Chantage" not yet."""
    table = holding("kamtar_01", "kamtar_03", "kamtar_12")
    table.own("ana", STREET, "nuketown")
    assert table.offers("ana", "play_card") == [
        {"card": "kamtar_01", "target": "bob"},
        {"card": "kamtar_01", "target": "cleo"},
        {"card": "kamtar_12", "title": STREET},
        {"card": "kamtar_12", "title": "nuketown"},
    ]
    table.play("ana", "roll_dice", dice=[1, 2])
    assert {"card": "kamtar_03", "target": "cleo"} in table.offers("ana", "play_card")


# Cards as goods -------------------------------------------------------------------------------------


@pytest.mark.rule("VIII.D.1", "VIII.D.4")
def test_cards_travel_as_deliveries() -> None:
    """A card sent to Bob is in transit for a round, then in his hand; it is no longer Ana's to play."""
    table = Table("ana", "bob", decks=True)
    table.hand("ana", "kamtar_01")
    table.play("ana", "send_delivery", to="bob", commodity="card:kamtar_01")
    table.refused("ana", "play_card", "II.B.9", card="kamtar_01", target="bob")
    table.turn("ana", 1, 2)
    table.turn("bob", 1, 2)
    assert table.holds("bob", "card:kamtar_01") == 1


@pytest.mark.rule("I.B.5")
def test_the_hand_of_a_player_who_is_out_is_used_up_and_stays_unknown() -> None:
    """Bob is eliminated: his card leaves the game, and nobody but the banker sees which one it was."""
    table = Table("ana", "bob", "cleo", decks=True)
    table.hand("bob", "kamtar_01")
    with table.arranged() as state:
        state.holdings.post(Posting("NGD", 1700, "player:bob", "bank"))
    table.banker("declare_bankruptcy", seat="bob")
    assert table.holds("used", "card:kamtar_01") == 1
    audience = RULEBOOK.secrets.holding_audience(table.state, "used", "card:kamtar_01")
    assert not audience.everyone
    assert not audience.seats


def _stopped(state: Negopoly, seat: str, square: int) -> None:
    """Arrange a stop of the player whose turn it is, still to be resolved."""
    from msgspec.structs import replace

    from ledger.rulebooks.negopoly.table.terms import Passage

    assert state.turn is not None
    state.turn = replace(
        state.turn,
        roll="thrown",
        dice=(1, 2),
        stop=square,
        unresolved=True,
        passages=(Passage(square, stop=True),),
    )
    assert state.turn.started_at == NOON

"""What players choose is said in both languages: picks of effects, bonus Actions, bonuses."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from ledger.rulebooks.virtual_revolution.showing import choosing
from ledger.rulebooks.virtual_revolution.table.operations import (
    ChooseOne,
    DrawCorruption,
    Gain,
    InfluenceAdd,
    TakeAgent,
)
from tests.virtual_revolution.table import Table

PICKS: list[tuple[str, Any, str, str]] = [
    (
        "picks",
        [{"place": 5, "whose": "bob"}],
        "arrondissement 5, a token of Bob",
        "l'arrondissement 5, un jeton de Bob",
    ),
    (
        "pick",
        {"place": 4, "whose": "ana"},
        "arrondissement 4, a token of Ana",
        "l'arrondissement 4, un jeton d'Ana",
    ),
    ("picks", [None, {"skip": True}], "nothing more", "rien de plus"),
    ("picks", [], "nothing more", "rien de plus"),
    ("pick", {"option": 1, "verse": "westland"}, "discard Westland", "défausser Westland"),
    (
        "pick",
        {"option": 0, "place": 5},
        "remove the Server of arrondissement 5",
        "retirer le Serveur de l'arrondissement 5",
    ),
    (
        "pick",
        {"option": 0, "place": 5, "verse": "westland"},
        "remove the Server of arrondissement 5, take Westland",
        "retirer le Serveur de l'arrondissement 5, prendre Westland",
    ),
    (
        "pick",
        {"option": 1, "verse": "westland", "place": 5},
        "discard Westland, place a Server in arrondissement 5",
        "défausser Westland, poser un Serveur dans l'arrondissement 5",
    ),
    ("pick", {"option": 1}, "a look at the next Necro card", "un regard sur la prochaine carte Nécro"),
    ("pick", {"option": 7, "verse": "westland"}, "Westland", "Westland"),
    ("pick", {"option": 7}, "the 8th effect", "le 8e effet"),
    ("pick", {"agent": "leslie", "gives": "zero"}, "Leslie, for Zero", "Leslie, contre Zero"),
    ("pick", {"place": 3, "add": True}, "arrondissement 3, add a token", "l'arrondissement 3, ajouter un jeton"),
    (
        "pick",
        {"action": {"action": "recruit_agent", "agent": "zero"}},
        "Recruit an Agent (Zero)",
        "Recruter un Agent (Zero)",
    ),
    (
        "performed",
        {"action": "make_donation", "discard": ["influence_1"], "immunity": True},
        "Make a Donation (discard Influence (Néo District, Marais), an Immunity token)",
        "Faire un Don (défausser Influence (Néo District, Marais), un jeton Immunité)",
    ),
    ("bonus", {"source": "DR"}, "Denfert Rochereau", "Denfert Rochereau"),
    ("bonus", {"source": "boost_work"}, "Work Boost", "Boost Travail"),
    (
        "card",
        "boost_1",
        "Boost (Work, Recruit an Agent)",
        "Boost (Travailler, Recruter un Agent)",
    ),
    ("card", "verse_2", "Verse (Fantasy, Horror)", "Verse (Fantasy, Horreur)"),
    ("card", "agent_3", "Agent (Diplomat)", "Agent (Diplomate)"),
    (
        "card",
        "server_4",
        "Server (Denfert Rochereau, Quartier Latin)",
        "Serveur (Denfert Rochereau, Quartier Latin)",
    ),
    ("card", "immunity_2", "Immunity", "Immunité"),
    (
        "bonuses",
        [{"source": "boost_donation", "card": "immunity_1"}, {"source": "leslie", "to": "retire"}],
        "Donation Boost (Immunity) and Leslie (promoted to retirement)",
        "Boost Don (Immunité) et Leslie (promu à la retraite)",
    ),
    ("type", "science_fiction", "Science fiction", "Science-fiction"),
    (
        "groups",
        [{"tokens": 2, "option": 0}, {"tokens": 3}],
        "2 (a discard at random) and 3 (gain 1 Immunity token)",
        "2 (une défausse au hasard) et 3 (gagner 1 jeton Immunité)",
    ),
    ("thing", "arrondissement:5", "a token in arrondissement 5", "un jeton dans l'arrondissement 5"),
    ("thing", "server:13", "the Server in arrondissement 13", "le Serveur dans l'arrondissement 13"),
    ("thing", "immunity", "an Immunity token", "un jeton Immunité"),
    ("thing", "card:leslie", "Leslie", "Leslie"),
    ("colour", "green", "green", "vert"),
    ("fate", "retire", "retirement", "à la retraite"),
    ("effect", False, "without its effect", "sans son effet"),
]


@pytest.mark.parametrize(("manner", "value", "english", "french"), PICKS)
def test_a_choice_is_said_in_both_languages(manner: str, value: Any, english: str, french: str) -> None:
    table = Table(until="setup")
    speak = table.rulebook.language.speakers(table.state)[manner]
    assert (speak(value, "en"), speak(value, "fr")) == (english, french)


def test_an_option_of_a_piece_of_the_table_says_what_it_does() -> None:
    """A Title with four options; two of them ask for pieces, which stand beside the words."""
    table = Table(until="setup")
    options = (
        (Gain(what="eurocredit", amount=3),),
        (Gain(what="immunity", amount=1), DrawCorruption(amount=1)),
        (InfluenceAdd(amount=1, where="any"),),
        (TakeAgent(range=2),),
    )
    pieces = table.state.edition.pieces
    title = replace(pieces.title[0], effects=(ChooseOne(options=options),))
    catalogue = replace(pieces, agent=(), recycling=(), title=(title,))
    pick = choosing.speakers(table.rulebook.language.speakers(table.state), catalogue)["pick"]
    assert [pick({"option": number}, "en") for number in range(4)] == [
        "gain 3 eurocredits",
        "gain 1 Immunity token, draw Corruption cards",
        "add influence",
        "take an Agent",
    ]
    assert pick({"option": 2, "place": 5}, "fr") == "ajouter de l'influence, l'arrondissement 5"

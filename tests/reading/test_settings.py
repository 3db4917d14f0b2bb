"""The settings of each game as a form that a page can draw."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import pytest

from ledger.kernel.language.setting_words import SettingsWording
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.words.settings import settings_form
from ledger.rulebooks import rulebooks_by_id
from tests.example import RULEBOOKS

GAMES = [*rulebooks_by_id().values(), *RULEBOOKS]


@pytest.mark.parametrize("rulebook", GAMES, ids=lambda rulebook: rulebook.id)
def test_every_setting_says_what_it_is_in_both_languages(rulebook: Rulebook[Any]) -> None:
    english, french = settings_form(rulebook, "en"), settings_form(rulebook, "fr")
    assert list(english["properties"]) == list(rulebook.language.settings_wording.settings)
    assert english["properties"].keys() == set(rulebook.settings.__struct_fields__)
    groups = {one["id"]: one["title"] for one in english["x-groups"]}
    for name, one in english["properties"].items():
        other = french["properties"][name]
        for said in ("title", "description"):
            assert one[said], name
            assert other[said], name
        assert one["description"] != other["description"], name
        assert one["x-group"] in groups, name
        assert isinstance(one["x-advanced"], bool), name
        assert one["x-kind"] in {"flag", "enum", "amount", "quantity", "text", "list", "map"}, name
        assert one.get("x-labels", {}).keys() == set(one.get("enum", ())), name
    assert len({one["title"] for one in english["properties"].values()}) == len(english["properties"])
    assert "description_fr" not in msgspec.json.encode([english, french]).decode()


@pytest.mark.parametrize("rulebook", GAMES, ids=lambda rulebook: rulebook.id)
def test_the_form_goes_group_by_group(rulebook: Rulebook[Any]) -> None:
    form = settings_form(rulebook, "fr")
    order = [one["id"] for one in form["x-groups"]]
    places = [(order.index(one["x-group"]), one["x-order"]) for one in form["properties"].values()]
    assert all(before < after for before, after in pairwise(places))
    assert {group for group, _ in places} == set(range(len(order)))


def test_the_commonest_house_rules_of_own_boards_come_first() -> None:
    """Twelve, none of them folded; the printed editions have no such list."""
    books = rulebooks_by_id()
    form = settings_form(books["monopoly"], "en")
    first = [name for name, one in form["properties"].items() if one.get("x-first")]
    assert len(first) == 12
    assert first == list(form["properties"])[:12]
    assert not any(form["properties"][name]["x-advanced"] for name in first)
    assert form["x-groups"][0] == {"id": "customs", "title": "The commonest house rules"}
    for name in ("monopoly_naruto", "monopolys"):
        printed = settings_form(books[name], "en")
        assert not any("x-first" in one for one in printed["properties"].values())
        assert "buy_after_lap" not in printed["properties"]


def test_an_edition_shows_its_own_defaults() -> None:
    quiet, harbour = (settings_form(rulebook, "en")["properties"]["rounds"] for rulebook in RULEBOOKS[:2])
    assert (quiet["default"], harbour["default"]) == (5, 8)
    assert quiet["title"] == harbour["title"] == "Rounds"
    assert quiet["x-unit"] == "rounds"


def test_a_setting_of_one_of_several_values_has_their_labels() -> None:
    dose = settings_form(rulebooks_by_id()["negopoly"], "fr")["properties"]["cyan_free_dose_to"]
    assert (dose["x-kind"], dose["x-advanced"]) == ("enum", True)
    assert dose["x-labels"]["owner"] == {"en": "The owner", "fr": "Le propriétaire"}


def test_a_group_that_is_not_declared_is_refused() -> None:
    with pytest.raises(ValueError, match="nowhere"):
        SettingsWording.read('[rounds]\ngroup = "nowhere"\ntitle = { en = "Rounds", fr = "Tours" }\n')

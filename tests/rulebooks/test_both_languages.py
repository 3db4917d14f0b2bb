"""English and French tell the same: the templates of a sentence name the same seats, in the same order."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import ledger
from ledger.kernel.facts.events import Event
from ledger.kernel.language.sentences import pieces
from ledger.rulebooks import rulebooks_by_id
from tests.example import RULEBOOKS as EXAMPLES

HOUSE = Path(ledger.__file__).parent
OF_PEOPLE = frozenset({"seat", "seats", "account", "winners", "source", "purses"})
"""How a template names people: as a field of this manner, or in other words (`de|seat`, `or|nobody|seat`)."""

Field = tuple[str | int, ...]


def fields(template: str) -> list[tuple[Field, bool]]:
    """The fields of a template in order, each with whether it names people."""
    found = [field for _, field in pieces(template) if field is not None]
    return [((one.attribute, *one.steps), bool(OF_PEOPLE & {one.manner, *one.words})) for one in found]


def people(template: str) -> list[Field]:
    """The fields that name people, in order of their first mention."""
    return list(dict.fromkeys(field for field, names in fields(template) if names))


def events() -> list[type[Event]]:
    """Every class of event of every rulebook, once."""
    rulebooks = (*rulebooks_by_id().values(), *EXAMPLES)
    return list({event: None for rulebook in rulebooks for event in rulebook.events.values()})


def pairs() -> Iterator[tuple[str, str, str]]:
    """Every pair of templates with a seat that stand side by side in the code: the place, English and French."""
    for path in sorted(HOUSE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if "seat}" in source else ():
            inside = node.args if isinstance(node, ast.Call) else getattr(node, "elts", [])
            texts = [(one.lineno, str(one.value)) for one in inside if isinstance(one, ast.Constant)]
            for (line, en), (_, fr) in pairwise(texts):
                if "seat}" in en and "{" in fr:
                    yield f"{path.relative_to(HOUSE)}:{line}", en, fr


def test_every_event_names_its_people_in_the_same_order() -> None:
    assert len(events()) > 400
    assert [one.__name__ for one in events() if people(one.en) != people(one.fr)] == []


def test_every_refusal_names_its_people_in_the_same_order() -> None:
    found = list(pairs())
    assert len(found) > 200
    assert [(place, en, fr) for place, en, fr in found if people(en) != people(fr)] == []


def test_an_exchange_is_found() -> None:
    """The seats in another role, whichever way they are written."""
    english = "{payer:seat} pays {sum[0]} to {payee:seat}."
    assert people(english) == people("{payer:seat} paie {sum[1]} à {payee:seat}.") == [("payer",), ("payee",)]
    for exchanged in ("{payee:seat} paie {payer:seat}.", "Paiement {payee:de|seat} à {payer:or|la banque|seat}."):
        assert people(exchanged) == [("payee",), ("payer",)]

"""The settings of a game as a form: their JSON Schema, with titles, groups and order in one language."""

from __future__ import annotations

from typing import Any

import msgspec

from ledger.kernel.language.setting_words import SettingWords
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.words.forms import Plain, schema_of

_FRENCH = "description_fr"


def settings_form(rulebook: Rulebook[Any], language: str) -> Plain:
    """The JSON Schema of a rulebook's settings, with their defaults, in "en" or "fr".

    The settings stand in the order of the form. Each has a `title`, a `description`, its group (`x-group`), its
    place in the form (`x-order`), and `x-advanced`: whether most tables leave it as it is. `x-kind` is flag, enum,
    amount (of the game's money), quantity, text, list or map; `x-unit` is what a number counts; `x-labels` has the
    labels of the values of an enumeration, in both languages. `x-groups` has the groups in their order.
    """
    schema = schema_of(rulebook.settings)
    _translate(schema, language)
    for inner in schema.get("$defs", {}).values():
        inner.pop("description", None)
    words, found = rulebook.settings_wording, schema["properties"]
    order = [name for name in words.settings if name in found]
    order += [name for name in found if name not in words.settings]
    schema["properties"] = {name: found[name] for name in order}
    schema["title"] = "Réglages de la partie" if language == "fr" else "Settings of the game"
    schema.pop("description", None)
    schema["x-groups"] = [
        {"id": name, "title": group.label.said(language)}
        for name, group in sorted(words.groups.items(), key=lambda item: item[1].order)
    ]
    for place, name in enumerate(order):
        said = words.settings.get(name)
        if said is not None:
            _describe(found[name], said, place + 1, language)
    return schema


def _describe(found: Plain, words: SettingWords, place: int, language: str) -> None:
    found["title"] = words.title.said(language)
    if words.description is not None:
        found["description"] = words.description.said(language)
    found["x-group"], found["x-order"], found["x-advanced"] = words.group, place, words.advanced
    found["x-kind"] = _kind(found, words)
    if words.unit is not None:
        found["x-unit"] = words.unit
    if words.values:
        found["x-labels"] = msgspec.to_builtins(words.values)


def _kind(found: Plain, words: SettingWords) -> str:
    if "enum" in found:
        return "enum"
    kinds = [one.get("type") for one in found.get("anyOf", [found])]
    if "boolean" in kinds:
        return "flag"
    if "integer" in kinds:
        return "amount" if words.unit == "money" else "quantity"
    if "string" in kinds:
        return "text"
    return "list" if "array" in kinds else "map"


def _translate(part: Any, language: str) -> None:
    """Leave each description in this language only, at any depth."""
    if isinstance(part, dict):
        french = part.pop(_FRENCH, None)
        if french is not None and language == "fr":
            part["description"] = french
        for inner in part.values():
            _translate(inner, language)
    elif isinstance(part, list):
        for inner in part:
            _translate(inner, language)

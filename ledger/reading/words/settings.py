"""The settings of a game as a form: their JSON Schema, with titles, groups and order, in a single language."""

from __future__ import annotations

from typing import Any

import msgspec

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.setting_words import SettingWords
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.words.forms import Plain, schema_of

_FRENCH = "description_fr"


def settings_form(rulebook: Rulebook[Any], language: str) -> Plain:
    """Return the JSON Schema of a rulebook's settings, with their defaults, in "en" or "fr".

    The settings stand in the order of the form. Each has a `title`, a `description`, its group (`x-group`), its
    position in the form (`x-order`), and `x-advanced`: true if most tables keep the default; `x-first` is true for
    the commonest house rules. `x-kind` is flag,
    enum, amount (of the game's money), quantity, text, list or map. `x-unit` is the unit of a number.
    `x-labels` has the labels of the values of an enumeration, in both languages. `x-groups` has the groups in
    their order.
    """
    schema = schema_of(rulebook.settings)
    _translate(schema, language)
    for inner in schema.get("$defs", {}).values():
        inner.pop("description", None)
    words, properties = rulebook.language.settings_wording, schema["properties"]
    order = [name for name in words.settings if name in properties]
    order += [name for name in properties if name not in words.settings]
    schema["properties"] = {name: properties[name] for name in order}
    schema["title"] = Phrase("Settings of the game", "Réglages de la partie").in_language(language)
    schema.pop("description", None)
    schema["x-groups"] = [
        {"id": name, "title": group.label.in_language(language)}
        for name, group in sorted(words.groups.items(), key=lambda item: item[1].order)
    ]
    for position, name in enumerate(order):
        setting_words = words.settings.get(name)
        if setting_words is not None:
            _describe(properties[name], setting_words, position + 1, language)
    return schema


def _describe(setting_schema: Plain, words: SettingWords, position: int, language: str) -> None:
    setting_schema["title"] = words.title.in_language(language)
    if words.description is not None:
        setting_schema["description"] = words.description.in_language(language)
    setting_schema["x-group"], setting_schema["x-order"], setting_schema["x-advanced"] = (
        words.group,
        position,
        words.advanced,
    )
    if words.first:
        setting_schema["x-first"] = True
    setting_schema["x-kind"] = _kind(setting_schema, words)
    if words.unit is not None:
        setting_schema["x-unit"] = words.unit
    if words.values:
        setting_schema["x-labels"] = msgspec.to_builtins(words.values)


def _kind(setting_schema: Plain, words: SettingWords) -> str:
    if "enum" in setting_schema:
        return "enum"
    kinds = [option.get("type") for option in setting_schema.get("anyOf", [setting_schema])]
    if "boolean" in kinds:
        return "flag"
    if "integer" in kinds:
        return "amount" if words.unit == "money" else "quantity"
    if "string" in kinds:
        return "text"
    return "list" if "array" in kinds else "map"


def _translate(part: Any, language: str) -> None:
    """Reduce each description to this language, at any depth."""
    if isinstance(part, dict):
        french = part.pop(_FRENCH, None)
        if french is not None:
            part["description"] = Phrase(part["description"], french).in_language(language)
        for inner in part.values():
            _translate(inner, language)
    elif isinstance(part, list):
        for inner in part:
            _translate(inner, language)

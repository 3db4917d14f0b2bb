"""What depends on the rulebook, as unions of the description: actions, entries, events, remedies, agreements.

Every rulebook has a union of its own for each of them, made from the types that the rulebook declares: a new
rulebook is described by being there. The editions of one engine share one, with all that any of them has. What is
such a union is known by its members: a type with a `kind` and `params` that hold anything is about actions, one
with a `kind` and `data` about events, one with a `collection` and `detail` about agreements.

`EntryView` becomes three components: `EntryFacts`, what all entries have; `NegopolyEntry`, the union for a
rulebook; and `EntryView`, the entries of any rulebook. The unions stand below an `allOf` with the facts. A
generator that cannot follow unions there (that for Python) uses the facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, get_args, get_type_hints

from api.rest.description.components import (
    REFERENCE,
    Schema,
    component_schemas,
    names_in,
    one_of,
    reference,
    structs_in,
)
from ledger.kernel.arbitration.remedies import Remedy
from ledger.kernel.arbitration.rulings import GiveRuling
from ledger.kernel.facts.agreements import Agreement
from ledger.kernel.facts.events import Event, kind_of
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.words.telling import PRIVATE

Schemas = dict[str, Schema]

_APART = ("kind", "rule", "postings")
"""The members of a stored event that an answer shows beside its `data`."""
_ANYTHING: Schema = {"type": "object", "additionalProperties": {}}


class _Split(NamedTuple):
    """A component that is described by unions: its name, the member that tells its kinds apart, what varies."""

    name: str
    tag: str
    content: str
    asked: bool

    @property
    def stem(self) -> str:
        """What the component is about: "Entry"."""
        return self.name.removesuffix("View").removeprefix("Shown").removeprefix("New")

    @property
    def facts(self) -> str:
        """The name of the component of the common members."""
        return f"{self.stem}Facts"


def unite(
    schemas: Schemas, names: Mapping[type, str], rulebooks: Iterable[Rulebook[Any]], asked: Iterable[str]
) -> None:
    """Put the unions of these rulebooks in the place of the component schemas that hold anything.

    `names` are the types that have a component already, `asked` the names of those in requests.
    """
    in_requests = set(asked)
    before = {name: schema for name, schema in schemas.items() if "properties" in schema}
    known = [_Described(engine, schemas, names) for engine in _engines(rulebooks)]
    split = [
        _Split(name, tag, content, name in in_requests)
        for name, schema in before.items()
        for tag, content in _Described.VARIED
        if _is_text(schema["properties"].get(tag)) and _is_anything(schema["properties"].get(content))
    ]
    stems = {one.name: one.stem for one in split}
    for one in split:
        facts = before[one.name]
        members = facts["properties"]
        inner = {name: member for name, member in members.items() if names_in(member) & stems.keys()}
        for rulebook in known:
            narrowed = {
                name: _renamed(member, {view: rulebook.named(stem) for view, stem in stems.items()})
                for name, member in inner.items()
            }
            schemas[rulebook.named(one.stem)] = rulebook.union(one, narrowed, facts)
        generic = {
            name: _renamed(member, {view.name: view.facts for view in split}) for name, member in inner.items()
        }
        schemas[one.facts] = facts | {"properties": members | generic | {one.content: {}}}
        schemas[one.name] = {
            "description": facts.get("description", ""),
            "allOf": [
                {"anyOf": [reference(rulebook.named(one.stem)) for rulebook in known]},
                # The union of a rulebook has them, too: generators that follow no union find them here.
                reference(one.facts),
            ],
        }
    for name, schema in before.items():
        if name in stems:
            continue
        for member, described in schema["properties"].items():
            if member == "remedies" and _is_anything(described.get("items")):
                described["items"] = _any_of(schemas, known, "Remedy", _Described.remedies)
            if member == "agreements" and _is_anything(described):
                schema["properties"][member] = _any_of(schemas, known, "Agreements", _Described.agreements)


def _any_of(
    schemas: Schemas, known: Iterable[_Described], stem: str, described: Callable[[_Described], Schema]
) -> Schema:
    """A union of what each rulebook has, under its own name."""
    schemas |= {one.named(stem): described(one) for one in known}
    return {"anyOf": [reference(one.named(stem)) for one in known]}


def camel_case(name: str) -> str:
    """ "buy_doses" -> "BuyDoses"."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def simplified(schemas: Schemas) -> Schemas:
    """The schemas of one rulebook without what generators of clients need, and people do not.

    A union of one kind is that kind, the parts of a part are parts, and none comes twice. Generators take the name
    of a component for its kind where a union with a discriminator stands directly below `allOf`.
    """
    found = {name: _simplified(schema) for name, schema in schemas.items()}
    for schema in found.values():
        parts = schema.get("allOf", [])
        inner = [part for one in parts for part in found.get(_name(one), {}).get("allOf", ())]
        if any(one in inner for one in parts):
            schema["allOf"] = [one for one in parts if one not in inner]
    return found


def _simplified(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_simplified(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _simplified(inner) for name, inner in schema.items()}
    for union in ("anyOf", "oneOf"):
        if isinstance(found.get(union), list) and len(found[union]) == 1:
            found |= found.pop(union)[0]
    if isinstance(found.get("allOf"), list):
        found["allOf"] = [
            part for one in found["allOf"] for part in (one["allOf"] if one.keys() == {"allOf"} else [one])
        ]
    return found


class _Engine(NamedTuple):
    """The types of the editions of one engine, or of a rulebook by itself. `rules` are those of each kind."""

    id: str
    actions: dict[str, type[Action]]
    events: dict[str, type[Event]]
    agreement_types: dict[str, type[Agreement]]
    remedies: dict[str, type[Remedy]]
    rules: dict[str, list[str]]


def _engines(rulebooks: Iterable[Rulebook[Any]]) -> list[_Engine]:
    """The engines of these rulebooks, in their order."""
    found: dict[str, _Engine] = {}
    for rulebook in rulebooks:
        engine = found.setdefault(rulebook.engine, _Engine(rulebook.engine, {}, {}, {}, {}, {}))
        engine.actions.update(rulebook.actions)
        for kind in rulebook.actions:
            engine.rules.setdefault(kind, []).extend(rulebook.register.rules_of(kind))
        engine.events.update({kind_of(event): event for event in rulebook.events.values()})
        engine.agreement_types.update(rulebook.agreement_types)
        engine.remedies.update({str(one.__struct_config__.tag): one for one in remedies_of(rulebook)})
    return list(found.values())


class _Described:
    """The types of one engine. Their component schemas are added to those that there are."""

    VARIED = (("kind", "params"), ("kind", "data"), ("collection", "detail"), ("collection", "agreements"))
    """What tells the kinds of a component apart, and the member that depends on the kind."""

    def __init__(self, rulebook: _Engine, schemas: Schemas, names: Mapping[type, str]) -> None:
        self._prefix = camel_case(rulebook.id)
        self._schemas = schemas
        self._names = names
        self._rulebook = rulebook
        remedies, events = rulebook.remedies, rulebook.events
        self._params = {kind: self.named(kind, "Params") for kind in rulebook.actions}
        self._data = {kind: self.named(kind, "Data") for kind in events}
        self._remedies = {op: self.named(op, "Remedy") for op in remedies}
        self._agreements = {name: self.named(one.__name__) for name, one in rulebook.agreement_types.items()}
        self._add(
            {
                **{action: self._params[kind] for kind, action in rulebook.actions.items()},
                **{event: self._data[kind] for kind, event in events.items()},
                **{remedy: self._remedies[op] for op, remedy in remedies.items()},
            },
            asked=(*rulebook.actions.values(), *remedies.values()),
        )
        # Answers leave out what is null in an agreement, and events do not: their members may be there or not.
        for name in self._agreements.values():
            schemas.pop(name, None)
        self._add({one: self._agreements[name] for name, one in rulebook.agreement_types.items()}, nulls=False)
        for data in self._data.values():
            schemas[data] = _without(schemas[data], _APART)

    def named(self, *parts: str) -> str:
        """The name of a component of this rulebook."""
        return self._prefix + "".join(map(camel_case, parts))

    def _add(self, tops: Mapping[Any, str], asked: Iterable[Any] = (), *, nulls: bool = True) -> None:
        inner = {
            one: self._names.get(one) or self.named(one.__name__) for one in structs_in(tops) if one not in tops
        }
        found = component_schemas({**tops, **inner}, asked, nulls=nulls)
        self._schemas |= {name: schema for name, schema in found.items() if name not in self._schemas}

    def union(self, split: _Split, narrowed: Mapping[str, Schema], facts: Schema) -> Schema:
        """The union of a component. `narrowed` are members that are unions of this rulebook themselves."""
        always = [name for name in facts.get("required", ()) if name in narrowed]
        parts: list[Schema] = [{"type": "object", "properties": narrowed, "required": always}] if narrowed else []
        variants = {
            ("kind", "params"): self._of_actions,
            ("kind", "data"): self._of_events,
            ("collection", "detail"): self._of_agreements,
            ("collection", "agreements"): self._of_collections,
        }[split.tag, split.content](split)
        if variants:
            parts.append(variants)
        return {
            "description": facts.get("description", ""),
            "allOf": [*([{"allOf": parts}] if parts else []), reference(split.facts)],
        }

    def _of_actions(self, split: _Split) -> Schema:
        """The kinds of action with their parameters: whole in requests, as far as they may be seen in answers."""
        if not split.asked:
            return reference(self._seen_actions())
        names = {}
        for kind, name in self._params.items():
            names[kind] = self.named(kind, split.stem)
            needed = bool(self._schemas[name].get("required"))
            variant = _variant("kind", kind, "params", reference(name), needed=needed)
            variant["properties"]["kind"]["description"] = self._about(kind)
            self._schemas[names[kind]] = variant
        return {"anyOf": [one_of(names, "kind")]}

    def _about(self, kind: str) -> str:
        """What an action does, by which rules."""
        rules = ", ".join(dict.fromkeys(self._rulebook.rules[kind]))
        does = self._rulebook.actions[kind].summary[0]
        return f"{does[:1].upper()}{does[1:]} ({rules})." if rules else f"{does[:1].upper()}{does[1:]}."

    def _seen_actions(self) -> str:
        """The kinds of action with those of their parameters that may be seen."""
        name = self.named("SeenAction")
        if name not in self._schemas:
            seen = {kind: {**self._schemas[params], "required": []} for kind, params in self._params.items()}
            seen[PRIVATE] = _ANYTHING
            variants = [_variant("kind", kind, "params", schema) for kind, schema in seen.items()]
            self._schemas[name] = {
                "description": "An action with its parameters, as far as the caller may see them.",
                "allOf": [{"oneOf": variants}],
            }
        return name

    def _of_events(self, split: _Split) -> Schema:
        """The kinds of event with their data."""
        names = {}
        for kind, data in self._data.items():
            names[kind] = self.named(kind, split.stem)
            self._schemas[names[kind]] = _variant("kind", kind, "data", reference(data))
        return {"anyOf": [one_of(names, "kind")]}

    def _of_agreements(self, split: _Split) -> Schema:
        """The collections of agreements with what is particular to an agreement of each."""
        return self._by_collection(split, reference)

    def _of_collections(self, split: _Split) -> Schema:
        """The collections of agreements with their agreements."""
        return self._by_collection(split, lambda name: {"type": "array", "items": reference(name)})

    def _by_collection(self, split: _Split, content: Callable[[str], Schema]) -> Schema:
        found = [
            _variant("collection", collection, split.content, content(name))
            for collection, name in self._agreements.items()
        ]
        return {"oneOf": found} if found else {}

    def agreements(self) -> Schema:
        """The agreements by their collections."""
        lists = {
            collection: {"type": "array", "items": reference(name)}
            for collection, name in self._agreements.items()
        }
        return {"type": "object", "properties": lists, "additionalProperties": False}

    def remedies(self) -> Schema:
        """What the banker may order."""
        return one_of(self._remedies, "op")


def remedies_of(rulebook: Rulebook[Any]) -> list[type[Remedy]]:
    """The remedies that the banker may order by the rulebook."""
    found: list[type[Remedy]] = []
    for action in rulebook.actions.values():
        waiting: list[Any] = [get_type_hints(action)["remedies"]] if issubclass(action, GiveRuling) else []
        while waiting:
            one = waiting.pop(0)
            if isinstance(one, type) and issubclass(one, Remedy):
                found.append(one)
            waiting.extend(get_args(one))
    return found


def _variant(tag: str, value: str, content: str, schema: Schema, *, needed: bool = True) -> Schema:
    """One kind of a union: the value of its tag, and its content."""
    return {
        "type": "object",
        "properties": {tag: {"type": "string", "const": value}, content: schema},
        "required": [tag, content] if needed else [tag],
    }


def _name(schema: Schema) -> str:
    """The name of the component that a schema refers to; nothing for a schema of its own."""
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _without(schema: Schema, members: Iterable[str]) -> Schema:
    """The schema of an object without these members."""
    left = {name: inner for name, inner in schema["properties"].items() if name not in members}
    required = [name for name in schema.get("required", ()) if name not in members]
    return schema | {"properties": left, "required": required}


def _is_text(schema: Schema | None) -> bool:
    return schema is not None and schema.get("type") == "string" and "enum" not in schema


def _is_anything(schema: Any) -> bool:
    """Whether the schema is that of an object with any members, of a list, or of lists of them."""
    if not isinstance(schema, dict):
        return False
    if schema.get("type") == "array":
        return _is_anything(schema.get("items"))
    return schema.get("type") == "object" and (
        schema.get("additionalProperties") == {} or _is_anything(schema.get("additionalProperties"))
    )


def _renamed(schema: Any, names: Mapping[str, str]) -> Any:
    """The schema with references to other components, where `names` has one."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return schema | {"$ref": REFERENCE.format(name=names.get(name, name))}
        return {name: _renamed(inner, names) for name, inner in schema.items()}
    return [_renamed(one, names) for one in schema] if isinstance(schema, list) else schema

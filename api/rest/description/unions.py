"""The parts of the API description that depend on the rulebook, as unions: actions, entries, events, remedies,
agreements.

Every rulebook has its own union for each, built from the types declared by the rulebook: a new rulebook is
described without further work. The editions of an engine share one union, with the types of all its editions.
The members mark the components to be described by unions: a `kind` with open `params` marks actions, a `kind`
with open `data` events, a `collection` with open `detail` agreements.

`EntryView` becomes three components: `EntryFacts` with the common members of all entries; `NegopolyEntry`, the
union for a rulebook; and `EntryView`, the entries of any rulebook. The unions stand below an `allOf` with the
facts. A generator that cannot follow unions below `allOf` (as for Python) uses the facts.
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
    published,
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
"""The members of a stored event shown outside `data` in an answer."""
_ANYTHING: Schema = {"type": "object", "additionalProperties": {}}


class _Split(NamedTuple):
    """A component described by unions: its name, the member that tells the kinds apart, the varying member."""

    name: str
    tag: str
    content: str
    in_requests: bool

    @property
    def stem(self) -> str:
        """The subject of the component: "Entry"."""
        return self.name.removesuffix("View").removeprefix("Shown").removeprefix("New")

    @property
    def facts(self) -> str:
        """The name of the component of the common members."""
        return f"{self.stem}Facts"


def unite(
    schemas: Schemas, names: Mapping[type, str], rulebooks: Iterable[Rulebook[Any]], request_names: Iterable[str]
) -> None:
    """Replace the component schemas with open members by the unions of the rulebooks.

    `names` are the types with an existing component, `request_names` the names of the types in requests.
    """
    in_requests = set(request_names)
    originals = {name: schema for name, schema in schemas.items() if "properties" in schema}
    engines = [_Described(engine, schemas, names) for engine in _engines(rulebooks)]
    split = [
        _Split(name, tag, content, name in in_requests)
        for name, schema in originals.items()
        for tag, content in _Described.VARIED
        if _is_text(schema["properties"].get(tag)) and _is_anything(schema["properties"].get(content))
    ]
    stems = {component.name: component.stem for component in split}
    for component in split:
        facts = originals[component.name]
        members = facts["properties"]
        inner = {name: member for name, member in members.items() if names_in(member) & stems.keys()}
        for rulebook in engines:
            narrowed = {
                name: _renamed(member, {view: rulebook.named(stem) for view, stem in stems.items()})
                for name, member in inner.items()
            }
            schemas[rulebook.named(component.stem)] = rulebook.union(component, narrowed, facts)
        generic = {
            name: _renamed(member, {view.name: view.facts for view in split}) for name, member in inner.items()
        }
        schemas[component.facts] = facts | {"properties": members | generic | {component.content: {}}}
        schemas[component.name] = {
            "description": facts.get("description", ""),
            "allOf": [
                {"anyOf": [reference(rulebook.named(component.stem)) for rulebook in engines]},
                # The union of a rulebook has them too, but some generators follow no union.
                reference(component.facts),
            ],
        }
    for name, schema in originals.items():
        if name in stems:
            continue
        for member, described in schema["properties"].items():
            if member == "remedies" and _is_anything(described.get("items")):
                described["items"] = _any_of(schemas, engines, "Remedy", _Described.remedies)
            if member == "agreements" and _is_anything(described):
                schema["properties"][member] = _any_of(schemas, engines, "Agreements", _Described.agreements)


def _any_of(
    schemas: Schemas, engines: Iterable[_Described], stem: str, described: Callable[[_Described], Schema]
) -> Schema:
    """Build a union with one component for each rulebook, under the rulebook's own name."""
    schemas |= {engine.named(stem): described(engine) for engine in engines}
    return {"anyOf": [reference(engine.named(stem)) for engine in engines]}


def camel_case(name: str) -> str:
    """Convert "buy_doses" to "BuyDoses"."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def simplified(schemas: Schemas) -> Schemas:
    """Simplify the schemas of a rulebook for human readers, without the structure for generators of clients.

    A union of one kind becomes the kind, nested parts are flattened, and duplicates are removed. Generators
    need the full structure: with a discriminator directly below `allOf`, they would take the name of a
    component for its kind.
    """
    result = {name: _simplified(schema) for name, schema in schemas.items()}
    for schema in result.values():
        parts = schema.get("allOf", [])
        inner = [part for item in parts for part in result.get(_name(item), {}).get("allOf", ())]
        if any(item in inner for item in parts):
            schema["allOf"] = [item for item in parts if item not in inner]
    return result


def _simplified(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_simplified(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {name: _simplified(inner) for name, inner in schema.items()}
    for union in ("anyOf", "oneOf"):
        if isinstance(result.get(union), list) and len(result[union]) == 1:
            result |= result.pop(union)[0]
    if isinstance(result.get("allOf"), list):
        result["allOf"] = [
            part for item in result["allOf"] for part in (item["allOf"] if item.keys() == {"allOf"} else [item])
        ]
    return result


class _Engine(NamedTuple):
    """The types of the editions of an engine, or of a rulebook by itself. `rules` are the rules of each kind."""

    id: str
    actions: dict[str, type[Action]]
    events: dict[str, type[Event]]
    agreement_types: dict[str, type[Agreement]]
    remedies: dict[str, type[Remedy]]
    rules: dict[str, list[str]]


def _engines(rulebooks: Iterable[Rulebook[Any]]) -> list[_Engine]:
    """Return the engines of the rulebooks, in order."""
    engines: dict[str, _Engine] = {}
    for rulebook in rulebooks:
        engine = engines.setdefault(rulebook.engine, _Engine(rulebook.engine, {}, {}, {}, {}, {}))
        engine.actions.update(rulebook.actions)
        for kind in rulebook.actions:
            engine.rules.setdefault(kind, []).extend(rulebook.register.rules_of(kind))
        engine.events.update({kind_of(event): event for event in rulebook.events.values()})
        engine.agreement_types.update(rulebook.agreements.agreement_types)
        engine.remedies.update({str(remedy.__struct_config__.tag): remedy for remedy in remedies_of(rulebook)})
    return list(engines.values())


class _Described:
    """The types of an engine. The component schemas of the types are added to the existing schemas."""

    VARIED = (("kind", "params"), ("kind", "data"), ("collection", "detail"), ("collection", "agreements"))
    """Pairs of the member that tells the kinds of a component apart, and the member that depends on the kind."""

    def __init__(self, rulebook: _Engine, schemas: Schemas, names: Mapping[type, str]) -> None:
        self._prefix = camel_case(rulebook.id)
        self._schemas = schemas
        self._names = names
        self._rulebook = rulebook
        remedies, events = rulebook.remedies, rulebook.events
        self._params = {kind: self.named(kind, "Params") for kind in rulebook.actions}
        self._data = {kind: self.named(kind, "Data") for kind in events}
        self._remedies = {op: self.named(op, "Remedy") for op in remedies}
        self._agreements = {
            name: self.named(agreement.__name__) for name, agreement in rulebook.agreement_types.items()
        }
        self._add(
            {
                **{action: self._params[kind] for kind, action in rulebook.actions.items()},
                **{event: self._data[kind] for kind, event in events.items()},
                **{remedy: self._remedies[op] for op, remedy in remedies.items()},
            },
            request_types=(*rulebook.actions.values(), *remedies.values()),
        )
        # Answers omit null members of an agreement, and events do not, so the members are optional.
        for name in self._agreements.values():
            schemas.pop(name, None)
        self._add(
            {agreement: self._agreements[name] for name, agreement in rulebook.agreement_types.items()},
            nulls=False,
        )
        for data in self._data.values():
            schemas[data] = _without(schemas[data], _APART)

    def named(self, *parts: str) -> str:
        """Return the name of a component of this rulebook."""
        return self._prefix + "".join(map(camel_case, parts))

    def _add(self, tops: Mapping[Any, str], request_types: Iterable[Any] = (), *, nulls: bool = True) -> None:
        inner = {
            struct: self._names.get(struct) or self.named(published(struct))
            for struct in structs_in(tops)
            if struct not in tops
        }
        added = component_schemas({**tops, **inner}, request_types, nulls=nulls)
        self._schemas |= {name: schema for name, schema in added.items() if name not in self._schemas}

    def union(self, split: _Split, narrowed: Mapping[str, Schema], facts: Schema) -> Schema:
        """Build the union of a component. `narrowed` are the members with unions of this rulebook."""
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
        """Describe the kinds of action with their parameters: complete in requests, the visible part in
        answers.
        """
        if not split.in_requests:
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
        """Describe the effect of an action, with its rules."""
        rules = ", ".join(dict.fromkeys(self._rulebook.rules[kind]))
        does = self._rulebook.actions[kind].summary.en
        return f"{does[:1].upper()}{does[1:]} ({rules})." if rules else f"{does[:1].upper()}{does[1:]}."

    def _seen_actions(self) -> str:
        """Describe the kinds of action with the visible part of their parameters."""
        name = self.named("SeenAction")
        if name not in self._schemas:
            visible = {kind: {**self._schemas[params], "required": []} for kind, params in self._params.items()}
            visible[PRIVATE] = _ANYTHING
            variants = [_variant("kind", kind, "params", schema) for kind, schema in visible.items()]
            self._schemas[name] = {
                "description": "An action with its parameters, as far as the caller may see them.",
                "allOf": [{"oneOf": variants}],
            }
        return name

    def _of_events(self, split: _Split) -> Schema:
        """Describe the kinds of event with their data."""
        names = {}
        for kind, data in self._data.items():
            names[kind] = self.named(kind, split.stem)
            self._schemas[names[kind]] = _variant("kind", kind, "data", reference(data))
        return {"anyOf": [one_of(names, "kind")]}

    def _of_agreements(self, split: _Split) -> Schema:
        """Describe the collections, each with the details of one agreement."""
        return self._by_collection(split, reference)

    def _of_collections(self, split: _Split) -> Schema:
        """Describe the collections of agreements, each as a list."""
        return self._by_collection(split, lambda name: {"type": "array", "items": reference(name)})

    def _by_collection(self, split: _Split, content: Callable[[str], Schema]) -> Schema:
        variants = [
            _variant("collection", collection, split.content, content(name))
            for collection, name in self._agreements.items()
        ]
        return {"oneOf": variants} if variants else {}

    def agreements(self) -> Schema:
        """Describe the agreements by collection."""
        lists = {
            collection: {"type": "array", "items": reference(name)}
            for collection, name in self._agreements.items()
        }
        return {"type": "object", "properties": lists, "additionalProperties": False}

    def remedies(self) -> Schema:
        """Describe the remedies open to the banker."""
        return one_of(self._remedies, "op")


def remedies_of(rulebook: Rulebook[Any]) -> list[type[Remedy]]:
    """Return the remedies open to the banker under the rulebook."""
    remedies: list[type[Remedy]] = []
    for action in rulebook.actions.values():
        waiting: list[Any] = [get_type_hints(action)["remedies"]] if issubclass(action, GiveRuling) else []
        while waiting:
            hint = waiting.pop(0)
            if isinstance(hint, type) and issubclass(hint, Remedy):
                remedies.append(hint)
            waiting.extend(get_args(hint))
    return remedies


def _variant(tag: str, value: str, content: str, schema: Schema, *, needed: bool = True) -> Schema:
    """Build one variant of a union: the value of its tag, and its content."""
    return {
        "type": "object",
        "properties": {tag: {"type": "string", "const": value}, content: schema},
        "required": [tag, content] if needed else [tag],
    }


def _name(schema: Schema) -> str:
    """Return the name of the component referred to by a schema, or an empty text for an inline schema."""
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _without(schema: Schema, members: Iterable[str]) -> Schema:
    """Return the schema of an object without these members."""
    remaining = {name: inner for name, inner in schema["properties"].items() if name not in members}
    required = [name for name in schema.get("required", ()) if name not in members]
    return schema | {"properties": remaining, "required": required}


def _is_text(schema: Schema | None) -> bool:
    return schema is not None and schema.get("type") == "string" and "enum" not in schema


def _is_anything(schema: Any) -> bool:
    """Return True if the schema allows objects with any members, or lists of such objects at any depth."""
    if not isinstance(schema, dict):
        return False
    if schema.get("type") == "array":
        return _is_anything(schema.get("items"))
    return schema.get("type") == "object" and (
        schema.get("additionalProperties") == {} or _is_anything(schema.get("additionalProperties"))
    )


def _renamed(schema: Any, names: Mapping[str, str]) -> Any:
    """Rename the references to components in a schema by `names`."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return schema | {"$ref": REFERENCE.format(name=names.get(name, name))}
        return {name: _renamed(inner, names) for name, inner in schema.items()}
    return [_renamed(item, names) for item in schema] if isinstance(schema, list) else schema

"""Decoding request bodies. Every error names the position of the fault and the value."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

import msgspec
from flask import request
from werkzeug.exceptions import UnsupportedMediaType

from api.rest.problems.problems import Problem
from ledger.kernel.facts import texts
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.language import faults
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.faces.editions import pointer_at

T = TypeVar("T")
U = TypeVar("U")

_SHOWN = 200
"""Number of characters of a wrong value shown in an error."""

_DEEPEST = 100
"""Deepest nesting of a body: far more than any request needs, far less than the stack can take."""

_TEXTS = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_MARKS = re.compile(rb"[\[\]{}]")
_members = msgspec.json.Decoder(dict[str, msgspec.Raw])
_STEP = re.compile(r"\.(?P<name>[^.\[]+)|\[(?P<index>\d+)\]")
_MISSING = re.compile(r"^Object missing required field `(?P<name>[^`]*)`$")
_UNKNOWN = re.compile(r"^Object contains unknown field `(?P<name>[^`]*)`$")


def body(
    decoder: msgspec.json.Decoder[T], *, having: Mapping[str, msgspec.json.Decoder[U]] = MappingProxyType({})
) -> T | U:
    """Decode the request's body with `decoder`, or with the decoder in `having` for a member present in the
    body.

    A nested member is written "from.exchange". If several members of `having` are present, the last counts.

    Raises Problem: 413 for a body too large, 415 for a content type other than JSON or a content coding, 400
    for a text that is not JSON or an object with a repeated member (RFC 7493, 2.3), 422 for a refused character
    or a wrong shape.
    """
    coding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if coding not in {"", "identity"}:
        raise Problem(
            "unsupported-media-type",
            f"a body comes as it is, without Content-Encoding: {coding[:_SHOWN]}",
            f"un corps vient tel quel, sans Content-Encoding : {coding[:_SHOWN]}",
        )
    content = request.get_data(cache=False).removeprefix(codecs.BOM_UTF8)
    kind = request.mimetype
    if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        raise UnsupportedMediaType
    if content.count(b"[") + content.count(b"{") > _DEEPEST and _depth(content) > _DEEPEST:
        raise _malformed(RecursionError())
    _require_distinct_and_fit(content)
    decode: Callable[[bytes], T | U] = decoder.decode
    for name, alternative in having.items():
        if _has(content, name):
            decode = alternative.decode
    try:
        return decode(content)
    except msgspec.ValidationError as fault:
        raise _misshapen(str(fault), content, decoder.type) from None
    except _NOT_JSON as fault:
        raise _malformed(fault) from None


class _DuplicateMemberError(Exception):
    """An object has this member twice."""


def _distinct(members: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(members)
    if len(named) < len(members):
        earlier: set[str] = set()
        raise _DuplicateMemberError(next(name for name, _ in members if name in earlier or earlier.add(name)))  # type: ignore[func-returns-value]
    return named


# The typed decoder silently keeps the last of two members with one name. Here numbers stay texts: their values
# do not matter, and some are beyond every limit.
_plain = json.JSONDecoder(object_pairs_hook=_distinct, parse_int=str, parse_float=str)


def _require_distinct_and_fit(content: bytes) -> None:
    """Refuse repeated members in an object, and forbidden characters. Raises Problem."""
    try:
        plain = _plain.decode(content.decode())
    except _DuplicateMemberError as twice:
        name = json.dumps(twice.args[0][:_SHOWN])
        raise Problem(
            "malformed-json",
            f"an object in the body names the member {name} twice",
            f"un objet du corps nomme deux fois le membre {name}",
        ) from None
    except (ValueError, RecursionError):
        return  # Not JSON: the decoder of the types says why.
    unfit = texts.unfit(plain) if texts.is_suspect(content) else None
    if unfit is not None:
        raise refused_character(unfit.pointer.lstrip("/") or "body", unfit, pointer=unfit.pointer)


def refused_character(name: str, unfit: texts.Unfit, **where: str) -> Problem:
    """Build the problem for a refused character in the text called `name`. `where` gives the position of the
    text.
    """
    detail = Phrase(
        f"{name}: {unfit.character} is refused: {unfit.en}",
        f"{name} : {unfit.character} est refusé : {unfit.fr}",
    )
    row = {**where, "value": unfit.character, "detail": detail}
    return Problem("invalid-request", detail.en, detail.fr, errors=[row])


def _has(content: bytes, path: str) -> bool:
    """Return True if the content is a JSON object with the member at this path."""
    for name in path.split("."):
        try:
            members = _members.decode(content)
        except _NOT_JSON:
            return False
        if name not in members:
            return False
        content = bytes(members[name])
    return True


def _depth(content: bytes) -> int:
    """Count the levels of nested arrays and objects in a JSON text."""
    depth = deepest = 0
    for mark in _MARKS.findall(_TEXTS.sub(b"", content)):
        depth += 1 if mark in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


_NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def _malformed(fault: Exception) -> Problem:
    why = Phrase(str(fault), str(fault))
    if isinstance(fault, RecursionError):
        why = Phrase("it is nested too deeply", "les niveaux imbriqués sont trop nombreux")
    return Problem("malformed-json", f"the body is not JSON: {why.en}", f"le corps n'est pas du JSON : {why.fr}")


def _misshapen(fault: str, content: bytes, kind: Any) -> Problem:
    """Build the problem for a body of the wrong shape, or for a body with invalid JSON after the fault."""
    whole: Any = ...
    try:
        whole = msgspec.json.decode(content)
    except msgspec.ValidationError:
        pass  # A number beyond every limit: no value to show.
    except _NOT_JSON as worse:
        return _malformed(worse)
    row = where(fault, whole, members=faults.members(kind, fault, whole))
    return Problem(
        "invalid-request",
        f"the request is not right: {row['detail'].en}",
        f"la requête ne convient pas : {row['detail'].fr}",
        errors=[row],
    )


def misshapen_parameters(refusal: Malformed, inside: str, content: Any) -> Problem:
    """Build the problem for parameters of an action, or settings of a game, of the wrong shape.

    `inside` is the path of the field in the body ("" for the whole body); `content` is the value of the field.
    """
    name = inside.rpartition("/")[2] or "params"
    fault = str(refusal.values["fault"])
    row = where(fault, content, f"/{inside}" if inside else "", members=refusal.values.get("members", ()))
    kind = refusal.values.get("kind")
    return Problem(
        "invalid-parameters",
        f"the {name} of {kind} are not right: {row['detail'].en}" if kind else row["detail"].en,
        f"{_FRENCH_NAMES[name]}{f' de {kind}' if kind else ''} : {row['detail'].fr}",
        errors=[row],
        **({"kind": kind} if kind else {}),
    )


def misplaced(refusal: Malformed, inside: str) -> Problem:
    """Build the problem for a value refused by the rulebook, with its position in the field `inside`."""
    row = {"pointer": f"/{inside}{refusal.values['place']}", "detail": Phrase(refusal.en, refusal.fr)}
    return Problem("invalid-request", refusal.en, refusal.fr, errors=[row])


_FRENCH_NAMES = {"params": "les paramètres", "settings": "les réglages"}


def where(fault: str, content: Any, inside: str = "", members: Sequence[str] = ()) -> dict[str, Any]:
    """Describe a validation fault: a JSON Pointer (RFC 6901) to the fault, and the value there, if any.

    `members` are the allowed members, for a fault about an unknown one.
    """
    message, path = faults.parted(fault)
    pointer = inside
    value: Any = content
    has_value = True
    steps: list[str | int] = [
        step["name"] if step["name"] is not None else int(step["index"]) for step in _STEP.finditer(path)
    ]
    named = _MISSING.match(message) or _UNKNOWN.match(message)
    if named is not None:
        steps.append(named["name"])
    for step in steps:
        pointer = pointer_at(pointer, step)
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            has_value = False
            break
    row: dict[str, Any] = {"pointer": pointer, "detail": message}
    if has_value and value is not ... and not isinstance(value, dict | list) and "..." not in path:
        row["value"] = value if not isinstance(value, str) else value[:_SHOWN]
    position = pointer.lstrip("/")
    problem, got = faults.in_words(message), _value_text(row)
    english = f"{problem.en}{got.en}{_listed('; there are: ', members)}"
    french = f"{problem.fr}{got.fr}{_listed(' ; il y a : ', members)}"
    row["detail"] = Phrase(f"{position or 'body'}: {english}", f"{position or 'corps'} : {french}")
    return row


def _listed(prefix: str, members: Sequence[str]) -> str:
    return prefix + ", ".join(members) if members else ""


def _value_text(row: dict[str, Any]) -> Phrase:
    if "value" not in row:
        return Phrase("", "")
    value = msgspec.json.encode(row["value"]).decode()
    return Phrase(f" (got {value})", f" (reçu : {value})")


def reject(pointer: str, value: Any, en: str, fr: str) -> NoReturn:
    """Refuse one field of the body for a reason beyond its type. Raises Problem (422)."""
    raise Problem(
        "invalid-request", en, fr, errors=[{"pointer": pointer, "value": value, "detail": Phrase(en, fr)}]
    )

"""Requests of the attacker of `tests.harness.secrecy` to operations that write. None of them changes anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.harness.secrecy import Words

GAME, TOKEN = "{game}", "{token}"
"""The placeholders for the game's id, in a path or a body, and for the sender's own token, in a body."""


def _actions(words: Words) -> Iterator[Any]:
    for kind in sorted(words.kinds):
        for params in (*words.params.get(kind, ()), {}):
            yield {"kind": kind, "params": params, "dry_run": True}


def _pretensions(words: Words) -> Iterator[Any]:
    """Acting for another seat, waiving rules, and having the default steps taken."""
    for kind, known in sorted(words.params.items()):
        for params in known[:3]:
            for seat in sorted(words.seats):
                yield {"kind": kind, "params": params, "seat": seat, "dry_run": True}
            yield {"kind": kind, "params": params, "override": {"reason": "?"}, "dry_run": True}
            yield {"kind": kind, "params": params, "settle": True, "dry_run": True}


def _corrections(words: Words) -> Iterator[Any]:
    kinds = [(kind, params) for kind, known in sorted(words.params.items()) for params in known[:2]]
    edits = [{"op": "drop", "action": number} for number in words.numbers]
    edits += [{"op": "rewind", "to": words.version}]
    edits += [{"op": "replace", "action": words.version, "params": params} for _, params in kinds]
    edits += [
        {"op": "insert", "after": words.version, "action": {"kind": kind, "params": params, "seat": seat}}
        for kind, params in kinds
        for seat in sorted(words.seats)[:1]
    ]
    for edit in edits:
        yield {"edits": [edit], "cascade": "restate", "reason": "?", "dry_run": True}


def _takings_back(words: Words) -> Iterator[Any]:
    for number in (None, *words.numbers):
        yield {"action": number, "reason": "?", "dry_run": True}


def _disputes(words: Words) -> Iterator[Any]:
    for number in words.numbers:
        yield {"claim": "?", "actions": [number], "dry_run": True}
        yield {"claim": "?", "edits": [{"op": "drop", "action": number}], "dry_run": True}


def _rulings(words: Words) -> Iterator[Any]:
    yield {"finding": "?", "remedies": [{"op": "dismiss"}], "dry_run": True}
    for number in words.numbers:
        dropped = {"op": "correct", "edits": [{"op": "drop", "action": number}], "reason": "?"}
        yield {"finding": "?", "actions": [number], "remedies": [dropped], "dry_run": True}
    places = sorted(account for account in words.accounts if ":" in account)
    for commodity in sorted(words.commodities):
        moved = {"commodity": commodity, "amount": 1, "from": places[0], "to": places[-1]}
        remedy = {"op": "adjust", "postings": [moved], "reason": "?"}
        yield {"finding": "?", "remedies": [remedy], "dry_run": True}


def _forks(words: Words) -> Iterator[Any]:
    for number in words.numbers:
        yield {"from": {"game": GAME, "action": number, "token": TOKEN}}


def _repetitions(_: Words) -> Iterator[Any]:
    yield {"again": GAME}
    yield {"again": GAME, "token": TOKEN}


def _invitations(words: Words) -> Iterator[Any]:
    yield {"role": "spectator"}
    for seat in sorted(words.seats):
        yield {"seat": seat}


CONTENTS: dict[str, tuple[Callable[[Words], Iterable[Any]], ...]] = {
    "createGame": (_forks, _repetitions),
    "performAction": (_actions, _pretensions),
    "correctHistory": (_corrections,),
    "undo": (_takings_back,),
    "redo": (_takings_back,),
    "openDispute": (_disputes,),
    "addStatement": (lambda _: [{"text": "?", "dry_run": True}],),
    "acceptDispute": (lambda _: [{"dry_run": True}],),
    "withdrawDispute": (lambda _: [{"dry_run": True}],),
    "ruleOnDispute": (_rulings,),
    "rule": (_rulings,),
    "replaceToken": (lambda _: (),),
    "commitToDice": (lambda _: [{"end": "0" * 64, "length": 5}],),
    "revealValue": (lambda _: [{"throw": 1, "value": "0" * 64}],),
    "cosignCheckpoint": (lambda _: [{"key": "?", "note": "?"}],),
    "invite": (_invitations,),
    "layDemo": (lambda _: [{}],),
    "takeDemoSeat": (lambda _: [{"name": "evening", "role": "banker"}],),
    # The games of an attack are never continued.
    "joinAgain": (lambda _: (),),
    # Codes belong to no viewer, and wrong ones are counted.
    "join": (lambda _: (),),
    "readInvitedTable": (lambda _: (),),
}
"""The bodies for each POST, in groups with equal probability. An empty body is tried as well."""

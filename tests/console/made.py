"""What the console's unit tests verify: made by the modules of this version, in a file that is never committed."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from ledger.kernel.dice.chains import Chain
from ledger.kernel.dice.deriving import Derived, key_of
from ledger.kernel.journal.entry import Entry, body, canonical
from ledger.kernel.journal.merkle import Tree
from ledger.kernel.journal.stored import (
    audience_of,
    hashed_of,
    leaf,
    of_audience,
    only_hash,
    salt_for,
    sealed,
    shown_part,
    withheld,
)
from ledger.trust.checkpoints import Checkpoint
from ledger.trust.keys import Keys
from ledger.trust.notes import WITNESS, Signer
from ledger.trust.proofs import consistency, inclusion
from ledger.trust.receipts import Receipt

MADE = Path(__file__).parents[2] / "api" / "console" / "src" / "trust" / "made.json"
_GAME, _SIZE = "abcdef", 13
_KEYS = Keys.of_secret(bytes(range(32)))
_AT = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)


def make() -> None:
    """Write the file."""
    leaves, shown = zip(*map(_entry, range(1, _SIZE + 1)), strict=True)

    def root(size: int) -> bytes:
        tree = Tree()
        for one in leaves[:size]:
            tree.add(one)
        return tree.root()

    def node(level: int, index: int) -> bytes:
        tree = Tree()
        for one in leaves[index << level : (index + 1) << level]:
            tree.add(one)
        return tree.root()

    notes = [_KEYS.sign(Checkpoint(_KEYS.origin(_GAME), size, root(size)), _GAME) for size in range(1, _SIZE + 1)]
    witness = Signer("witness.example/w1", bytes(32), WITNESS)
    rotated, other = _rotated(), Keys.of_secret(bytes(32))
    made = {
        "rotation": {
            "key": str(rotated.verifiers(_GAME)[0]),
            "successions": [*map(str, rotated.successions)],
            "checkpoint": str(rotated.sign(Checkpoint(rotated.origin(_GAME), _SIZE, root(_SIZE)), _GAME)),
        },
        "other": {
            "key": str(other.verifiers(_GAME)[0]),
            "checkpoint": str(other.sign(Checkpoint(other.origin(_GAME), _SIZE, root(_SIZE)), _GAME)),
            "changed": str(other.sign(Checkpoint(other.origin(_GAME), _SIZE, root(5)), _GAME)),
        },
        "key": str(_KEYS.verifiers(_GAME)[0]),
        "checkpoints": [str(note) for note in notes],
        "receipts": [
            str(Receipt(index, tuple(inclusion(node, index, _SIZE)), notes[-1], shown[index]))
            for index in range(_SIZE)
        ],
        "growth": [
            {"from": old, "to": size, "hashes": [_base64(one) for one in consistency(node, old, size)]}
            for size in range(1, _SIZE + 1)
            for old in range(1, size + 1)
        ],
        "witness": {
            "key": str(witness.verifier),
            "note": str(notes[-1].with_signature(witness.sign(notes[-1].text, _AT))),
        },
        "dice": [*_dice(Random(7))],
        "chains": [_chain(Chain(bytes([length]) * 32, length)) for length in (1, 2, 40)],
    }
    MADE.write_text(json.dumps(made))


def _rotated() -> Keys:
    """The keys after two rotations: the first key signs no more."""
    with TemporaryDirectory() as folder:
        path, chance = Path(folder) / "keys", Random(11)
        Keys.ensure(path, lambda _: bytes(range(32)))
        Keys.rotate(path, _AT, chance.randbytes)
        return Keys.rotate(path, _AT, chance.randbytes)


def _entry(number: int) -> tuple[bytes, bytes]:
    """An entry's hash, and what Ana has of it: some whole, some in part, some not at all."""
    entry = Entry(
        game=_GAME,
        number=number,
        kind="transfer_money",
        seat="ana",
        by="ana",
        params=_raw({"to": "élodie", "amount": number}),
        draws={},
        recorded_at=_AT,
        override=None,
        warnings=(),
        events=(_raw({"kind": "money_transferred", "text": 'a "}}" in it'}),),
        first_seq=number,
        salt=f"{number:032x}",
    )
    if number % 3 == 0:
        return leaf(canonical(entry)), canonical(entry)
    audience = audience_of("ana")
    part = body({"game": _GAME, "number": number, "seen": "é"})
    stored = sealed(entry, {audience: part, audience_of(None): b"{}"})
    parts = withheld(stored)
    assert parts is not None
    lines = (
        shown_part(hashed_of(stored), bytes(parts.views[audience]), salt_for(entry.salt, audience)),
        of_audience(stored),
        only_hash(leaf(stored)),
    )
    return leaf(stored), lines[number % 4 % 3]


def _raw(value: Any) -> Any:
    return msgspec.Raw(body(value))


def _dice(chance: Random) -> Any:
    for number in range(100):
        names = chance.sample(["service", "ana", "bob", "zoë", "b"], chance.randint(1, 5))
        values = {name: chance.randbytes(chance.randint(0, 40)) for name in names}
        source = Derived(key_of(values), f"game{number}", number * 1_000_003)
        sides = [chance.choice([1, 2, 6, 9, 20, 2**31]) for _ in range(100)]
        thrown = [[one, source.randint(1, one)] for one in sides]
        cards = [*"abcdefghij"]
        source.shuffle(cards)
        yield {
            "values": {name: value.hex() for name, value in values.items()},
            "game": f"game{number}",
            "action": number * 1_000_003,
            "thrown": thrown,
            "shuffled": "".join(cards),
        }


def _chain(chain: Chain) -> Any:
    values = [chain.end, *map(chain.value, range(1, chain.length + 1))]
    return {"root": chain.root.hex(), "length": chain.length, "values": [value.hex() for value in values]}


def _base64(hashed: bytes) -> str:
    return base64.b64encode(hashed).decode()


if __name__ == "__main__":
    make()

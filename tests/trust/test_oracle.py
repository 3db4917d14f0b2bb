"""Code that was not written here verifies what a log says: the packages of Go's checksum database."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ledger.kernel.facts.audience import BANKER
from ledger.kernel.journal.stored import hashed_of, leaf
from ledger.service import Ledger
from ledger.store.store import Store
from ledger.trust.checkpoints import Checkpoint
from tests.tables.ledgers import ANA, do
from tests.trust.test_shown import files_of, laid_out

ORACLE = Path(__file__).parent / "oracle" / "verify.go"
MODULES = "/usr/share/gocode"
"""Where Debian has the sources of golang.org/x/mod."""


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The verifier, compiled."""
    program = tmp_path_factory.mktemp("oracle") / "verify"
    environment = {**os.environ, "GO111MODULE": "off", "GOPATH": MODULES, "GOCACHE": str(program.parent / "cache")}
    go = shutil.which("go")
    assert go is not None
    subprocess.run([go, "build", "-o", program, ORACLE], check=True, env=environment)
    return program


def verdicts(oracle: Path, asked: list[dict[str, Any]]) -> list[str]:
    """What it says of each thing: "ok", or why not."""
    done = subprocess.run([oracle], input=json.dumps(asked), capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.fixture
def long(ledger: Ledger, game: str) -> str:
    """A game with more than one full tile."""
    for _ in range(300):
        do(ledger, game, ANA, "transfer_money", to="bob", amount=1)
    return game


def flipped(written: str, bit: int) -> str:
    number = int.from_bytes(bytes.fromhex(written)) ^ (1 << bit)
    return number.to_bytes(len(written) // 2).hex()


def test_others_verify_a_log(store: Store, ledger: Ledger, long: str, oracle: Path, tmp_path: Path) -> None:
    """Its signature, every leaf, inclusion, growth and tiles; and they refuse every changed bit of a proof."""
    size = ledger.moment(long).version
    stored = [one for run in store.journal.runs(long) for _, one, _ in run]
    leaves = [leaf(one).hex() for one in stored]
    log = ledger.logs.log_up_to(long, size)
    root = log.root(size).hex()
    head = {"size": size, "root": root}
    key = str(ledger.logs.keys.verifiers(long)[0])
    folder = laid_out(tmp_path / "log", files_of(ledger, long, BANKER))

    def inclusion(index: int) -> dict[str, Any]:
        path = [one.hex() for one in log.inclusion(index, size)]
        return {
            "kind": "inclusion",
            "index": index,
            "size": size,
            "leaf": leaves[index],
            "root": root,
            "path": path,
        }

    def growth(old: int) -> dict[str, Any]:
        path = [one.hex() for one in log.consistency(old, size)]
        before = log.root(old).hex()
        return {"kind": "consistency", "old": old, "old_root": before, **head, "path": path}

    note = str(ledger.logs.checkpoint(long, size))
    right: list[dict[str, Any]] = [
        {"kind": "note", "key": key, "note": note, **head},
        *(
            {"kind": "leaf", "data": base64.b64encode(hashed_of(one)).decode(), "leaf": leaves[place]}
            for place, one in enumerate(stored)
        ),
        *(inclusion(index) for index in range(0, size, 11)),
        *(growth(old) for old in range(1, size, 13)),
        *(
            {
                "kind": "tiles",
                "folder": str(folder),
                "index": index,
                "size": size,
                "leaf": leaves[index],
                "root": root,
            }
            for index in (0, 255, 256, size - 1)
        ),
    ]
    assert verdicts(oracle, right) == ["ok"] * len(right)

    proof, grown = inclusion(7), growth(100)
    wrong = [
        {**one, "path": [*one["path"][:place], flipped(hashed, bit), *one["path"][place + 1 :]]}
        for one in (proof, grown)
        for place, hashed in enumerate(one["path"])
        for bit in range(256)
    ]
    wrong += [{**proof, "leaf": flipped(proof["leaf"], bit)} for bit in range(256)]
    wrong += [{**grown, "old_root": flipped(grown["old_root"], bit)} for bit in range(256)]
    other = Checkpoint(key.partition("+")[0], size + 1, bytes.fromhex(root)).text
    wrong.append({**right[0], "note": note.replace(note.partition("\n\n")[0] + "\n", other), "size": size + 1})
    assert "ok" not in verdicts(oracle, wrong)

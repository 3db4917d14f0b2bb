"""Inputs that broke a demand once, by reader."""

from __future__ import annotations

import base64
from collections.abc import Mapping

from tests.fuzzing import packing
from tests.monopoly.test_tables import AMERICAN

_LOG = packing.zipped(packing.log_files(packing.ENTRIES["negoces2"], "negoces2"))
_TABLE = AMERICAN.encode()
_CUT_SHORT = b'{"entry":{"a":1,"withheld":{"leaf":{},"whole":7}},"leaf":"00"}'
_FIRST, _SECOND = packing.lines_of(packing.ENTRIES["negoces2"])[:2]

FOUND: Mapping[str, tuple[bytes, ...]] = {
    # Wrong bytes in an argument of a command.
    "a verifier key": (b"a\x80+1a2b3c4d+" + base64.b64encode(b"\x01" + b"a" * 32),),
    "the keys of --key": (b"a\x80+1a2b3c4d+" + base64.b64encode(b"\x01" + b"a" * 32),),
    "a signed note as a text": (packing.checkpoint(1).encode().replace(b"\n1\n", b"\n\x80\n"),),
    # Damage of a ZIP file: in the directory, before a member, in a member, of all positions; a name twice.
    "a file for `verify`": (
        _LOG.replace(b"PK\x01\x02", b"PK\x01\x03", 1),
        _LOG.replace(b"PK\x03\x04", b"PK\x03\x05", 1),
        _LOG.replace(b'"version":1', b'"version":2', 1),
        _LOG[50:],
    ),
    "the file of a backup": (packing.backup()[50:],),
    # A long origin, quoted with the keys.
    "an older checkpoint": (packing.checkpoint(1).encode().replace(b"/table\n", b"/" + b"x" * 20_000 + b"\n"),),
    "the checkpoint of an older log": (b"\xff\n\n",),
    # An entry that counts and cannot be read.
    "the entries of a log, signed": (packing.ENTRIES["negoces2"].replace(b'"seat":', b'"seats":', 1),),
    # An entry of the second version without parts.
    "the file of a journal": (
        b"\n".join([packing.journal(packing.ENTRIES["negoces2"], "negoces2").splitlines()[0], _CUT_SHORT, b""]),
    ),
    # An entry of the second version with parts that nothing seals.
    "the entries of negoces2, with their hashes": (
        b'%b\n%b,"withheld":{"leaf":{},"views":{},"whole":%d}}' % (_FIRST, _SECOND[:-1], len(_SECOND)),
    ),
    # An old end of lines, a long cell, and a header that commands the terminal.
    "a table of squares": (
        _TABLE.replace(b"\n", b"\r"),
        _TABLE.replace(b"Elm Street", b'"' + b"x" * 140_000 + b'"'),
        _TABLE.replace(b"Name", b"\x1b[2J"),
        _TABLE.replace(b"Name", b"x" * 40_000),
    ),
}

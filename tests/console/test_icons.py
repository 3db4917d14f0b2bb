"""The icons of the installed console are those that its script draws."""

from __future__ import annotations

import json
import struct
import zlib

import pytest

from api.console.icons import FOLDER, ICONS, pixels


@pytest.mark.soak
def test_every_icon_of_the_manifest_is_as_drawn() -> None:
    manifest = json.loads((FOLDER.parent / "manifest.webmanifest").read_text())
    named = {
        icon["src"].removeprefix("/icons/"): (icon["sizes"], icon["purpose"] == "maskable")
        for icon in manifest["icons"]
        if icon["type"] == "image/png"
    }
    assert named == {name: (f"{size}x{size}", maskable) for name, (size, maskable) in ICONS.items()}
    for name, (size, maskable) in ICONS.items():
        content = (FOLDER / name).read_bytes()
        at = content.index(b"IDAT")
        (length,) = struct.unpack(">I", content[at - 4 : at])
        rows = zlib.decompress(content[at + 4 : at + 4 + length])
        # Each row begins with the number of its filter: none.
        shown = b"".join(rows[row + 1 : row + 1 + 4 * size] for row in range(0, len(rows), 4 * size + 1))
        assert shown == pixels(size, maskable=maskable)

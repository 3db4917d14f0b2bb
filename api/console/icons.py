"""Draw the icons of the installed console: `python -m api.console.icons` writes them to `public/icons/`.

The shapes are copied from `mabligop.svg`. A maskable icon fills its whole square: the device cuts it to shape.
"""

from __future__ import annotations

import struct
import zlib
from itertools import pairwise
from math import hypot
from pathlib import Path

FOLDER = Path(__file__).with_name("public") / "icons"
ICONS = {
    "mabligop-192.png": (192, False),
    "mabligop-512.png": (512, False),
    "mabligop-maskable-512.png": (512, True),
}
"""The file name, size, and kind (True for maskable) of each icon."""

_SIDE = 64.0
_CORNER = 14.0
_GROUND, _LINE, _COIN = (0x17, 0x3E, 0x76), (0xFF, 0xFF, 0xFF), (0xE8, 0xA3, 0x00)
_POINTS = ((16.0, 46.0), (16.0, 20.0), (32.0, 34.0), (48.0, 20.0), (48.0, 46.0))
_STROKE = 6.0
_CENTRE, _RADIUS = (32.0, 48.0), 4.0

Point = tuple[float, float]
Colour = tuple[int, int, int]


def pixels(size: int, *, maskable: bool) -> bytes:
    """Draw the rows of the picture from the top, four bytes (red, green, blue, opacity) for each pixel."""
    scale = _SIDE / size
    drawn = bytearray()
    for row in range(size):
        for column in range(size):
            at = ((column + 0.5) * scale, (row + 0.5) * scale)
            colour = _over(_GROUND, _LINE, _cover(_from_line(at) - _STROKE / 2, scale))
            colour = _over(colour, _COIN, _cover(hypot(at[0] - _CENTRE[0], at[1] - _CENTRE[1]) - _RADIUS, scale))
            opacity = 1.0 if maskable else _cover(_from_ground(at), scale)
            drawn += bytes((*colour, round(255 * opacity)))
    return bytes(drawn)


def png(size: int, rows: bytes) -> bytes:
    """Encode these pixels as PNG (RFC 2083)."""
    width = 4 * size
    unfiltered = b"".join(b"\0" + rows[at : at + width] for at in range(0, len(rows), width))
    header = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(unfiltered, 9)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
        for name, content in parts
    )


def _cover(distance: float, pixel: float) -> float:
    """Return the part of a pixel inside a shape, for a distance from the shape's edge (negative: inside)."""
    return min(1.0, max(0.0, 0.5 - distance / pixel))


def _over(below: Colour, above: Colour, cover: float) -> Colour:
    red, green, blue = (round(lower + (upper - lower) * cover) for lower, upper in zip(below, above, strict=True))
    return red, green, blue


def _from_line(at: Point) -> float:
    return min(_from_segment(at, begin, end) for begin, end in pairwise(_POINTS))


def _from_segment(at: Point, begin: Point, end: Point) -> float:
    along = (end[0] - begin[0], end[1] - begin[1])
    part = ((at[0] - begin[0]) * along[0] + (at[1] - begin[1]) * along[1]) / (along[0] ** 2 + along[1] ** 2)
    part = min(1.0, max(0.0, part))
    return hypot(at[0] - begin[0] - part * along[0], at[1] - begin[1] - part * along[1])


def _from_ground(at: Point) -> float:
    """Return the distance to the edge of the square with round corners."""
    half = _SIDE / 2
    across, down = (abs(value - half) - half + _CORNER for value in at)
    return hypot(max(across, 0), max(down, 0)) + min(max(across, down), 0) - _CORNER


def main() -> None:
    """Write all icons."""
    for name, (size, maskable) in ICONS.items():
        (FOLDER / name).write_bytes(png(size, pixels(size, maskable=maskable)))


if __name__ == "__main__":
    main()

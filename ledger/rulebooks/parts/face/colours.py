"""Colours as #RRGGBB: the contrast of two by WCAG 2.2, and the difference of two by CIEDE2000."""

from __future__ import annotations

import math
from typing import NamedTuple

CREAM = "#FBF4E2"
"""The light text on cloth and counter."""
INK = "#1B1A16"
"""The dark text on cloth and counter."""
BRASS = "#F0C15C"
"""The buttons on the cloth."""
PAPER = "#FFFDF7"
"""The ground of ledger, deeds and cards."""


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio")."""
    darker, lighter = sorted((_luminance(first), _luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def difference(first: str, second: str) -> float:
    """Return the visible difference of two colours, from 0 to about 100.

    CIEDE2000 after Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference Formula" (2005), with all factors 1.
    """
    lightness_1, a_1, b_1 = _lab(first)
    lightness_2, a_2, b_2 = _lab(second)
    grey = 1 + 0.5 * (1 - _steep((math.hypot(a_1, b_1) + math.hypot(a_2, b_2)) / 2))
    chroma_1, hue_1 = math.hypot(grey * a_1, b_1), _hue(grey * a_1, b_1)
    chroma_2, hue_2 = math.hypot(grey * a_2, b_2), _hue(grey * a_2, b_2)
    turned = 0.0
    if chroma_1 * chroma_2:
        turned = (hue_2 - hue_1 + 180) % 360 - 180
    lightness, chroma = (lightness_1 + lightness_2) / 2, (chroma_1 + chroma_2) / 2
    hue = hue_1 + hue_2 if not chroma_1 * chroma_2 else hue_1 + turned / 2
    around = (
        1
        - 0.17 * _cosine(hue - 30)
        + 0.24 * _cosine(2 * hue)
        + 0.32 * _cosine(3 * hue + 6)
        - 0.20 * _cosine(4 * hue - 63)
    )
    lighter = (lightness_2 - lightness_1) / (
        1 + 0.015 * (lightness - 50) ** 2 / math.sqrt(20 + (lightness - 50) ** 2)
    )
    stronger = (chroma_2 - chroma_1) / (1 + 0.045 * chroma)
    hued = 2 * math.sqrt(chroma_1 * chroma_2) * math.sin(math.radians(turned) / 2) / (1 + 0.015 * chroma * around)
    blue = math.sin(math.radians(60 * math.exp(-(((hue % 360 - 275) / 25) ** 2))))
    rotated = -2 * _steep(chroma) * blue
    return math.sqrt(lighter**2 + stronger**2 + hued**2 + rotated * stronger * hued)


class _Lab(NamedTuple):
    """A colour in CIELAB with the white of D65."""

    lightness: float
    a: float
    b: float


def _linear(colour: str) -> tuple[float, float, float]:
    """Return the linear parts of red, green and blue, from 0 to 1 (IEC 61966-2-1)."""

    def part(start: int) -> float:
        value = int(colour[start : start + 2], 16) / 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    return part(1), part(3), part(5)


def _luminance(colour: str) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _lab(colour: str) -> _Lab:
    red, green, blue = _linear(colour)
    x, y, z = (
        _bent((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047),
        _bent(0.2126729 * red + 0.7151522 * green + 0.0721750 * blue),
        _bent((0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883),
    )
    return _Lab(116 * y - 16, 500 * (x - y), 200 * (y - z))


def _bent(value: float) -> float:
    return math.cbrt(value) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116


def _steep(chroma: float) -> float:
    return math.sqrt(chroma**7 / (chroma**7 + 25.0**7))


def _hue(a: float, b: float) -> float:
    """Return the angle of a colour, in degrees from 0 to 360."""
    return math.degrees(math.atan2(b, a)) % 360


def _cosine(degrees: float) -> float:
    return math.cos(math.radians(degrees))

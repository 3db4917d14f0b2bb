"""The colours of the console and of the report: one file, with contrasts for everybody's eyes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TOKENS = (Path(__file__).parents[2] / "api" / "console" / "src" / "theme" / "tokens.css").read_text()
THEMES = ("light", "dark")
TEXTS = ("ink", "ink-2", "accent", "good", "caution", "bad", "brass-text")
PAPERS = ("page", "paper", "sunk", "stripe", "selected")
MIXED = {"cloth": 0.7, "counter": 0.6}
"""What remains of a colour in the dark, where the page mixes it with black."""


def colours(theme: str) -> dict[str, str]:
    """The colours of a theme by their names, without those that are mixed or of a face."""
    shown: dict[str, str] = {}
    for selectors, block in re.findall(r"([^{}]+)\{([^{}]*)\}", TOKENS):
        if ":root" in selectors or f'"{theme}"' in selectors:
            shown |= dict(re.findall(r"--([\w-]+): (?:var\(--face-\w+, )?(#[0-9a-f]{6})\b", block))
    return shown


def luminance(colour: str, share: float = 1.0) -> float:
    """The relative luminance of a colour mixed with black, as WCAG 2.2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 * share for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(left: float, right: float) -> float:
    return (max(left, right) + 0.05) / (min(left, right) + 0.05)


def pairs(theme: str) -> list[tuple[str, str, float]]:
    """What stands on what, and the least contrast: 4.5 for texts, 3 for edges of controls."""
    texts = [(text, paper, 4.5) for text in TEXTS for paper in PAPERS]
    edges = [("edge", paper, 3.0) for paper in PAPERS]
    dark = [(text, ground, 4.5) for text in ("on", "on-2", "brass") for ground in MIXED]
    dark += [("on-edge", ground, 3.0) for ground in MIXED]
    things = [
        ("on-brass", "brass", 4.5),
        ("on-note", "note", 4.5),
        ("on-coin", "coin", 4.5),
        ("on-accent", "accent", 4.5),
    ]
    things += [
        ("card-ink", "card", 4.5),
        ("card-ink-2", "card", 4.5),
        ("card-bad", "card", 4.5),
        ("card-ink", "card-now", 4.5),
    ]
    things += [
        ("note-edge", "note", 3.0),
        ("coin-edge", "coin", 3.0),
        ("ink", "square", 4.5),
        ("focus", "paper", 3.0),
    ]
    seats = [(f"on-seat-{seat}", f"seat-{seat}", 4.5) for seat in range(8)]
    return [*texts, *edges, *dark, *things, *seats]


@pytest.mark.parametrize("theme", THEMES)
def test_everything_can_be_read(theme: str) -> None:
    known = colours(theme)
    shares = MIXED if theme == "dark" else {}

    def light(name: str) -> float:
        return luminance(known[name], shares.get(name, 1.0))

    too_weak = {
        (upper, lower): round(measured, 2)
        for upper, lower, least in pairs(theme)
        if (measured := contrast(light(upper), light(lower))) < least
    }
    assert too_weak == {}


@pytest.mark.parametrize("seat", range(8))
@pytest.mark.parametrize("theme", THEMES)
def test_an_edge_of_a_disc_is_seen_on_every_ground(theme: str, seat: int) -> None:
    """Of the two edges one stands out from the ground, and one from the colour of the seat."""
    known = colours(theme)
    edges = [luminance(known[edge]) for edge in ("disc-ink", "disc-edge")]
    for ground in (*PAPERS, "cloth", "counter", f"seat-{seat}"):
        share = MIXED.get(ground, 1.0) if theme == "dark" else 1.0
        assert max(contrast(edge, luminance(known[ground], share)) for edge in edges) >= 3, ground

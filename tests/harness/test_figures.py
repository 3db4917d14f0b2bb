"""Numbers are found wherever an answer shows them, and in nothing that is made up by chance."""

from __future__ import annotations

import base64
import json
from random import Random

import pytest

from tests.harness.figures import figures

SECRET = 1650
CHANCE = Random(7)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"holdings": {"NGD": SECRET}}, separators=(",", ":")),
        json.dumps([1, -SECRET]),
        "Ana gives ₦1650 to Bob.",
        "Ana donne 1650 ₦ à Bob.",
        "Bob : 1650 → 1780 ₦ (1820)",
        "9,effective,1650,player:ana",
        "<td>1650</td>",
        "escrow:1650",
        "It was 1650.",
    ],
)
def test_a_number_that_is_shown_is_found(text: str) -> None:
    assert SECRET in {abs(number) for number in figures(text)}


def test_ids_and_hashes_show_no_numbers() -> None:
    """Each of these holds the digits, as a hash does in 3 of 100 runs."""
    digits = str(SECRET)
    for _ in range(200):
        hashed = CHANCE.randbytes(32)
        hexadecimal, encoded = hashed.hex(), base64.b64encode(hashed).decode()
        name = base64.b32encode(hashed[:10]).decode().lower()
        at = CHANCE.randint(1, 12)
        for made_up in (hexadecimal, encoded, name, f"{name}.{encoded[:32].replace('+', '-').replace('/', '_')}"):
            assert figures(f'{{"leaf":"{made_up[:at]}{digits}{made_up[at:]}"}}') <= {
                int(part) for part in (made_up[:at], made_up[at:]) if part.isdigit()
            }


def test_a_fraction_and_a_time_show_no_whole_number() -> None:
    assert figures('"10.1650" "2026-11-20T20:00:00.1650Z" 1.1650') & {SECRET} == set()

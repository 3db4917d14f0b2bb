"""Tables of figures, as the commands `simulate` and `statistics` print them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from api.command.terminal.options import MOST_ROWS
from replays.results import Result, SettingsResult, Spread, label_of


def spread_text(spread: Spread | None, scale: int = 1) -> str:
    """The smallest, the largest and the median of some numbers; empty without any."""
    if spread is None:
        return ""
    least, middle, most = (str(one) if scale == 1 else f"{one / scale:.2f}" for one in spread)
    return least if least == most else f"{least} to {most}, median {middle}"


def results_lines(title: str, results: Sequence[Result], currency: str, *, everything: bool) -> list[str]:
    """The table of the results of strategies, or of places, with their intervals."""
    columns = ("seats", "won", "%", "95 %", f"worth at the end ({currency})", "median 95 %")
    rows = (
        (
            one.name,
            one.seats,
            one.won,
            one.share.percent,
            f"{one.share.low} to {one.share.high}",
            spread_text(one.worth),
            f"{one.median[0]} to {one.median[1]}",
        )
        for one in results
    )
    return table_lines(title, columns, rows, everything=everything)


def settings_lines(results: Sequence[SettingsResult], *, everything: bool) -> list[str]:
    """The table of the settings by which games were played."""
    columns = ("games", "ended", "actions", "median 95 %")
    rows = (
        (
            label_of(one.settings),
            one.games,
            one.ended,
            spread_text(one.actions),
            f"{one.median[0]} to {one.median[1]}",
        )
        for one in results
    )
    return table_lines("settings", columns, rows, everything=everything)


def table_lines(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], *, everything: bool
) -> list[str]:
    """A table after an empty line, with its first rows, or everything. Nothing without rows."""
    found = [[str(cell) for cell in row] for row in rows]
    if not found:
        return []
    shown = found if everything else found[:MOST_ROWS]
    head = [title, *columns]
    widths = [max(map(len, column)) for column in zip(head, *shown, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, *shown)
    ]
    left = len(found) - len(shown)
    return ["", *lines, *([f"… and {left} more (--all)"] if left else [])]

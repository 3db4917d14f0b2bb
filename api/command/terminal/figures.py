"""Tables of figures, for the commands `simulate` and `statistics`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from api.command.terminal.options import MOST_ROWS
from replays.results import Result, SettingsResult, Spread, label_of


def spread_text(spread: Spread | None, scale: int = 1) -> str:
    """Write the smallest, the largest and the median of some numbers; empty for no numbers."""
    if spread is None:
        return ""
    least, middle, largest = (str(number) if scale == 1 else f"{number / scale:.2f}" for number in spread)
    return least if least == largest else f"{least} to {largest}, median {middle}"


def results_lines(title: str, results: Sequence[Result], currency: str, *, everything: bool) -> list[str]:
    """Write the table of results of strategies or positions, with intervals."""
    columns = ("seats", "won", "%", "95 %", f"worth at the end ({currency})", "median 95 %")
    rows = (
        (
            result.name,
            result.seats,
            result.won,
            result.share.percent,
            f"{result.share.low} to {result.share.high}",
            spread_text(result.worth),
            f"{result.median[0]} to {result.median[1]}",
        )
        for result in results
    )
    return table_lines(title, columns, rows, everything=everything)


def settings_lines(results: Sequence[SettingsResult], *, everything: bool) -> list[str]:
    """Write the table of games by settings."""
    columns = ("games", "ended", "actions", "median 95 %")
    rows = (
        (
            label_of(result.settings),
            result.games,
            result.ended,
            spread_text(result.actions),
            f"{result.median[0]} to {result.median[1]}",
        )
        for result in results
    )
    return table_lines("settings", columns, rows, everything=everything)


def table_lines(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], *, everything: bool
) -> list[str]:
    """Write a table after an empty line: its first rows, or everything. Returns nothing without rows."""
    cells = [[str(cell) for cell in row] for row in rows]
    if not cells:
        return []
    printed = cells if everything else cells[:MOST_ROWS]
    head = [title, *columns]
    widths = [max(map(len, column)) for column in zip(head, *printed, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, *printed)
    ]
    remaining = len(cells) - len(printed)
    return ["", *lines, *([f"… and {remaining} more (--all)"] if remaining else [])]

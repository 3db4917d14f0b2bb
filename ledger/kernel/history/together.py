"""What an action made due at once, as the journal tells it: entries of the system that belong to the action."""

from __future__ import annotations

from collections.abc import Callable

from ledger.kernel.journal import Entry


def made_at_once(number: int, entry: Callable[[int], Entry | None]) -> tuple[int, ...]:
    """The numbers of the entries that action `number` made due at once (`Rulebook.due`).

    They come right after it, by the system, at the same time. What the system did right before another request,
    at the time of that request, belongs to that one. `entry` gives the entry of a number, or None.
    """
    first = entry(number)
    found: list[int] = []
    following = None if first is None else entry(number + 1)
    while first is not None and following is not None and following.recorded_at == first.recorded_at:
        if following.by != "system":
            return ()
        found.append(following.number)
        following = entry(following.number + 1)
    return tuple(found)

"""The sum of effects that apply at once, on Necro cards marked simultaneous (vr:necro.9)."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.map import gaining
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import Cap, Effect, Gain, Lose, Thing
from ledger.rulebooks.virtual_revolution.table.state import Draft


def sum_up(draft: Draft, wanted: Iterable[Effect], doing: Doing) -> None:
    """Carry out gains and losses as one amount for each thing, then the lowest caps; anything else in order."""
    sums: dict[Thing, int] = {}
    caps: dict[Thing, int] = {}
    others: list[Effect] = []
    for effect in wanted:
        match effect:
            case Gain(what=what, amount=amount):
                sums[what] = sums.get(what, 0) + amount
            case Lose(what=what, amount=amount):
                sums[what] = sums.get(what, 0) - amount
            case Cap(what=what, amount=amount):
                caps[what] = min(caps.get(what, amount), amount)
            case _:
                others.append(effect)
    for what, amount in sums.items():
        if amount > 0:
            gaining.gain(draft, doing.seat, what, amount, rule=doing.rule, source=doing.source)
        elif amount < 0:
            gaining.lose(draft, doing.seat, what, -amount, rule=doing.rule)
    for what, most in caps.items():
        over = draft.state.holdings.of(player(doing.seat), what) - most
        if over > 0:
            gaining.lose(draft, doing.seat, what, over, rule=doing.rule)
    effects.carry_out(draft, others, doing)

"""The sum of simultaneous effects, on Necro cards marked simultaneous (vr:necro.9)."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.map import gaining
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import Cap, Effect, Gain, Lose, Thing
from ledger.rulebooks.virtual_revolution.table.state import Draft


def sum_up(draft: Draft, due_effects: Iterable[Effect], doing: Doing) -> None:
    """Carry out gains and losses as one amount for each thing, then the remaining losses down to the lowest
    caps, then the rest in order.
    """
    sums: dict[Thing, int] = {}
    caps: dict[Thing, int] = {}
    others: list[Effect] = []
    for effect in due_effects:
        match effect:
            case Gain(what=thing, amount=amount):
                sums[thing] = sums.get(thing, 0) + amount
            case Lose(what=thing, amount=amount):
                sums[thing] = sums.get(thing, 0) - amount
            case Cap(what=thing, amount=amount):
                caps[thing] = min(caps.get(thing, amount), amount)
            case _:
                others.append(effect)
    for thing, amount in sums.items():
        if amount > 0:
            gaining.gain(draft, doing.seat, thing, amount, rule=doing.rule, source=doing.source)
        elif amount < 0:
            gaining.lose(draft, doing.seat, thing, -amount, rule=doing.rule)
    for thing, cap in caps.items():
        over = draft.state.holdings.of(player(doing.seat), thing) - cap
        if over > 0:
            gaining.lose(draft, doing.seat, thing, over, rule=doing.rule)
    effects.carry_out(draft, others, doing)

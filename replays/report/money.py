"""The report's flows: circles of ribbons, tables of payments, their purposes, and goods handed over."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.moving.exporting import ISSUERS
from replays.report import charts
from replays.report.setting import Setting
from replays.report.shapes import Arcs, Flows, Person, Ribbons, Table
from replays.report.words import capital
from replays.statistics.shapes import Flow

_PURPOSES = 12
"""How many purposes are shown. The smallest of more purposes are joined."""


def flows(setting: Setting, *, with_bank: bool) -> Flows | None:
    """The money between the parties, with or without the bank and the box; None without payments."""
    left_out = () if with_bank else ISSUERS
    money = [one for one in setting.found.flows.money if not {one.source, one.target} & set(left_out)]
    if not money:
        return None
    met = {party for one in money for party in (one.source, one.target)}
    seats = setting.export.state.seats
    parties = [one.id for one in setting.found.flows.parties if one.id in met or one.id in seats]
    arcs, ribbons = _circle(setting, money, parties)
    return Flows(arcs, ribbons, setting.by_purpose(money, _PURPOSES), _payments(setting, money, parties))


def _circle(setting: Setting, money: Sequence[Flow], parties: Sequence[str]) -> tuple[Arcs, Ribbons]:
    """The parties on a circle, and ribbons for the money between them."""
    index = {party: place for place, party in enumerate(parties)}
    amounts: dict[tuple[int, int], int] = {}
    for flow in money:
        pair = index[flow.source], index[flow.target]
        amounts[pair] = amounts.get(pair, 0) + flow.amount
    arcs, ribbons = charts.circle({pair: max(0, amount) for pair, amount in amounts.items()}, len(parties))
    rows = []
    for ribbon in ribbons:
        source, target = parties[ribbon.source], parties[ribbon.target]
        amount = setting.say.money(amounts[ribbon.source, ribbon.target])
        rows.append((ribbon, setting.people[source], f"{setting.name(source)} → {setting.name(target)}: {amount}"))
    return tuple((arc, setting.people[parties[arc.party]]) for arc in arcs), tuple(rows)


def _payments(setting: Setting, money: Sequence[Flow], parties: Sequence[str]) -> Table:
    """The table of payments from party to party."""
    say = setting.say
    sums: dict[tuple[str, str], int] = {}
    for flow in money:
        sums[flow.source, flow.target] = sums.get((flow.source, flow.target), 0) + flow.amount
    paid = {party: sum(amount for pair, amount in sums.items() if pair[0] == party) for party in parties}
    received = {party: sum(amount for pair, amount in sums.items() if pair[1] == party) for party in parties}

    def number(amount: int) -> str:
        return say.number(amount) if amount else "·"

    return Table(
        columns=tuple(setting.people[party] for party in parties),
        rows=tuple(
            (setting.people[one], (*(number(sums.get((one, to), 0)) for to in parties), number(paid[one])))
            for one in parties
        ),
        foot=(
            (say("total_received"), (*(number(received[one]) for one in parties), "")),
            # In a view the changes are unknown, because some payments are hidden.
            *(
                ((say("change"), (*(number(received[one] - paid[one]) for one in parties), "")),)
                * setting.found.whole
            ),
        ),
    )


def handed(setting: Setting) -> tuple[tuple[Person, Person, str], ...]:
    """The goods from player to player: the source, the target, and the goods."""
    things: dict[tuple[str, str], list[str]] = {}
    for one in setting.found.flows.goods:
        texts = things.setdefault((one.source, one.target), [])
        texts.append(setting.counted(one.name if texts else capital(one.name), one.quantity))
    return tuple(
        (setting.people[source], setting.people[target], ", ".join(texts))
        for (source, target), texts in things.items()
    )

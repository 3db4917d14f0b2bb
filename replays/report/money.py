"""The report's flows: circles of ribbons, tables of payments with their purposes, transferred goods, and debts."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.moving.exporting import ISSUERS
from replays.report import charts
from replays.report.setting import Setting
from replays.report.shapes import Arcs, Flows, Owed, Person, Ribbons, Table
from replays.report.words import capital
from replays.statistics.shapes import Flow

_PURPOSES = 12
"""The number of purposes shown. Beyond, the smallest are joined."""


def flows(setting: Setting, *, with_bank: bool) -> Flows | None:
    """Show the money between the parties, with or without the bank and the box; None without payments."""
    left_out = () if with_bank else ISSUERS
    money = [item for item in setting.statistics.flows.money if not {item.source, item.target} & set(left_out)]
    if not money:
        return None
    met = {party for item in money for party in (item.source, item.target)}
    seats = setting.export.state.seats
    parties = [item.id for item in setting.statistics.flows.parties if item.id in met or item.id in seats]
    arcs, ribbons = _circle(setting, money, parties)
    return Flows(arcs, ribbons, setting.by_purpose(money, _PURPOSES), _payments(setting, money, parties))


def _circle(setting: Setting, money: Sequence[Flow], parties: Sequence[str]) -> tuple[Arcs, Ribbons]:
    """Draw the parties on a circle, and ribbons for the money between them."""
    index = {party: number for number, party in enumerate(parties)}
    amounts: dict[tuple[int, int], int] = {}
    for flow in money:
        pair = index[flow.source], index[flow.target]
        amounts[pair] = amounts.get(pair, 0) + flow.amount
    arcs, ribbons = charts.circle({pair: max(0, amount) for pair, amount in amounts.items()}, len(parties))
    rows = []
    for ribbon in ribbons:
        source, target = parties[ribbon.source], parties[ribbon.target]
        amount = setting.say.money(amounts[ribbon.source, ribbon.target])
        ends = {"source": setting.name(source), "target": setting.name(target)}
        rows.append((ribbon, setting.people[source], setting.say("ribbon", **ends, amount=amount)))
    return tuple((arc, setting.people[parties[arc.party]]) for arc in arcs), tuple(rows)


def _payments(setting: Setting, money: Sequence[Flow], parties: Sequence[str]) -> Table:
    """Build the table of payments from party to party."""
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
            (
                setting.people[member],
                (*(number(sums.get((member, to), 0)) for to in parties), number(paid[member])),
            )
            for member in parties
        ),
        foot=(
            (say("total_received"), (*(number(received[member]) for member in parties), "")),
            # In a view the changes are unknown, because some payments are hidden.
            *(
                ((say("change"), (*(number(received[member] - paid[member]) for member in parties), "")),)
                * setting.statistics.whole
            ),
        ),
    )


def handed(setting: Setting) -> tuple[tuple[Person, Person, str], ...]:
    """List the goods from player to player: the source, the target, and the goods."""
    things: dict[tuple[str, str], list[str]] = {}
    for goods in setting.statistics.flows.goods:
        texts = things.setdefault((goods.source, goods.target), [])
        texts.append(setting.counted(goods.name if texts else capital(goods.name), goods.quantity))
    return tuple(
        (setting.people[source], setting.people[target], ", ".join(texts))
        for (source, target), texts in things.items()
    )


def obligations(setting: Setting) -> tuple[Owed, ...]:
    """List the visible obligations at the end of the report, in the order of the rulebook."""
    say = setting.say
    return tuple(
        Owed(
            status=say(f"owed_{owed.status}"),
            text=say.sentence(owed.text),
            follows=say.sentence(owed.follows),
            rule=say("by_rules", rules=f"{owed.rule} ({owed.rule_title})" if owed.rule_title else owed.rule),
        )
        for owed in setting.export.obligations()
    )

"""The report's charts of wealth: standings, curves, the Gini coefficient, and turning points."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from replays.report import charts
from replays.report.setting import Setting, percent, place_of
from replays.report.shapes import Chart, Rank, Turn
from replays.statistics.shapes import SeatCurve, TurningPoint

_TURNS = 8
"""The number of turning points shown."""
_SENTENCES = 4
"""The number of sentences of an action shown."""
_FLAG_ROWS = 4


def ranks(setting: Setting) -> tuple[Rank, ...]:
    """List the final standings, the winners first."""
    statistics, say = setting.statistics, setting.say
    last = {
        curve.seat: {part: values[-1] for part, values in curve.parts.items()} for curve in statistics.wealth.seats
    }
    owned = {seat: sum(max(0, value) for value in parts.values()) for seat, parts in last.items()}
    owed = {seat: -sum(min(0, value) for value in parts.values()) for seat, parts in last.items()}
    most_owed = max(owed.values(), default=0)
    span = max(1, most_owed + max(owned.values(), default=0))
    names = {part.id: part.name for part in statistics.wealth.parts}
    rows = []
    order = sorted(statistics.seats, key=lambda standing: (not standing.won, -(standing.worth or 0)))
    for position, seat in enumerate(order, start=1):
        segments = [(setting.parts[part], value) for part, value in last[seat.seat].items() if value > 0]
        debts = [(0, owed[seat.seat])] if owed[seat.seat] else []
        rows.append(
            Rank(
                place=position,
                person=setting.people[seat.seat],
                won=seat.won,
                out=seat.out,
                said=say("worth_unknown") if seat.worth is None else say("worth", money=say.worth(seat.worth)),
                offset=percent(most_owed - owed[seat.seat], span),
                segments=tuple((colour, percent(value, span)) for colour, value in (*debts, *segments)),
                figures=tuple(
                    (setting.parts[part], names[part], say.worth(value))
                    for part, value in last[seat.seat].items()
                    if value
                ),
            )
        )
    return tuple(rows)


def wealth(setting: Setting, turns: Sequence[Turn]) -> Chart | None:
    """Draw the curves of the seats' wealth, or of its public part; None with nothing to show."""
    say = setting.say
    curves: list[tuple[SeatCurve, Sequence[int], bool]] = []
    for curve in setting.wealth.seats:
        if curve.total is not None:
            curves.append((curve, curve.total, False))
        elif curve.parts:
            curves.append((curve, [sum(values) for values in zip(*curve.parts.values(), strict=True)], True))
    moments = setting.wealth.moments
    if not curves or len(moments) < 2:
        return None
    scale = charts.Scale([value for _, values, _ in curves for value in values])
    across = charts.xs(len(moments))
    ends = charts.apart([scale.percent(values[-1]) for _, values, _ in curves], 7)
    lines = []
    for (curve, values, public), end in zip(curves, ends, strict=True):
        person = setting.people[curve.seat]
        mark = charts.Mark(end, person.short)
        lines.append(charts.Line(person.colour, charts.stairs(across, values, scale), mark, public))
    ended = ", ".join(f"{setting.name(curve.seat)} {say.worth(values[-1])}" for curve, values, _ in curves)
    return Chart(
        summary=say("wealth_chart", first=moments[0], last=moments[-1], ends=ended),
        across=setting.across(),
        upright=scale.axis(say.number),
        lines=tuple(lines),
        flags=_flags(setting, turns),
    )


def _flags(setting: Setting, turns: Sequence[Turn]) -> tuple[charts.Flag, ...]:
    """Place the marks of the turning points above their moments."""
    moments = setting.wealth.moments
    positions = []
    for turn in turns:
        position = bisect_left(moments, turn.point.moment)
        positions.append(round(100 * position / max(1, len(moments) - 1), 1))
    narrow, wide = (charts.rows(positions, least, _FLAG_ROWS) for least in (10.5, 4.3))
    return tuple(
        charts.Flag(position, str(turn.number), row, wide_row)
        for position, turn, row, wide_row in zip(positions, turns, narrow, wide, strict=True)
    )


def scrubber(setting: Setting) -> Mapping[str, Any]:
    """Return the data with which the page's script describes a moment."""
    curves = [curve for curve in setting.wealth.seats if curve.total is not None]
    return {
        "moments": setting.wealth.moments,
        "seats": [curve.seat for curve in curves],
        "names": [setting.name(curve.seat) for curve in curves],
        "totals": [curve.total for curve in curves],
        "rounds": setting.wealth.rounds if setting.in_rounds else [],
        "action": setting.say("action", number="{number}"),
        "round": setting.say("round_action", round="{round}", number="{number}"),
    }


def share(setting: Setting, ten_thousandths: int | None) -> str:
    """Write a Gini coefficient in words; empty without a coefficient."""
    return "" if ten_thousandths is None else setting.say.decimal(ten_thousandths / 10_000, 2)


def gini(setting: Setting) -> Chart | None:
    """Draw the curve of the Gini coefficient; None if hidden from the viewer."""
    curves = setting.wealth
    values = [value or 0 for value in curves.gini]
    if not any(values) or len(values) < 2:
        return None
    scale = charts.Scale([*values, 10_000], lines=2)
    return Chart(
        summary=setting.say(
            "gini_chart",
            first=curves.moments[0],
            last=curves.moments[-1],
            least=share(setting, min(values)),
            most=share(setting, max(values)),
        ),
        across=setting.across(),
        upright=scale.axis(lambda value: share(setting, value)),
        areas=tuple(charts.stacked({"gini": values}, scale, {"gini": 1})),
    )


def composition(setting: Setting, seat: str) -> Chart | None:
    """Draw the visible wealth of a seat over time by part; None with nothing to show."""
    curves, say = setting.wealth, setting.say
    curve = next(candidate for candidate in curves.seats if candidate.seat == seat)
    if not curve.parts or len(curves.moments) < 2:
        return None
    moments = list(zip(*curve.parts.values(), strict=True))
    heights = [sum(max(0, value) for value in values) for values in moments]
    depths = [sum(min(0, value) for value in values) for values in moments]
    scale = charts.Scale([*heights, *depths], lines=4)
    names = {part.id: part.name for part in curves.parts}
    ends = ", ".join(f"{names[part]} {say.worth(values[-1])}" for part, values in curve.parts.items())
    return Chart(
        summary=say("over_time_chart", name=setting.name(seat), ends=ends),
        across=setting.across(),
        upright=scale.axis(say.number),
        areas=tuple(charts.stacked(curve.parts, scale, setting.parts)),
    )


def parts_of(setting: Setting, seat: str) -> tuple[tuple[int, str], ...]:
    """Return the colors and names of the parts that ever occur in a seat's visible wealth."""
    curve = next(candidate for candidate in setting.wealth.seats if candidate.seat == seat)
    parts = (part for part in setting.wealth.parts if any(curve.parts.get(part.id, ())))
    return tuple((setting.parts[part.id], part.name) for part in parts)


# ----------------------------------------------------------------------------------------------
# Turning points
# ----------------------------------------------------------------------------------------------


def turning(setting: Setting) -> tuple[Turn, ...]:
    """Return the largest turning points, in the order of the game."""
    chosen = sorted(
        setting.statistics.turning_points[:_TURNS],
        key=lambda candidate: (candidate.moment, len(place_of(candidate.action)), place_of(candidate.action)),
    )
    return tuple(
        Turn(
            number=number,
            point=point,
            sentences=tuple(map(setting.say.sentence, point.sentences[:_SENTENCES])),
            more=len(point.sentences) > _SENTENCES,
            where=setting.moment(point.round, point.action),
            summary=_swing(setting, point),
            grew=point.swing > 0,
            effects=setting.effects(point.effects),
        )
        for number, point in enumerate(chosen, start=1)
    )


def _swing(setting: Setting, point: TurningPoint) -> str:
    say = setting.say
    old, new = setting.name(point.leader_before), setting.name(point.leader_after)
    if old == new:
        word = "swing_more" if point.swing > 0 else "swing_less"
        return say(word, name=old, money=say.worth(abs(point.swing)), lead=say.worth(point.lead_after))
    new_lead = say.worth(-point.lead_after)
    if not point.lead_before:
        return say("swing_taken", old=old, new=new, after=new_lead)
    return say("swing_lost", old=old, new=new, before=say.worth(point.lead_before), after=new_lead)

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
"""How many turning points are shown."""
_SENTENCES = 4
"""How many sentences of an action are shown."""
_FLAG_ROWS = 4


def ranks(setting: Setting) -> tuple[Rank, ...]:
    """The final standings, the winners first."""
    found, say = setting.found, setting.say
    last = {curve.seat: {part: values[-1] for part, values in curve.parts.items()} for curve in found.wealth.seats}
    owned = {seat: sum(max(0, value) for value in parts.values()) for seat, parts in last.items()}
    owed = {seat: -sum(min(0, value) for value in parts.values()) for seat, parts in last.items()}
    most_owed = max(owed.values(), default=0)
    span = max(1, most_owed + max(owned.values(), default=0))
    names = {part.id: part.name for part in found.wealth.parts}
    rows = []
    order = sorted(found.seats, key=lambda one: (not one.won, -(one.worth or 0)))
    for place, seat in enumerate(order, start=1):
        segments = [(setting.parts[part], value) for part, value in last[seat.seat].items() if value > 0]
        debts = [(0, owed[seat.seat])] if owed[seat.seat] else []
        rows.append(
            Rank(
                place=place,
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
    """The curves of the seats' wealth, or of its public part; None while there is nothing to show."""
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
    """The marks of the turning points above their moments."""
    moments = setting.wealth.moments
    places = []
    for turn in turns:
        place = bisect_left(moments, turn.point.moment)
        places.append(round(100 * place / max(1, len(moments) - 1), 1))
    narrow, wide = (charts.rows(places, least, _FLAG_ROWS) for least in (10.5, 4.3))
    return tuple(
        charts.Flag(place, str(turn.number), row, other)
        for place, turn, row, other in zip(places, turns, narrow, wide, strict=True)
    )


def scrubber(setting: Setting) -> Mapping[str, Any]:
    """The data with which the page's script describes a moment."""
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
    """A Gini coefficient in words; empty without one."""
    return "" if ten_thousandths is None else setting.say.decimal(ten_thousandths / 10_000, 2)


def gini(setting: Setting) -> Chart | None:
    """The curve of the Gini coefficient; None when the viewer may not know it."""
    found = setting.wealth
    values = [value or 0 for value in found.gini]
    if not any(values) or len(values) < 2:
        return None
    scale = charts.Scale([*values, 10_000], lines=2)
    return Chart(
        summary=setting.say(
            "gini_chart",
            first=found.moments[0],
            last=found.moments[-1],
            least=share(setting, min(values)),
            most=share(setting, max(values)),
        ),
        across=setting.across(),
        upright=scale.axis(lambda value: share(setting, value)),
        areas=tuple(charts.stacked({"gini": values}, scale, {"gini": 1})),
    )


def composition(setting: Setting, seat: str) -> Chart | None:
    """The visible wealth of a seat over time by part; None when there is nothing to show."""
    found, say = setting.wealth, setting.say
    curve = next(one for one in found.seats if one.seat == seat)
    if not curve.parts or len(found.moments) < 2:
        return None
    moments = list(zip(*curve.parts.values(), strict=True))
    heights = [sum(max(0, value) for value in values) for values in moments]
    depths = [sum(min(0, value) for value in values) for values in moments]
    scale = charts.Scale([*heights, *depths], lines=4)
    names = {part.id: part.name for part in found.parts}
    ends = ", ".join(f"{names[part]} {say.worth(values[-1])}" for part, values in curve.parts.items())
    return Chart(
        summary=say("over_time_chart", name=setting.name(seat), ends=ends),
        across=setting.across(),
        upright=scale.axis(say.number),
        areas=tuple(charts.stacked(curve.parts, scale, setting.parts)),
    )


def parts_of(setting: Setting, seat: str) -> tuple[tuple[int, str], ...]:
    """The colours and names of the parts of a seat's visible wealth that were ever there."""
    curve = next(one for one in setting.wealth.seats if one.seat == seat)
    parts = (part for part in setting.wealth.parts if any(curve.parts.get(part.id, ())))
    return tuple((setting.parts[part.id], part.name) for part in parts)


# ----------------------------------------------------------------------------------------------
# Turning points
# ----------------------------------------------------------------------------------------------


def turning(setting: Setting) -> tuple[Turn, ...]:
    """The largest turning points, in the order of the game."""
    chosen = sorted(
        setting.found.turning_points[:_TURNS],
        key=lambda one: (one.moment, len(place_of(one.action)), place_of(one.action)),
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
    after = say.worth(-point.lead_after)
    if not point.lead_before:
        return say("swing_taken", old=old, new=new, after=after)
    return say("swing_lost", old=old, new=new, before=say.worth(point.lead_before), after=after)

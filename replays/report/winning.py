"""How the game was won: by how much, since when, and with which income."""

from __future__ import annotations

from collections import Counter

from replays.report.setting import Setting
from replays.report.words import capital
from replays.statistics.shapes import SeatStanding

_MOST = 3
"""How many sources of income are shown."""


def headline(setting: Setting) -> str:
    """The headline: who won, or who leads a running game, if the viewer may know it."""
    found, say = setting.found, setting.say
    names = [setting.name(seat) for seat in found.winners]
    if names:
        return say("wins", name=names[0]) if len(names) == 1 else say("share", names=say.list(names))
    if found.ended:
        return say("nobody")
    leader = _leader(setting)
    return say("running") if leader is None else say("running_lead", name=setting.name(leader.seat))


def how(setting: Setting) -> tuple[str, ...]:
    """How the winner or the leader is ahead. Empty for several winners, and when the viewer may not know."""
    found = setting.found
    if not found.whole:
        return ()
    first = _leader(setting) if not found.ended else None
    if len(found.winners) == 1:
        first = next(one for one in found.seats if one.seat == found.winners[0])
    if first is None or len(found.seats) < 2:
        return ()
    margin, since = _margin(setting, first), _since(setting, first.seat)
    if not since:
        return (margin,)
    sentences = (margin, since, _sources(setting, first.seat))
    return tuple(sentence for sentence in sentences if sentence)


def _leader(setting: Setting) -> SeatStanding | None:
    """The only seat that is worth most; None without one, or when the viewer may not know."""
    order = sorted(setting.found.seats, key=lambda one: one.worth or 0, reverse=True)
    if any(one.worth is None for one in order) or len(order) < 2 or order[0].worth == order[1].worth:
        return None
    return order[0]


def _margin(setting: Setting, first: SeatStanding) -> str:
    """The wealth of the first seat compared with the best of the others."""
    say = setting.say
    other = max((one for one in setting.found.seats if one != first), key=lambda one: one.worth or 0)
    ahead = (first.worth or 0) - (other.worth or 0)
    word = "margin_even" if not ahead else "margin" if ahead > 0 else "margin_less"
    return say(
        word,
        name=setting.name(first.seat),
        worth=say.worth(first.worth or 0),
        ahead=say.worth(abs(ahead)),
        other=setting.name(other.seat),
    )


def _since(setting: Setting, seat: str) -> str:
    """Since when the first seat has been worth most without a break; empty when it is not."""
    wealth, say = setting.wealth, setting.say
    totals = {curve.seat: curve.total or () for curve in wealth.seats}
    since = len(wealth.moments)
    while since and all(
        totals[seat][since - 1] > values[since - 1] for other, values in totals.items() if other != seat
    ):
        since -= 1
    if since == len(wealth.moments):
        return ""
    # A long game's curve does not have every moment: in between, another seat may have been ahead.
    exact = len(wealth.moments) == wealth.moments[-1] - wealth.moments[0] + 1
    if exact and not since:
        return say("ahead_always")
    return say("ahead_since" if exact else "ahead_about", action=say("action", number=wealth.moments[since]))


def _sources(setting: Setting, seat: str) -> str:
    """The purposes with which the first seat made more money than the average of the table."""
    found, say = setting.found, setting.say
    made: Counter[tuple[str, str]] = Counter()
    for flow in found.flows.money:
        made[flow.target, flow.purpose] += flow.amount
        made[flow.source, flow.purpose] -= flow.amount
    seats = [one.seat for one in found.seats]
    ahead = {
        purpose: made[seat, purpose.id] - round(sum(made[one, purpose.id] for one in seats) / len(seats))
        for purpose in found.flows.purposes
        if made[seat, purpose.id] > 0
    }
    order = sorted(((more, purpose.name) for purpose, more in ahead.items() if more > 0), reverse=True)[:_MOST]
    if not order:
        return ""
    return capital(say("sources", list=say.list(f"{name} ({say.money(more)})" for more, name in order)))

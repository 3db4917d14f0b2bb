"""The story of the victory: the margin, the beginning of the lead, and the income behind it."""

from __future__ import annotations

from collections import Counter

from ledger.kernel.language.sentences import elided
from replays.report.setting import Setting
from replays.report.words import capital
from replays.statistics.shapes import SeatStanding

_MOST = 3
"""The number of sources of income shown."""


def headline(setting: Setting) -> str:
    """Write the headline: the winner, or the visible leader of a running game."""
    statistics, say = setting.statistics, setting.say
    names = [setting.name(seat) for seat in statistics.winners]
    if names:
        return say("wins", name=names[0]) if len(names) == 1 else say("share", names=say.list(names))
    if statistics.ended:
        return say("nobody")
    leader = _leader(setting)
    return say("running") if leader is None else say("running_lead", name=setting.name(leader.seat))


def how(setting: Setting) -> tuple[str, ...]:
    """Describe the lead of the winner or leader. Empty for several winners, or if hidden from the viewer."""
    statistics = setting.statistics
    if not statistics.whole:
        return ()
    first = _leader(setting) if not statistics.ended else None
    if len(statistics.winners) == 1:
        first = next(standing for standing in statistics.seats if standing.seat == statistics.winners[0])
    if first is None or len(statistics.seats) < 2:
        return ()
    margin, since = _margin(setting, first), _since(setting, first.seat)
    if not since:
        return (margin,)
    sentences = (margin, since, _sources(setting, first.seat))
    return tuple(sentence for sentence in sentences if sentence)


def _leader(setting: Setting) -> SeatStanding | None:
    """Return the only richest seat; None without one, or if hidden from the viewer."""
    order = sorted(setting.statistics.seats, key=lambda standing: standing.worth or 0, reverse=True)
    if any(standing.worth is None for standing in order) or len(order) < 2 or order[0].worth == order[1].worth:
        return None
    return order[0]


def _margin(setting: Setting, first: SeatStanding) -> str:
    """Compare the wealth of the first seat with the best rival."""
    say = setting.say
    rival = max(
        (standing for standing in setting.statistics.seats if standing != first),
        key=lambda standing: standing.worth or 0,
    )
    ahead = (first.worth or 0) - (rival.worth or 0)
    rivals_name = setting.name(rival.seat)
    word = "margin_even" if not ahead else "margin" if ahead > 0 else "margin_less"
    return say(
        word,
        name=setting.name(first.seat),
        worth=say.worth(first.worth or 0),
        ahead=say.worth(abs(ahead)),
        other=elided("que", rivals_name) if say.language == "fr" else rivals_name,
    )


def _since(setting: Setting, seat: str) -> str:
    """Describe the beginning of the first seat's unbroken lead; empty if the seat does not lead."""
    wealth, say = setting.wealth, setting.say
    totals = {curve.seat: curve.total or () for curve in wealth.seats}
    since = len(wealth.moments)
    while since and all(
        totals[seat][since - 1] > values[since - 1] for rival, values in totals.items() if rival != seat
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
    """Describe the purposes with which the first seat made more money than the average of the table."""
    statistics, say = setting.statistics, setting.say
    gains: Counter[tuple[str, str]] = Counter()
    for flow in statistics.flows.money:
        gains[flow.target, flow.purpose] += flow.amount
        gains[flow.source, flow.purpose] -= flow.amount
    seats = [member.seat for member in statistics.seats]
    ahead = {
        purpose: gains[seat, purpose.id] - round(sum(gains[member, purpose.id] for member in seats) / len(seats))
        for purpose in statistics.flows.purposes
        if gains[seat, purpose.id] > 0
    }
    order = sorted(((surplus, purpose.name) for purpose, surplus in ahead.items() if surplus > 0), reverse=True)[
        :_MOST
    ]
    if not order:
        return ""
    return capital(say("sources", list=say.list(f"{name} ({say.money(surplus)})" for surplus, name in order)))

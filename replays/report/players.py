"""The sections of the report about each player."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.kernel.journal.sight import visible_holdings
from replays.report.fortunes import composition, parts_of
from replays.report.setting import Setting, percent
from replays.report.shapes import Bar, Luck, Player
from replays.report.words import capital
from replays.statistics.shapes import ItemCount, SeatCount, SeatStanding, SeatThrows

_WORTH_DRAWING = 6
"""The smallest number of dice for a chart. Fewer dice are only described in words."""
_LONG = 6
"""The number of rows shown of a list. Beyond, the smallest are joined or left out."""


def player(setting: Setting, standing: SeatStanding) -> Player:
    """Build the section of a player, limited to the viewer's view."""
    seat, say = standing.seat, setting.say
    received = [flow for flow in setting.statistics.flows.money if flow.target == seat]
    paid = [flow for flow in setting.statistics.flows.money if flow.source == seat]
    return Player(
        person=setting.people[seat],
        standing=standing,
        worth="" if standing.worth is None else say.worth(standing.worth),
        chart=composition(setting, seat),
        parts=parts_of(setting, seat),
        received=setting.by_party((flow.source, flow.amount) for flow in received),
        paid=setting.by_party((flow.target, flow.amount) for flow in paid),
        income=setting.by_purpose(received, _LONG),
        spending=setting.by_purpose(paid, _LONG),
        deeds=tuple(
            (capital(say.set(tally.name)), _done(setting, count), _items(setting, count.items))
            for tally in setting.statistics.counts
            for count in tally.seats
            if count.seat == seat
        ),
        dice=tuple(
            _luck(setting, tally.name, thrown)
            for tally in setting.statistics.dice
            for thrown in tally.seats
            if thrown.seat == seat and thrown.dice
        ),
        time=_time(setting, seat),
        holds=_holds(setting, seat),
    )


def _done(setting: Setting, count: SeatCount) -> str:
    text = setting.say.number(count.quantity)
    return f"{text} · {setting.say.money(count.money)}" if count.money else text


def _items(setting: Setting, items: Sequence[ItemCount]) -> str:
    texts = [setting.counted(item.name, item.quantity) for item in items[:_LONG]]
    return ", ".join(texts) + (" …" if len(items) > _LONG else "")


def _luck(setting: Setting, name: str, thrown: SeatThrows) -> Luck:
    """Compare a player's dice with fair dice: a level for each face, and the sum."""
    say = setting.say
    difference = thrown.total - thrown.expected
    word = "dice_even" if not difference else "dice_luckier" if difference > 0 else "dice_unluckier"
    places = 0 if difference == int(difference) else 1
    fair = thrown.dice / len(thrown.faces)
    highest = max(*thrown.faces, fair)
    return Luck(
        name=capital(name),
        summary=say(
            "dice_lead",
            dice=say.number(thrown.dice),
            dice_words=say("die_word" if thrown.dice == 1 else "dice_word"),
            total=say.number(thrown.total),
            expected=say.decimal(thrown.expected, places),
        ),
        verdict=say(word, difference=say.decimal(abs(difference), places)),
        faces=tuple(
            Bar(str(face), say("dice_face", face=face, times=times), percent(times, highest))
            for face, times in enumerate(thrown.faces, start=1)
        )
        if thrown.dice >= _WORTH_DRAWING
        else (),
        level=percent(fair, highest),
    )


def _time(setting: Setting, seat: str) -> tuple[str, ...]:
    say = setting.say
    timing = next(entry for entry in setting.statistics.time if entry.seat == seat)
    texts = []
    if timing.seconds:
        texts.append(
            say(
                "turns" if timing.turns > 1 else "one_turn",
                turns=say.number(timing.turns),
                average=say.duration(timing.seconds // timing.turns),
                longest=say.duration(timing.longest),
                action=say("action", number=timing.longest_from),
            )
        )
    if timing.waited:
        texts.append(say("waited", waited=say.duration(timing.waited), name=setting.name(seat)))
    return tuple(texts)


def _holds(setting: Setting, seat: str) -> tuple[str, ...]:
    """List the visible holdings of a seat's accounts, with money first."""
    export, say = setting.export, setting.say
    amounts: dict[str, int] = {}
    for account in export.rulebook.accounts.accounts_of(seat):
        for commodity, amount in visible_holdings(
            export.rulebook.secrets, export.state, account, export.viewer
        ).items():
            amounts[commodity] = amounts.get(commodity, 0) + amount
    money = amounts.pop(export.rulebook.accounts.currency, None)
    texts = [] if money is None else [say.money(money)]
    for commodity, amount in amounts.items():
        texts.append(setting.counted(setting.names.commodity(commodity), amount))
    return tuple(texts)

"""The sections of the report about each player."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.kernel.journal.sight import seen_account
from replays.report.fortunes import composition, parts_of
from replays.report.setting import Setting, percent
from replays.report.shapes import Bar, Luck, Player
from replays.report.words import capital
from replays.statistics.shapes import ItemCount, SeatCount, SeatStanding, SeatThrows

_WORTH_DRAWING = 6
"""The smallest number of dice for a chart. Fewer dice are only described in words."""
_LONG = 6
"""How many rows of a list are shown. The smallest of more rows are joined or left out."""


def player(setting: Setting, standing: SeatStanding) -> Player:
    """The section of one player, with what the viewer may see."""
    seat, say = standing.seat, setting.say
    received = [flow for flow in setting.found.flows.money if flow.target == seat]
    paid = [flow for flow in setting.found.flows.money if flow.source == seat]
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
            (capital(say.set(tally.name)), _done(setting, one), _items(setting, one.items))
            for tally in setting.found.counts
            for one in tally.seats
            if one.seat == seat
        ),
        dice=tuple(
            _luck(setting, tally.name, thrown)
            for tally in setting.found.dice
            for thrown in tally.seats
            if thrown.seat == seat and thrown.dice
        ),
        time=_time(setting, seat),
        holds=_holds(setting, seat),
    )


def _done(setting: Setting, count: SeatCount) -> str:
    said = setting.say.number(count.quantity)
    return f"{said} · {setting.say.money(count.money)}" if count.money else said


def _items(setting: Setting, items: Sequence[ItemCount]) -> str:
    shown = [setting.counted(item.name, item.quantity) for item in items[:_LONG]]
    return ", ".join(shown) + (" …" if len(items) > _LONG else "")


def _luck(setting: Setting, name: str, thrown: SeatThrows) -> Luck:
    """A player's dice compared with fair dice: a level for each face, and the sum."""
    say = setting.say
    difference = thrown.total - thrown.expected
    word = "dice_even" if not difference else "dice_luckier" if difference > 0 else "dice_unluckier"
    places = 0 if difference == int(difference) else 1
    fair = thrown.dice / len(thrown.faces)
    most = max(*thrown.faces, fair)
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
            Bar(str(face), say("dice_face", face=face, times=times), percent(times, most))
            for face, times in enumerate(thrown.faces, start=1)
        )
        if thrown.dice >= _WORTH_DRAWING
        else (),
        level=percent(fair, most),
    )


def _time(setting: Setting, seat: str) -> tuple[str, ...]:
    say = setting.say
    found = next(one for one in setting.found.time if one.seat == seat)
    texts = []
    if found.seconds:
        texts.append(
            say(
                "turns" if found.turns > 1 else "one_turn",
                turns=say.number(found.turns),
                average=say.duration(found.seconds // found.turns),
                longest=say.duration(found.longest),
                action=say("action", number=found.longest_from),
            )
        )
    if found.waited:
        texts.append(say("waited", waited=say.duration(found.waited), name=setting.name(seat)))
    return tuple(texts)


def _holds(setting: Setting, seat: str) -> tuple[str, ...]:
    """The visible holdings of a seat's accounts, its money first."""
    export, say = setting.export, setting.say
    held: dict[str, int] = {}
    for account in export.rulebook.accounts_of(seat):
        for commodity, amount in seen_account(export.rulebook, export.state, account, export.viewer).items():
            held[commodity] = held.get(commodity, 0) + amount
    money = held.pop(export.rulebook.currency, None)
    texts = [] if money is None else [say.money(money)]
    for commodity, amount in held.items():
        texts.append(setting.counted(setting.names.commodity(commodity), amount))
    return tuple(texts)

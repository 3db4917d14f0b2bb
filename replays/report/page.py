"""The report's page, composed of parts."""

from __future__ import annotations

from ledger.moving.exporting import Export
from replays.report import charts, deeds, fortunes, money, winning
from replays.report.board import board_of
from replays.report.charted import map_of
from replays.report.players import player
from replays.report.setting import Setting
from replays.report.shapes import Page
from replays.statistics.shapes import Statistics

_WORTH_TELLING = 60
"""Shortest duration of a game played at a table, in seconds. Times of shorter games are left out."""


def page_of(export: Export, statistics: Statistics) -> Page:
    """Compose the page of a game for its viewer, in the viewer's language."""
    setting = Setting(export, statistics)
    say = setting.say
    turns = fortunes.turning(setting)
    between, everywhere = money.flows(setting, with_bank=False), money.flows(setting, with_bank=True)
    return Page(
        say=say,
        language=export.language,
        rulebook=export.rulebook.title,
        headline=winning.headline(setting),
        sentence=" ".join(map(say.sentence, statistics.ending)),
        how=winning.how(setting),
        subtitle=_subtitle(setting),
        view_note=None if statistics.whole else say("a_view", who=_viewer(setting)),
        rosette=charts.rosette(statistics.title),
        roster=tuple(setting.people[seat.seat] for seat in statistics.seats),
        people=setting.people,
        winners=tuple(setting.people[seat] for seat in statistics.winners),
        ranks=fortunes.ranks(setting),
        wealth=fortunes.wealth(setting, turns),
        unit=say("round_unit" if setting.in_rounds else "unit"),
        scrubber=fortunes.scrubber(setting),
        gini=fortunes.gini(setting),
        gini_end=fortunes.share(setting, statistics.wealth.gini[-1]),
        turns=turns,
        flows=between or everywhere,
        flows_with_bank=everywhere if between is not None and between != everywhere else None,
        handed=money.handed(setting),
        board=board_of(export, setting.people),
        charted=map_of(export, setting.people),
        titles=deeds.titles(setting),
        titles_name=deeds.titles_name(setting),
        deeds=deeds.deeds(setting),
        obligations=money.obligations(setting),
        players=tuple(player(setting, seat) for seat in statistics.seats),
        mendings=deeds.mendings(setting),
    )


def _subtitle(setting: Setting) -> str:
    """Write the day, the duration, and the numbers of rounds and actions."""
    statistics, say = setting.statistics, setting.say
    texts = [say.day(statistics.began)]
    if statistics.lasted >= _WORTH_TELLING:
        texts.append(say.duration(statistics.lasted))
    if statistics.rounds is not None:
        texts.append(say("rounds" if statistics.rounds > 1 else "one_round", rounds=say.number(statistics.rounds)))
    texts.append(say("actions", actions=say.number(statistics.actions)))
    return ", ".join(texts)


def _viewer(setting: Setting) -> str:
    viewer = setting.export.viewer
    return setting.say(viewer.role) if viewer.seat is None else setting.name(viewer.seat)

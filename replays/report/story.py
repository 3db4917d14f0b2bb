"""The story of a game in sentences, and the awards at its end: what a page tells beside the figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from ledger.kernel.language.phrase import Phrase
from ledger.moving.exporting import Export
from replays.report import winning
from replays.report.setting import Setting
from replays.statistics.shapes import Award, Statistics

_TITLES: Mapping[str, Phrase] = {
    "lucky": Phrase("The lucky hand", "La main chanceuse"),
    "unlucky": Phrase("The unlucky hand", "La main malchanceuse"),
    "thinker": Phrase("The thinker", "Le penseur"),
    "generous": Phrase("The open purse", "La bourse ouverte"),
    "collector": Phrase("The full till", "La caisse pleine"),
    "investor": Phrase("The good investment", "Le bon placement"),
}
_RULES: Mapping[str, Phrase] = {
    "lucky": Phrase("threw most above fair dice", "a le plus dépassé des dés équilibrés"),
    "unlucky": Phrase("threw most below fair dice", "est resté le plus loin sous des dés équilibrés"),
    "thinker": Phrase("took the longest turn", "a joué le tour le plus long"),
    "generous": Phrase("paid the other players most", "a le plus payé aux autres joueurs"),
    "collector": Phrase("received most from the other players", "a le plus reçu des autres joueurs"),
    "investor": Phrase("drew most income from one place: {estate}", "a tiré le plus d'un seul lieu : {estate}"),
}
_PIPS = Phrase("{pips} pips", "{pips} points")


def with_story(export: Export, statistics: Statistics) -> Statistics:
    """Return the statistics with the story and the awards, in the language of the export."""
    setting = Setting(export, statistics)
    headline = setting.say.sentence(winning.headline(setting))
    return replace(statistics, story=(headline, *winning.how(setting)), awards=tuple(_awards(setting)))


def _awards(setting: Setting) -> Iterator[Award]:
    """Yield the awards of an ended game. Of equal seats the first in the order of the seats gets an award.

    Dice and turns are no secret. Payments may be: their awards need a view of the whole game.
    """
    if not setting.statistics.ended:
        return
    yield from _by_dice(setting)
    longest = max(setting.statistics.time, key=lambda time: time.longest, default=None)
    if longest is not None and longest.longest:
        yield _award(setting, "thinker", longest.seat, setting.say.duration(longest.longest))
    if setting.statistics.whole:
        yield from _by_money(setting)


def _by_dice(setting: Setting) -> Iterator[Award]:
    """Yield the awards for the sums of all dice against fair ones, in whole pips, halves towards zero."""
    above: Counter[str] = Counter()
    for tally in setting.statistics.dice:
        for throws in tally.seats:
            above[throws.seat] += 2 * throws.total - int(2 * throws.expected)
    halves = [(above[standing.seat], standing.seat) for standing in setting.statistics.seats]
    best = max(halves, key=lambda item: item[0])
    worst = min(halves, key=lambda item: item[0])
    pips = _PIPS.in_language(setting.export.language)
    if best[0] >= 2:
        yield _award(setting, "lucky", best[1], pips.format(pips=f"+{setting.say.number(best[0] // 2)}"))
    if worst[0] <= -2:
        yield _award(setting, "unlucky", worst[1], pips.format(pips=setting.say.number(-(-worst[0] // 2))))


def _by_money(setting: Setting) -> Iterator[Award]:
    """Yield the awards for payments between the seats, and for the income of one estate."""
    seats = [standing.seat for standing in setting.statistics.seats]
    paid, received = Counter[str](), Counter[str]()
    for flow in setting.statistics.flows.money:
        if flow.source in seats and flow.target in seats:
            paid[flow.source] += flow.amount
            received[flow.target] += flow.amount
    for award, sums in (("generous", paid), ("collector", received)):
        seat = max(seats, key=lambda candidate: sums[candidate])
        if sums[seat]:
            yield _award(setting, award, seat, setting.say.money(sums[seat]))
    incomes = [
        (holder.income, holder.seat, estate.name)
        for estate in setting.statistics.estates
        for holder in estate.holders
    ]
    income, seat, estate = max(incomes, key=lambda item: item[0], default=(0, "", ""))
    if income:
        yield _award(setting, "investor", seat, setting.say.money(income), estate)


def _award(setting: Setting, award: str, seat: str, figure: str, estate: str = "") -> Award:
    language = setting.export.language
    rule = _RULES[award].in_language(language).format(estate=estate)
    text = setting.say.sentence(f"{setting.name(seat)} {rule}")
    return Award(award, _TITLES[award].in_language(language), seat, text, figure)

"""The report's tables of titles, of counted actions, and of rulings and corrections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.kernel.arbitration.docket import dispute
from ledger.rulebooks.parts.boards import places_of
from ledger.rulebooks.parts.tallies import tallies_of
from replays.report.board import state_text
from replays.report.setting import Setting, percent, place_of
from replays.report.shapes import Deed, RulingOrCorrection, Title
from replays.report.words import capital


def titles_name(setting: Setting) -> str:
    """The game's word for its estates."""
    estates = tallies_of(setting.export.rulebook).estates
    return "" if estates is None else capital(estates.said(setting.export.language))


def titles(setting: Setting) -> tuple[Title, ...]:
    """The table of estates with their returns, in the order of the board."""
    export, say = setting.export, setting.say
    places = {place.asset: place for place in places_of(export.rulebook, export.state)}
    most = max((estate.percent or 0 for estate in setting.found.estates), default=0)
    rows = []
    for estate in setting.found.estates:
        place = places.get(estate.id)
        rows.append(
            Title(
                estate=estate,
                colour=None if place is None else place.colour,
                owner=None if estate.owner is None else setting.people[estate.owner],
                state="" if place is None else state_text(place, tallies_of(export.rulebook), say),
                cost=say.money(estate.cost),
                income=say.money(estate.income),
                rents=say("rents" if estate.rents > 1 else "rent", count=estate.rents) if estate.rents else "",
                percent="" if estate.percent is None else say("percent", percent=say.number(estate.percent)),
                bar=percent(estate.percent or 0, most),
            )
        )
    return tuple(rows)


def deeds(setting: Setting) -> tuple[Deed, ...]:
    """The table of counted actions: how often, for how much money, and by whom most (by money, if any moved)."""
    say = setting.say
    rows = []
    for tally in setting.found.counts:
        money = tally.money or 0
        sizes = {one.seat: one.money or 0 if money else one.quantity for one in tally.seats}
        most = max(sizes.values())
        rows.append(
            Deed(
                name=capital(say.set(tally.name)),
                times=say.number(tally.quantity),
                money=say.money(money) if money else "",
                most=tuple(setting.people[seat] for seat, size in sizes.items() if size == most),
                most_said=say.money(most) if money else say.number(most),
            )
        )
    return tuple(rows)


def mendings(setting: Setting) -> tuple[RulingOrCorrection, ...]:
    """Rulings and corrections in the order of their actions. A ruling comes before the correction it ordered."""
    say = setting.say
    found: list[tuple[tuple[int, ...], RulingOrCorrection]] = []
    for ruling in setting.found.rulings:
        details = [*_claim(setting, ruling.dispute), *_rules(setting, ruling.rules)]
        row = RulingOrCorrection(
            say("ruling"),
            ruling.action,
            say.sentence(ruling.finding),
            tuple(details),
            setting.effects(ruling.effects),
        )
        found.append(((*place_of(ruling.action), 0), row))
    for correction in setting.found.corrections:
        details = [say("ordered")] if correction.ruled else []
        made = [
            say(f"made_{status}" if count > 1 else f"made_{status}_one", count=count)
            for status, count in correction.made.items()
        ]
        details += [say("made", list=", ".join(made))] if made else []
        row = RulingOrCorrection(
            say("correction"),
            correction.action,
            say.sentence(correction.reason),
            tuple(details),
            setting.effects(correction.effects),
        )
        found.append(((*place_of(correction.action), 1), row))
    return tuple(row for _, row in sorted(found, key=lambda one: one[0]))


def _claim(setting: Setting, dispute_id: str | None) -> Iterator[str]:
    """The claim of the dispute, with its opener."""
    export = setting.export
    found = None if dispute_id is None else dispute(export.state, dispute_id, export.viewer)
    if found is not None:
        yield setting.say("on_dispute", dispute=found.id, name=setting.name(found.opener), claim=found.claim)


def _rules(setting: Setting, ids: Sequence[str]) -> Iterator[str]:
    """The rules of a ruling with their titles."""
    export = setting.export
    rules = [export.rulebook.register.get(one, export.language) for one in ids]
    if texts := [f"{rule.id} ({rule.title})" for rule in rules if rule is not None]:
        yield setting.say("by_rules", rules=", ".join(texts))

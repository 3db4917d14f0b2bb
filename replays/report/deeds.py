"""The report's tables of titles, of counted actions, and of rulings and corrections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.kernel.arbitration.docket import dispute
from ledger.rulebooks.parts.boards import places_of
from replays.report.board import state_text
from replays.report.setting import Setting, percent, place_of
from replays.report.shapes import Deed, RulingOrCorrection, Title
from replays.report.words import capital


def titles_name(setting: Setting) -> str:
    """Return the game's word for its estates."""
    estates = setting.export.rulebook.tallies.estates
    return "" if estates is None else capital(estates.in_language(setting.export.language))


def titles(setting: Setting) -> tuple[Title, ...]:
    """Build the table of estates with their returns, in the order of the board."""
    export, say = setting.export, setting.say
    squares = {square.asset: square for square in places_of(export.rulebook, export.state)}
    highest = max((estate.percent or 0 for estate in setting.statistics.estates), default=0)
    rows = []
    for estate in setting.statistics.estates:
        square = squares.get(estate.id)
        rows.append(
            Title(
                estate=estate,
                colour=None if square is None else square.colour,
                owner=None if estate.owner is None else setting.people[estate.owner],
                state="" if square is None else state_text(square, export.rulebook.tallies, say),
                cost=say.money(estate.cost),
                income=say.money(estate.income),
                rents=say("rents" if estate.rents > 1 else "rent", count=estate.rents) if estate.rents else "",
                percent="" if estate.percent is None else say("percent", percent=say.number(estate.percent)),
                bar=percent(estate.percent or 0, highest),
            )
        )
    return tuple(rows)


def deeds(setting: Setting) -> tuple[Deed, ...]:
    """Build the table of counted actions: the number, the money, and the most active seats (by money, if any
    moved).
    """
    say = setting.say
    rows = []
    for tally in setting.statistics.counts:
        money = tally.money or 0
        sizes = {count.seat: count.money or 0 if money else count.quantity for count in tally.seats}
        highest = max(sizes.values())
        rows.append(
            Deed(
                name=capital(say.set(tally.name)),
                times=say.number(tally.quantity),
                money=say.money(money) if money else "",
                most=tuple(setting.people[seat] for seat, size in sizes.items() if size == highest),
                most_said=say.money(highest) if money else say.number(highest),
            )
        )
    return tuple(rows)


def mendings(setting: Setting) -> tuple[RulingOrCorrection, ...]:
    """List rulings and corrections in the order of their actions. A ruling comes before the correction it
    ordered.
    """
    say = setting.say
    rows: list[tuple[tuple[int, ...], RulingOrCorrection]] = []
    for ruling in setting.statistics.rulings:
        details = [*_claim(setting, ruling.dispute), *_rules(setting, ruling.rules)]
        row = RulingOrCorrection(
            say("ruling"),
            ruling.action,
            say.sentence(ruling.finding),
            tuple(details),
            setting.effects(ruling.effects),
        )
        rows.append(((*place_of(ruling.action), 0), row))
    for correction in setting.statistics.corrections:
        details = [say("ordered")] if correction.ruled else []
        changes = [
            say(f"made_{status}" if count > 1 else f"made_{status}_one", count=count)
            for status, count in correction.made.items()
        ]
        details += [say("made", list=", ".join(changes))] if changes else []
        row = RulingOrCorrection(
            say("correction"),
            correction.action,
            say.sentence(correction.reason),
            tuple(details),
            setting.effects(correction.effects),
        )
        rows.append(((*place_of(correction.action), 1), row))
    return tuple(row for _, row in sorted(rows, key=lambda item: item[0]))


def _claim(setting: Setting, dispute_id: str | None) -> Iterator[str]:
    """Yield the claim of the dispute, with its opener."""
    export = setting.export
    result = None if dispute_id is None else dispute(export.state, dispute_id, export.viewer)
    if result is not None:
        yield setting.say("on_dispute", dispute=result.id, name=setting.name(result.opener), claim=result.claim)


def _rules(setting: Setting, ids: Sequence[str]) -> Iterator[str]:
    """Yield the rules of a ruling with their titles."""
    export = setting.export
    rules = [export.rulebook.rule(rule_id, export.language, export.state) for rule_id in ids]
    if texts := [f"{rule.id} ({rule.title})" for rule in rules if rule is not None]:
        yield setting.say("by_rules", rules=", ".join(texts))

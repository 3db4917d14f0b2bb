"""The command `rules`: list the register of a rulebook, or the rules not named by any test."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
import msgspec

from api.command.terminal.code_refusals import refusals_of
from api.command.terminal.failures import Command
from api.command.terminal.options import language_option
from api.command.terminal.tested_rules import named_rules, tests_folder
from ledger import rulebooks
from ledger.kernel.rules.bots import BANKER
from ledger.kernel.rules.register import Register, Rule
from ledger.kernel.rules.rulebook import Rulebook
from replays.simulation import Series, outcomes


@click.command(cls=Command)
@click.argument("rulebook", required=False)
@click.option("--uncovered", is_flag=True, help="Only the rules that no test names with @pytest.mark.rule(…).")
@click.option("--decisions", is_flag=True, help="The README of the RULEBOOK: the decisions of open points.")
@click.option("--refusals", is_flag=True, help="Each rule with its text, and the refusals that cite it.")
@language_option
@click.option(
    "--tests",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    show_default="those of the checkout",
    help="The folder of tests to read for --uncovered.",
)
@click.option(
    "--games",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="With --uncovered, let bots play this many games of the RULEBOOK.",
)
def rules(
    rulebook: str | None,
    uncovered: bool,
    decisions: bool,
    refusals: bool,
    language: str,
    tests: Path | None,
    games: int,
) -> None:
    """List the rules of a RULEBOOK, or the rulebooks.

    With --uncovered the tests of the checkout are read, but not run, to find the rules that their markers name.
    With --games a second list follows: the rules cited by no event of these games, and by no refusal in the code.
    With --refusals the code of the RULEBOOK is read: a refusal may stand at several rules, and at the end stand
    those by the rule of a card, a question, a ruling, or another edition.
    """
    books = rulebooks.rulebooks_by_id()
    if uncovered:
        folder = tests or tests_folder()
    if rulebook is None:
        for name, book in books.items():
            line = f"{name:<20} {book.title:<20} {len(book.register):>4} rules"
            if uncovered:
                line += f", {len(_uncovered(book.register, folder, name, books)):>4} uncovered"
            click.echo(line)
        return
    if rulebook not in books:
        raise click.BadParameter(
            f"there is no rulebook {rulebook!r}; there are: {', '.join(books)}", param_hint="RULEBOOK"
        )
    register = books[rulebook].register
    if decisions:
        _show_decisions(books[rulebook])
        return
    if refusals:
        _show_refusals(books[rulebook], language)
        return
    chosen = _uncovered(register, folder, rulebook, books) if uncovered else list(register.rules())
    _list(chosen, register, language)
    click.echo(
        f"{len(chosen)} of {len(register)} rules are named by no test" if uncovered else f"{len(register)} rules",
        err=True,
    )
    if uncovered and games:
        uncited = _uncited(books[rulebook], games)
        _list(uncited, register, language)
        click.echo(f"{len(uncited)} of {len(register)} rules are cited by no event and no refusal", err=True)


def _list(chosen: list[Rule], register: Register, language: str) -> None:
    width = max((len(rule.id) for rule in chosen), default=0)
    for rule in chosen:
        click.echo(f"{rule.id:<{width}}  {(register.get(rule.id, language) or rule).title}")


def _uncited(book: Rulebook[Any], games: int) -> list[Rule]:
    """Return the rules cited by no refusal in the code, and by no event of games that bots play at all tables."""
    series = Series(
        rulebook=book.id,
        games=games,
        players=min(book.players[1], 4),
        seed=1,
        strategies=tuple(name for name in book.simulation.strategies if name != BANKER),
        tables="varied",
        actions=2_000,
    )
    cited = {rule for refusal in refusals_of(book) for rule in refusal.rules}
    for outcome in outcomes(series, processes=1 if games == 1 else os.cpu_count() or 1):
        cited.update(outcome.rules)
    return [rule for rule in book.register.rules() if rule.id not in cited and not rule.retired]


def _show_decisions(book: Rulebook[Any]) -> None:
    defaults = msgspec.to_builtins(book.settings())
    decided = [rule for rule in book.register.rules() if rule.decision]
    click.echo(
        f"# {book.title}: the decisions\n\n"
        f"The document leaves open a point of {len(decided)} of the {len(book.register)} rules. The settings,\n"
        "each with its default, decide otherwise for a game; the banker may rule otherwise on any rule.\n"
        f"`mabligop rules {book.id} --decisions` writes this page.\n\n"
        "| rule | open point | decision | settings |\n|---|---|---|---|"
    )
    for rule in decided:
        named = [f"`{name}` ({_default(defaults[name])})" for name in book.settings_for(rule.id)]
        cells = " | ".join((rule.id, rule.title, rule.decision, ", ".join(named)))
        click.echo(f"| {cells} |")


def _default(value: Any) -> str:
    """Write the default of a setting. A table's own board, decks, pieces or names have none."""
    return "none" if value in (None, {}, []) else msgspec.json.encode(value).decode()


def _show_refusals(book: Rulebook[Any], language: str) -> None:
    refused = refusals_of(book)
    for rule in book.register.rules(language):
        citing = [refusal for refusal in refused if rule.id in refusal.rules]
        if citing:
            click.echo(f"{rule.id}  {rule.title}: {' '.join(filter(None, (rule.requires, rule.decision)))}")
        for refusal in citing:
            click.echo(f"  - {refusal.text.in_language(language)} ({refusal.source})")
    click.echo("-")
    for refusal in refused:
        if not refusal.rules:
            click.echo(f"  - {refusal.text.in_language(language)} ({refusal.source})")
    click.echo(f"{len(refused)} refusals", err=True)


def _uncovered(register: Register, tests: Path, rulebook: str, books: dict[str, Any]) -> list[Rule]:
    # Editions of an engine share a test folder, possibly named after one edition.
    others = [name for name, book in books.items() if book.engine != books[rulebook].engine]
    named = named_rules(tests, rulebook, others)
    # Tests outside the games' own folders may name the rules of any game.
    numbered = {rule.id for book in books.values() for rule in book.register.rules()}
    for stranger in sorted(named - numbered):
        click.echo(f"The tests name a rule that {rulebook} does not have: {stranger}", err=True)
    return [rule for rule in register.rules() if rule.id not in named and not rule.retired]

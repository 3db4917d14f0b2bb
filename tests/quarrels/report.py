"""The figures of all trials, as text."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean, median, quantiles

from tests.quarrels.mistakes import KINDS
from tests.quarrels.trials import CHECKS, END_TURN, Lost, Trial, Tried

_MOST_REASONS = 12


def report(games: Sequence[Tried]) -> Iterator[str]:
    """The lines of the report: a table for each rulebook, then every check that failed."""
    by_rulebook: dict[str, list[Tried]] = defaultdict(list)
    for one in games:
        by_rulebook[one.rulebook].append(one)
    for rulebook, played in by_rulebook.items():
        yield from _table(rulebook, played)
        yield ""
    failed = failures(games)
    yield "failed checks: " + ", ".join(f"{failed[name]} ({what})" for name, what in CHECKS.items())
    found: dict[str, list[Trial]] = defaultdict(list)
    for game in games:
        for trial in game.trials:
            for name, what in trial.failures:
                found[f"  {name}: {game.rulebook}, seed {game.seed}: {what}"].append(trial)
    for failure, trials in found.items():
        yield f"{failure} ({len(trials)} corrections; first: {trials[0].text})"


def failures(games: Iterable[Tried]) -> Counter[str]:
    """How many corrections failed each check."""
    return Counter(
        name
        for game in games
        for trial in game.trials
        for name in dict.fromkeys(name for name, _ in trial.failures)
    )


def _table(rulebook: str, played: Sequence[Tried]) -> Iterator[str]:
    lengths = [one.actions for one in played]
    digest = hashlib.sha256("".join(one.digest for one in played).encode()).hexdigest()
    yield (
        f"{rulebook}: {len(played)} games of {min(lengths)} to {max(lengths)} actions "
        f"(median {median(lengths):.0f}), digest {digest[:16]}"
    )
    yield f"  {'':<43}{'later actions voided':^29}{'emptied':>9}{'steps':>7}{'needs':>7}{'end_turn voided':>20}"
    yield (
        f"  {'correction':<26}{'tried':>8}{'refused':>9}{'median':>10}{'90th':>9}{'mean':>9}"
        f"{'mean':>10}{'mean':>7}{'':>7}{'all':>8}{'same order':>12}"
    )
    trials = [trial for game in played for trial in game.trials]
    for kind, what in KINDS.items():
        yield _row(what, [one for one in trials if one.kind == kind])
    yield _row("all", trials)


def _row(what: str, trials: list[Trial]) -> str:
    made = [one for one in trials if one.refused is None and one.later]
    shares = [one.share for one in made]
    ends = [(sum(lost.kind == END_TURN for lost in one.lost), one.order_kept) for one in made]
    figures = [f"{'-':>9}"] * 4
    if made:
        emptied = fmean(one.emptied / one.later for one in made)
        figures = [f"{one:>9.1%}" for one in (median(shares), ninetieth(shares), fmean(shares), emptied)]
    return (
        f"  {what:<26}{len(trials):>8}{sum(one.refused is not None for one in trials):>9} {''.join(figures)}"
        f"{fmean(one.steps for one in made) if made else 0:>8.1f}{sum(one.needs for one in trials):>7}"
        f"{sum(count for count, _ in ends):>8}{sum(count for count, kept in ends if kept):>12}"
    )


def ninetieth(shares: Sequence[float]) -> float:
    """The 90th percentile."""
    return shares[0] if len(shares) == 1 else quantiles(shares, n=10, method="inclusive")[-1]


# ----------------------------------------------------------------------------------------------
# Reasons
# ----------------------------------------------------------------------------------------------


def reasons(games: Sequence[Tried]) -> Iterator[str]:
    """Why later actions were voided: for each rulebook and kind of correction, with an example of each reason.

    A reason is a kind of action with the rule that refuses it. The first action that a correction voids stands
    for all that it voids, because many of the others only follow from it.
    """
    for rulebook in dict.fromkeys(one.rulebook for one in games):
        trials = [(game, trial) for game in games if game.rulebook == rulebook for trial in game.trials]
        for kind, what in KINDS.items():
            costly = [(game, trial) for game, trial in trials if trial.kind == kind and trial.lost]
            firsts = [(trial.lost[0], len(trial.lost), game, trial) for game, trial in costly]
            yield f"{rulebook}, {what}: later actions voided, by the first one"
            yield from _counted(firsts)
            each = [(lost, 1, game, trial) for game, trial in costly for lost in trial.lost]
            yield f"{rulebook}, {what}: later actions voided, each by its own reason"
            yield from _counted(each)
            ends = [one for one in each if one[0].kind == END_TURN and one[3].order_kept]
            yield f"{rulebook}, {what}: end_turn voided in the same order of seats"
            yield from _counted(ends)


def _counted(lost: Sequence[tuple[Lost, int, Tried, Trial]]) -> Iterator[str]:
    """The commonest reasons, each with the number of actions that it stands for and its costliest example."""
    counted: Counter[str] = Counter()
    examples: dict[str, tuple[int, str]] = {}
    for one, count, game, trial in lost:
        reason = f"{one.kind} [{one.rule}]"
        counted[reason] += count
        if reason not in examples or examples[reason][0] < len(trial.lost):
            what = f"{one.name} ({one.kind} of {one.seat}): {one.why}"
            costs = f"{len(trial.lost)} of {trial.later} voided"
            examples[reason] = (len(trial.lost), f"seed {game.seed}, {trial.text}: {costs}, {what}")
    for reason, count in counted.most_common(_MOST_REASONS):
        yield f"  {count:>7}  {reason}"
        yield f"           {examples[reason][1]}"

"""The words of the code become plainer, never harder: see `words`."""

from __future__ import annotations

from tests.targets.makefile import CHECKOUT
from tests.targets.words import ceilings, count_python, count_script, counts_of

HARD = '''
def told(one):
    """What it is that this tells, of `which`."""
    for found in one:
        print(found)
    for seat in one:
        other = seat
        self._held = seat
        print(other)
'''

PLAIN = '''
def narrate(entries):
    """Return the sentences of the entries."""
    return [one.sentence for one in entries]
'''


def test_hard_words_are_counted() -> None:
    counts = count_python(HARD)
    assert {name: counts[name] for name in ("words", "pronouns", "riddles")} == {
        "words": 7,
        "pronouns": 4,
        "riddles": 1,
    }
    assert counts["vague"] == 4, "told, one, other and _held; found stands beside its use"
    assert count_script("const found = 1; let place = 2; // const other\nconst seat = (one) => one") == {
        "vague": 2
    }


def test_plain_words_are_not() -> None:
    counts = count_python(PLAIN)
    assert (counts["pronouns"], counts["riddles"], counts["vague"]) == (0, 0, 0)


def test_the_counts_only_fall() -> None:
    counts, allowed = counts_of(CHECKOUT), ceilings()
    assert counts.keys() == allowed.keys()
    risen = {name: (count, allowed[name]) for name, count in counts.items() if count > allowed[name]}
    assert risen == {}, "say it more plainly; `python -m tests.targets.words` prints the counts"

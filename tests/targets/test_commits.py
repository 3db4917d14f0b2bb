"""Commits say where, what and why."""

from __future__ import annotations

import pytest

from tests.targets.commits import LONGEST, faults_of, main

BODY = "\n\nThe last toss was read twice.\nEffect on stored games: none."


def test_a_commit_with_an_area_and_a_reason_passes() -> None:
    assert list(faults_of("dice: read each toss once" + BODY)) == []
    assert list(faults_of("virtual revolution: " + "x" * (LONGEST - 20) + BODY)) == []


@pytest.mark.parametrize(
    "message",
    [
        "Read each toss once" + BODY,
        "dice:read each toss once" + BODY,
        "dice: read each toss once",
        "dice: read each toss once\nand say so" + BODY,
        "virtual revolution: " + "x" * (LONGEST - 19) + BODY,
    ],
)
def test_a_commit_of_another_form_is_named(message: str) -> None:
    (fault,) = faults_of(message)
    assert message.split("\n")[0] in fault


def test_the_commits_since_the_last_tag_have_the_form() -> None:
    assert main() == 0

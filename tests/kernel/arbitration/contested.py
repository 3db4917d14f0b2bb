"""The toy with disputes and rulings.

The journal of a `Docket`: 1 open, 2 Ana buys a bean, 3 Bob hides the ace, 4 Ana and Bob make a private bargain, 5
Eve throws a 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

import pytest
from msgspec import Meta

from ledger.kernel.arbitration import docket, remedies, rulings
from ledger.kernel.arbitration.docket import disputes
from ledger.kernel.arbitration.remedies import Adjust, CorrectHistory, Dismiss, Fine
from ledger.kernel.arbitration.rulings import RulingGiven
from ledger.kernel.facts.audience import Audience, Viewer, only
from ledger.kernel.facts.events import Event, kind_of
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import Seat
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.rules.actions import Action, Correct
from ledger.kernel.rules.chapter import Chapter
from tests.kernel import toy
from tests.kernel.toy import (
    BuyBeans,
    Game,
    Hide,
    Throw,
    ToySecrets,
)

EVE = Viewer("player", "eve")

chapter = Chapter("The docket of the toy")
chapter.event(HistoryCorrected)
for _event in (*rulings.EVENTS, *remedies.Adjust.records, *remedies.Fine.records):
    chapter.event(_event)

HOW: Any = {"summary": ("", ""), "when": ("", "")}


@chapter.event
class Bargained(Event, frozen=True, kw_only=True):
    """Two seats make a private agreement."""

    en: ClassVar[str] = "{seat:seat} and {other:seat} agree."
    fr: ClassVar[str] = "{seat:seat} et {other:seat} s'accordent."

    rule: str = "2.1"
    seat: str
    other: str

    def audience(self) -> Audience:
        return only(self.seat, self.other)


@chapter.action(**HOW)
class Bargain(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    other: str

    def decide(self, draft: toy.Draft) -> None:
        draft.record(Bargained(seat=draft.seat, other=self.other))


@chapter.action(by=("banker",), **HOW)
class Mend(Correct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


@chapter.action(by=("player", "banker"), **HOW)
class OpenDispute(docket.OpenDispute, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


@chapter.action(by=("player", "banker"), **HOW)
class AddStatement(docket.AddStatement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


@chapter.action(by=("player", "banker"), **HOW)
class WithdrawDispute(docket.WithdrawDispute, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


@chapter.action(by=("banker",), **HOW)
class Rule(rulings.GiveRuling, frozen=True, kw_only=True, forbid_unknown_fields=True):
    remedies: Annotated[tuple[Dismiss | CorrectHistory | Adjust | Fine, ...], Meta(max_length=50)] = ()


@chapter.action(by=("banker",), **HOW)
class PublishRulings(rulings.PublishRulings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class DocketSecrets(ToySecrets):
    def private_matters(self, events: Sequence[Event]) -> Mapping[str, frozenset[str]]:
        found = [frozenset({one.seat, one.other}) for one in events if isinstance(one, Bargained)]
        return {"bargain": found[0]} if found else {}


CARRIED = {"2.1": ("buy_beans", "bargain"), "2.2": ("throw",), "4.2": ("rule", "publish_rulings")}
DOCKET = toy.rules(chapter, register=toy.register(CARRIED), secrets=DocketSecrets())


class Docket(Game):
    """The played toy with a docket, and short ways to use it."""

    def __init__(self) -> None:
        seats = tuple(Seat(seat, seat.title()) for seat in ("ana", "bob", "eve"))
        super().__init__(rulebook=DOCKET, players=seats)
        self.play("ana", BuyBeans(amount=1))
        self.play("bob", Hide(card="ace"))
        self.play("ana", Bargain(other="bob"))
        self.play("eve", Throw(face=3))

    def dispute(self, seat: str, *actions: int, claim: str = "That was wrong.") -> str:
        """The seat opens a dispute. Returns its id."""
        (event,) = self.play(seat, OpenDispute(actions=actions, claim=claim)).events
        return str(event.dispute.id)

    def rule(self, *remedies: Any, **how: Any) -> list[Event]:
        """The banker rules. Returns the events."""
        return list(self.play(None, Rule(finding="So be it.", remedies=remedies, **how)).events)

    def unable(self, seat: str | None, action: Action) -> Refusal:
        """The refusal of an action."""
        before = DOCKET.codec.to_snapshot(self.state)
        with pytest.raises(Refusal) as caught:
            self.decide(seat, action)
        assert DOCKET.codec.to_snapshot(self.state) == before
        return caught.value

    def known_to(self, viewer: Viewer) -> list[str]:
        """The ids of the disputes that the viewer may know of."""
        return [one.id for one in disputes(self.state, viewer)]


def kinds(events: Sequence[Event]) -> list[str]:
    return [kind_of(event) for event in events]


def given(events: Sequence[Event]) -> RulingGiven:
    """The last ruling among the events."""
    ruling = events[-1]
    assert isinstance(ruling, RulingGiven)
    return ruling

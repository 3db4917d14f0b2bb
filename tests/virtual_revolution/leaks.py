"""Rulebooks of Virtual Revolution with one leak each, to test whether the attacker finds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.kernel.facts.audience import EVERYONE, Audience, Viewer
from ledger.kernel.rules.display import Display
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.virtual_revolution.decks import corruption, decking
from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK
from ledger.rulebooks.virtual_revolution.scores import endgame
from ledger.rulebooks.virtual_revolution.showing.views import VirtualRevolutionScreen
from ledger.rulebooks.virtual_revolution.start import dealing, preparing
from ledger.rulebooks.virtual_revolution.table.state import VirtualRevolution
from ledger.rulebooks.virtual_revolution.table.veils import VirtualRevolutionSecrets
from tests.harness.leaking import half_redacted, leaking, unredacted, widened


class _Open(VirtualRevolutionSecrets):
    """The accounts that begin like this are everybody's."""

    places = ""

    def holding_audience(self, state: VirtualRevolution, account: str, commodity: str) -> Audience:
        return EVERYONE if account.startswith(self.places) else super().holding_audience(state, account, commodity)


class OpenHands(_Open):
    places = "hand:"


class OpenObjectives(_Open):
    places = "objectives:"


class OpenDecks(_Open):
    places = "deck:"


class ThinVeil(VirtualRevolutionSecrets):
    def veil(self, commodity: str) -> str | None:
        return commodity


class TalkativeView(VirtualRevolutionScreen):
    def public_view(self, state: VirtualRevolution) -> dict[str, Any]:
        return {**super().public_view(state), "everything": state.holdings.as_dict()}


class TalkativeScreen(VirtualRevolutionScreen):
    def display(self, state: VirtualRevolution, viewer: Viewer, language: str) -> Display:
        return super().display(state, Viewer("banker"), language)


SECRETS = (
    corruption.CorruptionDrawn,
    corruption.CorruptionDiscarded,
    corruption.CorruptionLost,
    corruption.CorruptionGiven,
    corruption.CorruptionExchanged,
    corruption.HandShown,
    dealing.ObjectivesDealt,
    decking.NecroPeeked,
    endgame.ObjectiveChosen,
    preparing.AgentsSetAside,
    preparing.NecroDeckPrepared,
)
"""The events with secrets."""

_WITHOUT_POSTINGS = (corruption.HandShown, decking.NecroPeeked, endgame.ObjectiveChosen)

LEAKS: dict[str, Callable[[], Rulebook[VirtualRevolution]]] = {
    **{
        f"{change.__name__} {event.__name__}": lambda change=change, event=event: leaking(RULEBOOK, change(event))
        for change in (widened, unredacted, half_redacted)
        for event in SECRETS
        if change is not half_redacted or event not in _WITHOUT_POSTINGS
    },
    **{
        secrets.__name__: lambda secrets=secrets: leaking(RULEBOOK, secrets=secrets())
        for secrets in (OpenHands, OpenObjectives, OpenDecks, ThinVeil)
    },
    **{
        screen.__name__: lambda screen=screen: leaking(RULEBOOK, screen=screen())
        for screen in (TalkativeView, TalkativeScreen)
    },
}

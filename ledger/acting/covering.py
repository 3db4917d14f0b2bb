"""The limits of a banker who also plays: no answer depends on the things hidden by other seats.

Such a banker tries nothing out for another seat, corrects and rules without naming a thing hidden by another
seat, and previews no correction whose outcome depends on hidden things. These refusals are alike wherever the
things are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from ledger.acting.appending import StoredPast
from ledger.games.game import Game
from ledger.kernel.arbitration.docket import open_disputes
from ledger.kernel.arbitration.remedies import CorrectHistory
from ledger.kernel.arbitration.rulings import GiveRuling
from ledger.kernel.deciding.plan import CorrectionSpreads, Plan
from ledger.kernel.deciding.steps import plan_of
from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.edits import Insert, Replace
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import NotYours, Refusal, UnknownKind
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import as_playing_banker, current_viewer, sees_holding
from ledger.kernel.rules.actions import Action, Correct
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.rulebook import Rulebook


@contextmanager
def as_far_as_known(game: Game, viewer: Viewer, kind: str, seat: str | None) -> Iterator[None]:
    """Hide from a banker who also plays refusals with facts for other seats only.

    The refusal of an action of another seat may reveal the possessions of the seat. So may the refusal of a
    correction or a ruling, because corrections and rulings decide the actions of other seats again.
    """
    viewer = as_playing_banker(game.state, viewer)
    try:
        yield
    except CorrectionSpreads:
        raise  # The preview shows the changes, as far as visible to the viewer.
    except Refusal as refusal:
        action = game.rulebook.actions.get(kind)
        again = action is not None and issubclass(action, Correct | GiveRuling)
        about_shape = isinstance(refusal, NotYours | UnknownKind) or "fault" in refusal.values
        if viewer.covered and not about_shape and (again or seat not in {None, viewer.seat}):
            refusal.without_detail(
                "this is refused; why is for the players concerned to know",
                "c'est refusé ; seuls les joueurs concernés peuvent savoir pourquoi",
            )
        raise


def require_may_try(viewer: Viewer, seat: str | None) -> None:
    """Refuse a dry run for another seat by a banker who also plays: a dry run could reveal the possessions of
    the seat.

    The banker may still act for the seat, visibly for the whole table.
    """
    if viewer.covered and seat not in {None, viewer.seat}:
        raise NotYours(
            "this cannot be previewed by you, because you also play: act for the seat, or leave it",
            "vous ne pouvez pas en avoir l'aperçu, car vous jouez aussi : agissez pour le siège, ou laissez",
        )


def require_foreseeable(
    game: Game, state: State, past: StoredPast, viewer: Viewer, request: Request, *, dry_run: bool
) -> None:
    """Refuse a correction or a ruling by a banker who also plays, if the answer could depend on hidden things.

    Performed with the cascade "restate", a correction may depend on them: the whole table sees the outcome.
    """
    viewer = current_viewer(state, viewer)
    if not viewer.covered:
        return
    hidden = _Hidden(game.rulebook, state, viewer)
    if any(hidden.has(text) for text in _named(state, past, viewer, request.action)):
        raise NotYours(
            "this cannot be decided by you, because you also play, and it names a thing that another seat may "
            "hide: the seat may ask for it in a dispute, or a banker who does not play decides",
            "vous ne pouvez pas en décider, car vous jouez aussi, et cela nomme une chose qu'un autre siège cache "
            "peut-être : ce siège peut le demander dans un litige, ou un banquier qui ne joue pas décide",
        )
    correction = request.action.correction_request()
    if correction is None or (correction.cascade == "restate" and not dry_run):
        return
    try:
        planned = plan_of(game.rulebook, state, past, replace(correction, cascade="restate"))
    except Refusal:
        return  # It is refused for everybody, without the detail.
    if hidden.decides(planned, past):
        raise NotYours(
            "this cannot be previewed by you, because you also play, and later actions depend on hidden things: "
            'perform it with the cascade "restate", and the whole table sees the outcome',
            "vous ne pouvez pas en avoir l'aperçu, car vous jouez aussi, et des actions ultérieures dépendent de "
            "choses cachées : effectuez-la en rejouant la suite (restate), et toute la table verra le résultat",
        )


def _named(state: State, past: StoredPast, viewer: Viewer, action: Action) -> Iterator[str]:
    """Yield the texts of the remedies, and of the parameters for other seats in the edits.

    An edit requested by the seat itself in an open dispute names nothing new.
    """
    correction = action.correction_request()
    for edit in () if correction is None else correction.edits:
        if isinstance(edit, Insert):
            seat, params = edit.action.seat, edit.action.params
        elif isinstance(edit, Replace) and (timeline_entry := past.timeline().named(edit.action)):
            seat, params = timeline_entry.entry.seat, edit.params
        else:
            continue
        requested = [dispute.edits for dispute in open_disputes(state) if dispute.opener == seat]
        if seat not in {None, viewer.seat} and not any(edit in edits for edits in requested):
            yield from _texts(params)
    if isinstance(action, GiveRuling):
        for remedy in action.remedies:
            if not isinstance(remedy, CorrectHistory):
                yield from _texts({**to_builtins(remedy), "reason": None})


def _texts(value: Any) -> Iterator[str]:
    """Yield every text within plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


class _Hidden:
    """The veiled things out of the viewer's sight, in a state."""

    def __init__(self, rulebook: Rulebook[Any], state: State, viewer: Viewer) -> None:
        self._rulebook = rulebook
        self._state = state
        self._viewer = viewer
        things = (
            thing
            for account, balances in state.holdings.items()
            for thing, amount in balances.items()
            if amount > 0 and self._is_hidden(account, thing)
        )
        self._names = {name for thing in things for name in (thing, thing.partition(":")[2])}

    def has(self, text: str) -> bool:
        """Return True if the text names a hidden thing, as a commodity or without the prefix of its kind."""
        return text in self._names

    def decides(self, planned: Plan, past: StoredPast) -> bool:
        """Return True if an action takes a hidden thing out of an account after the plan has changed the hidden
        things in the account: only the hidden things tell the fate of the action.
        """
        decode = self._rulebook.codec.event
        changes = [(position, self._lessened(old, new)) for position, old, new in planned.changes(decode)]
        return any(
            position < timeline_entry.position and move.source in lessened
            for timeline_entry in past.timeline().entries()
            for move in self._moves(timeline_entry.events or timeline_entry.recorded)
            for position, lessened in changes
        )

    def _lessened(self, old: Iterable[Event], new: Iterable[Event]) -> set[str]:
        """Return the accounts that get fewer hidden things, or lose more of them."""
        previous, current = Counter(self._moves(old)), Counter(self._moves(new))
        return {move.target for move in previous - current} | {move.source for move in current - previous}

    def _moves(self, events: Iterable[Event]) -> Iterator[Posting]:
        """Yield the postings that take a veiled thing out of or into a hidden account."""
        for event in events:
            for posting in event.postings:
                if any(
                    self._is_hidden(account, posting.commodity) for account in (posting.source, posting.target)
                ):
                    yield posting

    def _is_hidden(self, account: str, thing: str) -> bool:
        secrets = self._rulebook.secrets
        return secrets.veil(thing) is not None and not sees_holding(
            secrets, self._state, account, thing, self._viewer
        )

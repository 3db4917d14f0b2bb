"""The actions open to a viewer, whatever the rules say."""

from __future__ import annotations

from typing import Any

import msgspec

from ledger.games.game import Game
from ledger.kernel.deciding.decision import named
from ledger.kernel.facts import numbers, texts
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import Malformed, NotYours
from ledger.kernel.rules.actions import Action


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """An action requested by a caller. `override` is the banker's reason for waiving rules."""

    kind: str
    params: dict[str, Any] = {}
    seat: str | None = None
    override: str | None = None


def allowed_action(game: Game, viewer: Viewer, command: Command) -> Action:
    """Decode the requested action, then check the viewer's right to request it. Raises a Refusal."""
    with named(game.rulebook, game.state):
        return _allowed_action(game, viewer, command)


def _allowed_action(game: Game, viewer: Viewer, command: Command) -> Action:
    params = texts.encoded(command.params)
    game.rulebook.codec.action_type(command.kind)
    large = numbers.fault_of(command.params)
    if large is not None:
        raise Malformed(
            "the parameters of {kind} are not right: {fault}",
            "les paramètres de {kind} ne conviennent pas : {fault}",
            kind=command.kind,
            fault=large,
        )
    action = game.rulebook.codec.action(command.kind, params)
    texts.encoded({"override": command.override})
    texts.require_visible({**command.params, "override": command.override})
    if viewer.role == "spectator":
        raise NotYours("a spectator only looks on", "un spectateur ne fait que regarder")
    if viewer.role == "player":
        if "player" not in action.by:
            raise NotYours(
                "only {by:askers} may ask for {kind:action}",
                "{kind:action} est réservé : {by:askers}",
                kind=command.kind,
                by=action.by,
            )
        if command.seat is not None and command.seat != viewer.seat:
            raise NotYours(
                "{seat:seat} cannot act for {other:seat}",
                "{seat:seat} ne peut pas agir pour {other:seat}",
                seat=viewer.seat,
                other=command.seat,
            )
        if command.override is not None:
            raise NotYours("only the banker waives a rule", "seul le banquier peut lever une règle")
    elif "system" in action.by and "banker" not in action.by:
        raise NotYours(
            "{kind:action} happens by itself", "{kind:action} se produit de soi-même", kind=command.kind
        )
    elif command.seat is not None and command.seat not in game.state.seats:
        raise Malformed(
            "there is no seat {seat!r} in this game; its seats are: {seats:seats}",
            "il n'y a pas de siège {seat!r} dans cette partie ; ses sièges sont : {seats:seats}",
            seat=command.seat,
            seats=tuple(game.state.seats),
        )
    return action


def require_may_settle(viewer: Viewer, action: Action) -> None:
    """Refuse the default steps of the game to everybody but the banker, and before an action that is not of
    play.
    """
    if viewer.role != "banker":
        raise NotYours(
            "only the banker lets the game settle what is open",
            "seul le banquier fait régler par le jeu ce qui est en suspens",
        )
    if action.docket:
        raise Malformed(
            "{kind} is not an action of play: nothing has to be settled before it",
            "{kind} n'est pas une action de jeu : rien n'est à régler avant elle",
            kind=action.kind,
        )

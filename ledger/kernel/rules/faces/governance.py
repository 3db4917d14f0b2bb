"""Governance: the rules for the banker's work, and the rights of players to undo."""

from __future__ import annotations

import msgspec


class Governance(msgspec.Struct, frozen=True, kw_only=True):
    """The ids of the rules for corrections, disputes, rulings, privacy and the end, and two rights."""

    correction_rule: str
    """The rule for corrections of the history."""
    dispute_rule: str
    """The rule for contesting an outcome."""
    ruling_rule: str
    """The rule for rulings of the banker."""
    privacy_rule: str
    """The rule that keeps strangers, and an uninvited banker, out of a private deal."""
    end_rule: str
    """The rule against changing a game that has ended."""
    player_undo: bool = False
    """True if players may undo their last action without the banker (see `undo.require_may_undo`). The
    corrections of the rulebook are then open to players.
    """
    money_is_told: bool = True
    """True if the whole audience of a ruling reads the money moved between two hidden purses; otherwise only
    the owners of the purses do.
    """

    @classmethod
    def all_by(
        cls, rule: str, *, privacy: str = "", end: str = "", player_undo: bool = False, money_is_told: bool = True
    ) -> Governance:
        """Return the governance of a game with a single rule for the banker, and by default for the rest."""
        return cls(
            correction_rule=rule,
            dispute_rule=rule,
            ruling_rule=rule,
            privacy_rule=privacy or rule,
            end_rule=end or rule,
            player_undo=player_undo,
            money_is_told=money_is_told,
        )

"""The tables of an export, with their columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: a name, a Parquet type, a description, and an SQL expression.

    `is_sum` marks sums. In old games without bounds on sums, some sums do not fit a BIGINT.
    """

    name: str
    kind: str
    about: str
    expression: str
    is_sum: bool = False

    @property
    def widest(self) -> str:
        """The type wide enough for every value of the column."""
        return "HUGEINT" if self.is_sum else self.kind


_GAME = Column("game", "VARCHAR", "the id of the game", "game")
_PLACED = (
    Column("game", "VARCHAR", "the id of the game", "getvariable('game')"),
    Column("position", "BIGINT", "the place of the action in the history as it now counts, from 1", "position"),
    Column(
        "action", "VARCHAR", "its name: its number, or 60.1 for the first that correction 60 inserted", "action"
    ),
    Column("number", "BIGINT", "the number of the action in the journal", "number"),
)
_AT = Column("recorded_at", "TIMESTAMPTZ", "when the action was recorded, in UTC", "recorded_at")
_EVENT = Column("event", "BIGINT", "the place of the event in its action, from 1", "event")
_COUNTS = Column("counts", "BOOLEAN", "whether it is part of the history as it now counts", "counts")

TABLES: Mapping[str, tuple[str, tuple[Column, ...]]] = {
    "actions": (
        "told",
        (
            *_PLACED,
            Column(
                "after",
                "VARCHAR",
                "of an inserted action: the name of the one that it comes right after",
                '"after"',
            ),
            Column("round", "BIGINT", "the round in which it was done, if the game has rounds", "round"),
            Column("turn", "VARCHAR", "the seat whose turn it was, if it was a seat's turn", "turn"),
            Column("kind", "VARCHAR", "the kind of action", "kind"),
            Column("seat", "VARCHAR", "the seat on whose behalf it was done", "seat"),
            Column("by", "VARCHAR", "who asked for it: a seat, banker, or system", '"by"'),
            _AT,
            Column(
                "sentence",
                "VARCHAR",
                "what happened, in the language of the export: as it counts now, or as it was recorded",
                "sentence",
            ),
            Column("status", "VARCHAR", "effective, restated, undone or voided", "status"),
            Column("corrected_by", "BIGINT", "the correction that made it so", "corrected_by"),
            Column("reason_rule", "VARCHAR", "of a voided action: the rule that refuses it now", "reason_rule"),
            Column("reason", "VARCHAR", "of a voided action: why it is impossible now", "reason"),
            Column("override", "VARCHAR", "the banker's reason for waiving rules", "override"),
            Column("warnings", "VARCHAR", "the rules that were waived, as JSON", "warnings"),
            Column("params", "VARCHAR", "its parameters, as JSON", "params"),
            Column("draws", "VARCHAR", "the dice and cards that came with it, as JSON", "draws"),
            Column("leaf", "VARCHAR", "the receipt: the hash of its entry in the journal", "leaf"),
        ),
    ),
    "events": (
        "event",
        (
            *_PLACED,
            _EVENT,
            Column("seq", "BIGINT", "of a recorded event: its number in the game; empty in a view", "seq"),
            Column("kind", "VARCHAR", "the kind of event", "kind"),
            Column("rule", "VARCHAR", "the rule that it applies", "rule"),
            _COUNTS,
            Column("recorded", "BOOLEAN", "whether it was recorded; if not, a correction gave it", "recorded"),
            Column("data", "VARCHAR", "the event, as JSON", "data"),
        ),
    ),
    "postings": (
        "posting",
        (
            *_PLACED,
            _AT,
            _EVENT,
            Column("posting", "BIGINT", "the place of the posting in its event, from 1", "posting"),
            Column("kind", "VARCHAR", "the kind of event that it belongs to", "kind"),
            Column("rule", "VARCHAR", "the rule that the event applies", "rule"),
            _COUNTS,
            Column("commodity", "VARCHAR", "what was moved", "commodity"),
            Column("amount", "BIGINT", "how much of it, more than 0", "amount"),
            Column("source", "VARCHAR", "the account it came from", "source"),
            Column("target", "VARCHAR", "the account it went to", "target"),
        ),
    ),
    "balances": (
        "balance",
        (
            *_PLACED,
            _AT,
            Column("account", "VARCHAR", "an account of which the action moved something", "account"),
            Column("commodity", "VARCHAR", "what was moved", "commodity"),
            Column("change", "BIGINT", "how much more the account holds by the action", "change", is_sum=True),
            Column("balance", "BIGINT", "how much it holds after the action", "balance", is_sum=True),
        ),
    ),
    "games": (
        "games",
        (
            _GAME,
            Column("rulebook", "VARCHAR", "the rulebook of the game", "rulebook"),
            Column("title", "VARCHAR", "the title that the table gave it", "title"),
            Column("created_at", "TIMESTAMPTZ", "when the game was created, in UTC", "created_at"),
            Column("last_at", "TIMESTAMPTZ", "when its last action was recorded, in UTC", "last_at"),
            Column("origin", "VARCHAR", "the game that it continues, if it continues another", "origin"),
            Column("origin_action", "BIGINT", "the last action that the two have in common", "origin_action"),
            Column("players", "BIGINT", "the number of seats", "players"),
            Column("dice", "VARCHAR", "who throws the dice: table or service", "dice"),
            Column("settings", "VARCHAR", "its settings, as JSON", "settings"),
            Column("currency", "VARCHAR", "the commodity that is money", "currency"),
            Column("actions", "BIGINT", "the number of its last action", "actions"),
            Column("round", "BIGINT", "its round, if the game has rounds", "round"),
            Column("ended", "BOOLEAN", "whether it has ended", "ended"),
            Column("winners", "VARCHAR", "the seats that have won, as JSON", "winners"),
            Column("seen_by", "VARCHAR", "the seat or role whose view this is; empty for everything", "seen_by"),
        ),
    ),
    "seats": (
        "seats",
        (
            _GAME,
            Column("seat", "VARCHAR", "the id of the seat", "seat"),
            Column("name", "VARCHAR", "the name of its player", "name"),
            Column("number", "BIGINT", "the place of the seat at the table, from 1", "number"),
            Column("strategy", "VARCHAR", "of a simulated game: the bot that played it", "strategy"),
            Column("playing", "BOOLEAN", "whether it is still in the game; empty if none can leave", "playing"),
            Column("won", "BOOLEAN", "whether it has won", "won"),
            Column(
                "worth",
                "BIGINT",
                "what it is worth, in money or points; empty for whom it is hidden",
                "worth",
                is_sum=True,
            ),
            Column("money", "BIGINT", "how much money it has; empty for whom it is hidden", "money", is_sum=True),
        ),
    ),
    "titles": (
        "titles",
        (
            _GAME,
            Column("title", "VARCHAR", "the id of the title", "title"),
            Column("name", "VARCHAR", "its name on the board", "name"),
            Column("square", "BIGINT", "its square on the board, from 0", "square"),
            Column("kind", "VARCHAR", "the kind of square", "kind"),
            Column("colour", "VARCHAR", "the colour of its group, as #rrggbb", "colour"),
            Column("owner", "VARCHAR", "the seat that owns it; empty for none", "owner"),
            Column("built", "BIGINT", "the number of houses on it", "built"),
            Column("marks", "VARCHAR", "what else lies on it for all to see, as JSON", "marks"),
        ),
    ),
    "obligations": (
        "obligations",
        (
            _GAME,
            Column("kind", "VARCHAR", "the kind of obligation, a name of the rulebook", "kind"),
            Column("debtor", "VARCHAR", "the seat that owes; empty for one not yet known", "debtor"),
            Column("creditor", "VARCHAR", "the account entitled; empty for nobody in particular", "creditor"),
            Column("commodity", "VARCHAR", "what is owed, or its veil; empty for an act", "commodity"),
            Column("amount", "BIGINT", "how much of it; empty for an act", "amount"),
            Column("status", "VARCHAR", "due, open, or laid out of the debtor's purse", "status"),
            Column("about", "VARCHAR", "its subject: an id of a debt or an agreement, a title", "about"),
            Column("part", "BIGINT", "the part of its subject, from 0", "part"),
            Column("since", "BIGINT", "the number of the action that opened it, if it is known", "since"),
            Column("due", "TIMESTAMPTZ", "when its consequence comes by the clock, in UTC", "due"),
            Column("rule", "VARCHAR", "the rule by which it is owed", "rule"),
            Column("text", "VARCHAR", "who owes what to whom, in the language of the export", '"text"'),
            Column("follows", "VARCHAR", "what comes until it is met, in the same language", "follows"),
        ),
    ),
}
"""The tables: for each, the relation with its rows, and the columns in order.

The tables of the history have a row for each action, event, posting or balance. All other tables describe the
state at the exported version.
"""

ABOUT = "about"
"""The name for requesting the description of all tables, instead of a table."""
HISTORY = ("actions", "events", "postings", "balances")
"""The tables of the history."""
STANDING = ("games", "seats", "titles", "obligations")
"""The tables of the state at the exported version."""

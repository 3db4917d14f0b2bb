"""Creating games: checking the opening, writing the game with the tokens, performing the first action."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ledger.access import credentials
from ledger.access.first_answers import FirstAnswers, KeyExpired, KeyUsed, Sealed
from ledger.access.tokens import Tokens
from ledger.acting.appending import Appending
from ledger.acting.seeds import Seeds
from ledger.games.clock import Clock
from ledger.games.game import Game
from ledger.games.games import GameExists, Games
from ledger.games.setups import Setup, next_game
from ledger.kernel.deciding.decision import decide
from ledger.kernel.deciding.due import due_immediately
from ledger.kernel.facts import numbers, texts
from ledger.kernel.facts.names import numbered, require_names
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.facts.state import Seat
from ledger.kernel.journal.entry import body
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.opening import RESERVED, Dice, End, Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.store.records import GameRecord, LostRace
from ledger.store.store import Store


class Created(msgspec.Struct, frozen=True):
    """A new game and the tokens, which are shown only once."""

    game: str
    tokens: Sealed
    replayed: bool = False


class NotOver(Exception):  # noqa: N818 - an answer, not a fault
    """The game has not ended, so its table cannot play again."""


class Continued(Exception):  # noqa: N818 - an answer, not a fault
    """The table of the game plays again already, in the game `following`."""

    def __init__(self, following: str) -> None:
        super().__init__(f"the table plays again already, in game {following}")
        self.following = following


class Creating:
    """Creates games. Takes the games, the tokens, the clock and a source of randomness."""

    def __init__(self, games: Games, tokens: Tokens, clock: Clock, chance: random.Random) -> None:
        self._games = games
        self._tokens = tokens
        self._clock = clock
        self._chance = chance

    def create(
        self,
        rulebook_id: str,
        *,
        title: str | None,
        players: Sequence[Seat],
        settings: Mapping[str, Any],
        dice: str,
        key: str | None = None,
    ) -> Created:
        """Create a game with tokens, and perform the first action, which lays out the table.

        With an idempotency key, a repeated request gets the game and the tokens again, for a day. Raises
        UnknownRulebook, Malformed (title, settings, players), GameExists, KeyUsed, KeyExpired.
        """
        rulebook = self._games.rulebook(rulebook_id)
        texts.encoded({"title": title, "players": players, "settings": dict(settings)})
        texts.require_visible({"title": title})
        _require_free_ids(players)
        require_names(players)
        players = numbered(players)
        setup = _setup(rulebook, players, settings, dice)
        return self._create(rulebook, title, setup, [rulebook_id, title, setup], key)

    def exchange(self, near: str, far: str, *, title: str | None = None, key: str | None = None) -> Created:
        """Create a game that continues the game `near`, with a seat of the game `far` replacing a seat of
        `near`.

        The rules choose the exchanged seats. The players of the new game get new tokens; the journal records
        the origin of each seat. Raises UnknownGame, Malformed (title, different rulebooks), a Refusal of the
        rules, GameExists, KeyUsed, KeyExpired.
        """
        texts.encoded({"title": title})
        texts.require_visible({"title": title})
        ends = [self._games.moment(game) for game in (near, far)]
        records = [end.game.record for end in ends]
        if records[0].rulebook != records[1].rulebook:
            raise Malformed(
                "the two games have different rules: {here} and {there}",
                "les deux parties n'ont pas les mêmes règles : {here} et {there}",
                here=records[0].rulebook,
                there=records[1].rulebook,
            )
        rulebook = self._games.rulebook(records[0].rulebook)
        near_end, far_end = (End(end.game.record.game_id, end.version, end.state) for end in ends)
        opening = rulebook.play.exchanged(near_end, far_end)
        if opening is None:
            raise Malformed(
                "{title} has no exchange of seats between games",
                "{title} ne connaît pas d'échange de places entre parties",
                title=rulebook.title,
            )
        setup = Setup(
            players=opening.players,
            settings=msgspec.to_builtins(opening.settings),
            dice=opening.dice,
            continues=opening.continues,
        )
        _opening_action(rulebook, setup)
        return self._create(rulebook, title or records[0].title, setup, ["exchange", near, far, title], key)

    def again(self, game_id: str, *, key: str | None = None) -> Created:
        """Create the game that the table of an ended game plays next, and tell the followers of the ended game.

        Rulebook, title, settings, source of dice and players stay, with their letters and colours; the order of
        the seats is drawn anew. A table plays again once: see `next_game`. Raises UnknownGame, NotOver, Continued,
        a Refusal for settings no longer possible, KeyExpired.
        """
        moment = self._games.moment(game_id)
        if not moment.newest.ended:
            raise NotOver(game_id)
        record, earlier = moment.game.record, moment.game.setup
        order = [player.seat for player in earlier.players]
        self._chance.shuffle(order)
        setup = Setup(players=earlier.players, settings=earlier.settings, dice=earlier.dice, order=tuple(order))
        _opening_action(moment.rulebook, setup)
        following = next_game(game_id)
        try:
            created = self._create(
                moment.rulebook, record.title, setup, ["again", game_id], key, game_id=following
            )
        except KeyExpired:
            raise
        except (GameExists, KeyUsed):
            raise Continued(following) from None
        self._games.store.notices.say(json.dumps({"game": game_id, "continued": following}))
        return created

    def _create(
        self,
        rulebook: Rulebook[Any],
        title: str | None,
        setup: Setup,
        content: list[Any],
        key: str | None,
        game_id: str | None = None,
    ) -> Created:
        """Write a new game with tokens; repeat the first answer to a request with a known key.

        By default the id follows from the key, or is random.
        """
        at = self._clock.current_time()
        answers = self._tokens.first_answers
        if game_id is None:
            game_id = credentials.game_id(self._chance) if key is None else answers.game_id(key)
        request = hashlib.sha256(body(content)).digest()
        tokens, rows = self._tokens.issue(game_id, setup.players)
        record = GameRecord(
            game_id=game_id,
            rulebook=rulebook.id,
            title=title or rulebook.title,
            created_at=at,
            setup=msgspec.json.encode(setup),
            request_hash=request if key is not None else None,
            sealed_answer=answers.seal(tokens, game_id, key) if key is not None else None,
        )
        if self._games.store.games.create(record, rows):
            self._games.open(game_id)
            return Created(game_id, tokens)
        created = first_answer(self._games.store, answers, game_id, request, key)
        self._games.open(game_id)
        return created


def _require_free_ids(players: Sequence[Seat]) -> None:
    """Refuse seats with a reserved id. Raises Malformed."""
    for player in players:
        if player.seat.casefold() in RESERVED:
            raise Malformed(
                "{seat!r} cannot be a seat: it means something else; none of {taken} can",
                "{seat!r} ne peut pas être un siège : ce mot veut dire autre chose ; aucun de {taken} ne le peut",
                seat=player.seat,
                taken=", ".join(RESERVED),
            )


def begin(game: Game, games: Games, appending: Appending, chance: random.Random, seeds: Seeds) -> None:
    """Decide and append the first action of a game, with the actions made due at once.

    The service may have stopped between creating the game and this call; another process may be first.
    """
    while game.state.version == 0:
        request = Request(
            action=_opening_action(game.rulebook, game.setup),
            seat=None,
            by="system",
            at=game.record.created_at,
            recorded=True,
        )
        decision = decide(game.rulebook, game.state, request, chance=chance)
        throws = seeds.first_throws(game, decision.state) if decision.state.dice == "service" else None
        consequences = due_immediately(game.rulebook, decision.state, request.at, throws)
        decisions = [(request, decision), *consequences]
        if isinstance(appending.append_all(game, decisions, throws=throws), LostRace):
            games.catch_up(game)


def first_answer(store: Store, answers: FirstAnswers, game_id: str, request: bytes, key: str | None) -> Created:
    """Return the first answer to the request that created a game.

    Raises GameExists for a request without a key, KeyUsed for a different request, KeyExpired for a request more
    than a day ago.
    """
    if key is None:
        raise GameExists(game_id)
    stored = store.games.get(game_id)
    if stored is None or stored.request_hash != request or stored.sealed_answer is None:
        raise KeyUsed("the idempotency key was used before to create another game")
    first = answers.unseal(stored.sealed_answer, game_id, key, Sealed)
    if first is None:
        raise KeyUsed("the idempotency key was used before to create another game")
    answers.require_recent(stored.sealed_answer, game_id, key)
    return Created(game_id, first, replayed=True)


def _setup(rulebook: Rulebook[Any], players: Sequence[Seat], settings: Mapping[str, Any], dice: str) -> Setup:
    """Make the setup of a new game, and check the opening. Raises a Refusal."""
    try:
        chosen = msgspec.convert(dict(settings), rulebook.settings)
    except msgspec.ValidationError as fault:
        raise Malformed(
            "the settings are not right: {fault}",
            "les réglages ne conviennent pas : {fault}",
            fault=str(fault),
        ) from fault
    large = numbers.fault_of(settings)
    if large is not None:
        raise Malformed(
            "the settings are not right: {fault}", "les réglages ne conviennent pas : {fault}", fault=large
        )
    setup = Setup(
        players=tuple(players),
        settings=msgspec.to_builtins(chosen),
        dice=msgspec.convert(dice, Dice),
    )
    _opening_action(rulebook, setup)
    return setup


def _opening_action(rulebook: Rulebook[Any], setup: Setup) -> Action:
    """Make the first action of a game. Raises a Refusal for an illegal opening."""
    return rulebook.play.opening_action(
        Opening(
            players=setup.seated(),
            settings=msgspec.convert(setup.settings, rulebook.settings),
            dice=msgspec.convert(setup.dice, Dice),
            continues=setup.continues,
        )
    )

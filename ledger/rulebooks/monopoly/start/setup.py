"""Set-up: the table with the pieces, the players' tokens, and the start of play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts import names
from ledger.kernel.facts.accounts import BANK, BOX, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.names import look
from ledger.kernel.facts.refusals import Impossible, Malformed
from ledger.kernel.facts.values import of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.opening import Continuation, Opening
from ledger.rulebooks.monopoly.end import exchange
from ledger.rulebooks.monopoly.own_edition import check_settings, require_told_apart
from ledger.rulebooks.monopoly.start import order, preparing
from ledger.rulebooks.monopoly.table.pieces import Pieces
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    MonopolyEdition,
    cite,
    currency,
    has_role,
    pieces,
    require_stage,
)
from ledger.rulebooks.monopoly.table.terms import HOTEL, HOUSE, ONE_LINE, PASS, STOCK, TOWER
from ledger.rulebooks.monopoly.turns import limits, turns
from ledger.rulebooks.parts import decks, opening, titles
from ledger.rulebooks.parts.seats import player as purse
from ledger.rulebooks.parts.seats import seat_named

chapter = order.chapter
election, shuffling, dealing = preparing.election, preparing.shuffling, preparing.dealing

Token = Annotated[str, Meta(min_length=1, max_length=60, pattern=ONE_LINE), of_kind("text")]

FEWEST_PLAYERS = 2
MOST_PLAYERS = 20
"""Maximum number of players on a table's own board without a list of tokens."""
QUICK_HOUSES = 3
"""Number of houses in a hotel in the quick game."""
QUICK_JAIL_TURNS = 1
"""Number of throws for a double in prison in the quick game."""


# ----------------------------------------------------------------------------------------------
# The table
# ----------------------------------------------------------------------------------------------


@chapter.event
class TableOpened(opening.LaidOut, frozen=True, kw_only=True):
    """The table is laid out: the bank has every title, the stock every building, each deck its cards."""

    def apply(self, state: Monopoly) -> None:
        """Choose the edition's pieces or the table's own, with the names given by the table."""
        super().apply(state)
        chosen = _pieces(state.edition.pieces, state.settings)
        if chosen is not state.edition.pieces:
            state.edition = state.edition.with_pieces(chosen)


def _pieces(usual: Pieces, settings: Settings) -> Pieces:
    """Return the pieces of a table."""
    board, names = settings.board or usual, settings.names
    if not names:
        return board
    return replace(
        board,
        squares=tuple(replace(item, name=names.get(item.id, item.name)) for item in board.squares),
        groups=tuple(replace(item, name=names.get(item.id, item.name)) for item in board.groups),
    )


@chapter.action(
    by=("system",),
    summary=("lay out a game", "installer une partie"),
    when=("first of all", "en tout premier"),
)
class OpenTable(opening.LayOut, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The service lays out the table: the first action of every game.

    A game may go on from the ends of others: its merchants bring their profits along.
    """

    continues: Annotated[Continuation | None, of_kind("settings")] = None

    def decide(self, draft: Draft) -> None:
        """Take everything out of the box: titles, buildings, cards and passes. Money is the bank's."""
        state, settings = draft.state, opening.stored_settings(Settings, self.settings)
        opening.require_no_table(draft, cite(state, "opening"))
        check_settings(state.edition, settings)  # checked again, because an imported journal may hold any board
        board = _pieces(pieces(state), settings)
        towers = settings.towers_stock if board.has_towers else 0
        built = ((HOUSE, settings.houses_stock), (HOTEL, settings.hotels_stock), (TOWER, towers))
        counted = (*((thing, count, STOCK) for thing, count in built), (PASS, board.passes, BANK))
        draft.record(
            TableOpened(
                rule=cite(state, "opening"),
                postings=(
                    *titles.laid_out(board.titles),
                    *(Posting(thing, count, BOX, account) for thing, count, account in counted if count),
                    *decks.laid_out((card.id, card.deck) for card in board.cards if card.deck in board.piles),
                ),
                **self.event_fields,
            )
        )
        if self.continues is not None:
            exchange.arrive(draft, self.continues)


def opening_action(edition: MonopolyEdition, opened: Opening) -> Action:
    """Build the action to lay out the table; the quick game changes some settings.

    Raises Malformed for a number of players not allowed by the game, the tokens or the division, and for
    contradictory settings, with the `place` in the settings.
    """
    settings: Settings = opened.settings
    check_settings(edition, settings)
    if opened.continues is None:
        if settings.board is not None:
            require_told_apart(settings.board)
        _check_names(settings.board or edition.pieces, settings.names)
    board = _pieces(edition.pieces, settings)
    tokens = board.named.tokens if settings.tokens_chosen else ()
    maximum = len(tokens) or MOST_PLAYERS
    limit = _division_limit(board, settings)
    rules = edition.rules.roles
    if limit:
        maximum = min(maximum, limit)
    opening.require_players(
        edition.title, opened.players, (FEWEST_PLAYERS, max(FEWEST_PLAYERS, maximum)), rule=rules["players"]
    )
    _check_deal(board, settings, len(opened.players))
    if settings.quick:
        _require_quick(edition)
        opened = replace(opened, settings=_quick(settings))
    return replace(opening.lay_out(OpenTable, opened), continues=opened.continues)


def _require_quick(edition: MonopolyEdition) -> None:
    """Refuse the quick game for an edition without rules for it."""
    if "quick_end" not in edition.rules.roles:
        raise Malformed(
            "quick: {title} has no quick game",
            "quick : {title} n'a pas de partie rapide",
            title=edition.title,
            place="/quick",
        )


def _quick(settings: Settings) -> Settings:
    """Return the settings of the quick game."""
    return replace(
        settings,
        houses_per_hotel=min(settings.houses_per_hotel, QUICK_HOUSES),
        jail_turns=QUICK_JAIL_TURNS,
        bankruptcy_interest=False,
    )


def _check_names(board: Pieces, names: Mapping[str, str]) -> None:
    """Refuse names for unknown squares or groups, and a name shared by two squares or two groups."""
    squares = {item.id: item.name for item in board.squares}
    groups = {item.id: item.name for item in board.groups}
    if unknown := sorted(names.keys() - squares.keys() - groups.keys()):
        raise Malformed(
            "names: there is no square or group {one!r}",
            "names : il n'y a pas de case ni de groupe {one!r}",
            one=unknown[0],
            place=f"/names/{unknown[0]}",
        )
    for printed in (squares, groups):
        called = {item: look(names.get(item, name)) for item, name in printed.items()}
        count = Counter(called.values())
        if twice := [item for item in called if item in names and count[called[item]] > 1]:
            raise Malformed(
                "names: two things would be called {name!r}",
                "names : deux choses s'appelleraient {name!r}",
                name=names[twice[0]],
                place=f"/names/{twice[0]}",
            )


def usual_bounds(edition: MonopolyEdition) -> tuple[int, int]:
    """Return the minimum and the maximum number of players by the edition's own pieces and settings."""
    board = edition.pieces
    division = next(
        (candidate for candidate in board.divisions if candidate.id == edition.settings.get("division")), None
    )
    maximum = len(board.named.tokens) or (division.seats if division is not None else 0)
    return FEWEST_PLAYERS, maximum or MOST_PLAYERS


def _division_limit(board: Pieces, settings: Settings) -> int:
    """Return the maximum number of players of the table's division; 0 for no limit.

    Raises Malformed for an unknown division.
    """
    if settings.division is None:
        return 0
    chosen = next((candidate for candidate in board.divisions if candidate.id == settings.division), None)
    if chosen is None:
        # An edition's default names a division of the edition's pieces; a table's own pieces may have none.
        if not board.divisions and settings.board is not None:
            return 0
        names = ", ".join(candidate.id for candidate in board.divisions) or "-"
        raise Malformed(
            "division: there is no division {one!r}; the divisions are: {known}",
            "division : il n'y a pas de division {one!r} ; les divisions sont : {known}",
            one=settings.division,
            known=names,
            place="/division",
        )
    return chosen.seats


def _check_deal(board: Pieces, settings: Settings, players: int) -> None:
    """Refuse to deal more titles than the board has."""
    each = settings.deals if settings.quick else getattr(settings, "titles_dealt", 0)
    if each * players > len(board.titles):
        raise Malformed(
            "deals: {deals} titles for each of {players} players are more than the {count} that there are",
            "deals : {deals} titres pour chacun des {players} joueurs, c'est plus que les {count} qu'il y a",
            deals=each,
            players=players,
            count=len(board.titles),
            place="/deals" if settings.quick else "/titles_dealt",
        )


# ----------------------------------------------------------------------------------------------
# Tokens
# ----------------------------------------------------------------------------------------------


@chapter.event
class TokenChosen(Event, frozen=True, kw_only=True):
    """A player sits down with a token."""

    en: ClassVar[str] = "{seat:seat} plays with the token {token}."
    fr: ClassVar[str] = "{seat:seat} joue avec le pion {token}."

    seat: str
    token: str

    def apply(self, state: Monopoly) -> None:
        """Store the token of the seat."""
        state.tokens[self.seat] = self.token


def _free_tokens(state: Monopoly) -> list[str]:
    """Return the edition's tokens not yet chosen."""
    used = set(state.tokens.values())
    return [token for token in pieces(state).named.tokens if token not in used]


@chapter.action(
    summary=("choose a token", "choisir un pion"),
    when=("while the table is prepared, once", "pendant la mise en place, une fois"),
)
class JoinTable(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take a token that nobody else has: one of the edition's, or one of any name where the edition allows."""

    token: Token

    def decide(self, draft: Draft) -> None:
        """Refuse a second token, a token of another player, and an unknown token."""
        state = draft.state
        rule = cite(state, "token") if has_role(state, "token") else cite(state, "players")
        require_stage(draft, "setup", rule)
        seat = seat_named(state, draft.seat, rule)
        if seat in state.tokens:
            raise Impossible(
                rule,
                "{seat:seat} has the token {token} already",
                "{seat:seat} a déjà le pion {token}",
                seat=seat,
                token=state.tokens[seat],
            )
        tokens = pieces(state).named.tokens
        token = next(
            (candidate for candidate in tokens if candidate.casefold() == self.token.strip().casefold()), None
        )
        if tokens and token is None and not pieces(state).named.any_token:
            raise Impossible(
                rule,
                "there is no token {token!r}; free are: {free:list}",
                "il n'y a pas de pion {token!r} ; sont libres : {free:list}",
                token=self.token,
                free=_free_tokens(state),
            )
        token = token or self.token.strip()
        looks = names.require_readable(token) if token else ""
        holder = next((candidate for candidate, used in state.tokens.items() if names.look(used) == looks), None)
        if holder is not None or not token:
            raise Impossible(
                rule,
                "the token {token!r} is {holder:seat}'s" if holder else "a token needs a name",
                "le pion {token!r} est celui {holder:de|seat}" if holder else "il faut un nom au pion",
                token=token,
                holder=holder,
            )
        draft.record(TokenChosen(rule=rule, seat=seat, token=token))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer each free token; without a list of tokens, the player's name."""
        if state.stage != "setup" or seat in state.tokens or seat not in state.seats:
            return
        if not state.settings.tokens_chosen:
            return
        if pieces(state).named.tokens:
            yield from (Choice({"token": token}, alike="token") for token in _free_tokens(state))
        else:
            yield Choice({"token": state.seats[seat].name}, free=("token",))


# ----------------------------------------------------------------------------------------------
# The start
# ----------------------------------------------------------------------------------------------


@chapter.event
class GameStarted(Event, frozen=True, kw_only=True):
    """Each player gets the starting capital and stands on the start; this placing pays no salary."""

    en: ClassVar[str] = "The game starts with {amount:money} for each. The order of play is {order:seats}."
    fr: ClassVar[str] = "La partie commence avec {amount:money} chacun. L'ordre du jeu est {order:seats}."

    amount: int
    order: tuple[str, ...]

    def apply(self, state: Monopoly) -> None:
        """Begin play, with all seats in the game."""
        state.stage, state.order = "play", self.order
        state.starters = len(self.order)
        state.positions = dict.fromkeys(self.order, state.edition.pieces.start)


@chapter.action(
    by=("banker",),
    summary=("start the game", "commencer la partie"),
    when=("once the table is prepared", "une fois la mise en place terminée"),
)
class StartGame(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker pays the starting capital, and gives the turn to the first player."""

    def decide(self, draft: Draft) -> None:
        """Refuse before each step of the set-up: the election, tokens, decks, the deal, the order."""
        state = draft.state
        require_stage(draft, "setup")
        _require_ready(draft)
        capital, players = state.settings.starting_cash, order.decided(state)
        paid = tuple(Posting(currency(state), capital, BANK, purse(seat)) for seat in players if capital)
        draft.record(GameStarted(rule=cite(state, "capital"), amount=capital, order=players, postings=paid))
        limits.limit_time(draft)
        turns.begin(draft, players[0], state.round + 1)

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the start once the table is prepared."""
        ready = state.stage == "setup" and not order.awaited(state)
        return (Choice({}),) if ready else ()


def _require_ready(draft: Draft) -> None:
    """Refuse each missing step of the set-up by the rule of the step."""
    state, settings = draft.state, draft.state.settings
    if has_role(state, "election") and settings.elected_banker:
        draft.require(
            bool(state.bankers),
            cite(state, "election"),
            "nobody is elected banker yet",
            "personne n'est encore élu banquier",
        )
    without = [seat for seat in state.order if seat not in state.tokens]
    if has_role(state, "token") and settings.tokens_chosen:
        draft.require(
            not without,
            cite(state, "token"),
            "a token is missing for {seats:seats}",
            "il manque un pion à {seats:seats}",
            seats=without,
        )
    for deck in preparing.unshuffled(state) if has_role(state, "shuffle") else ():
        draft.require(
            False,
            preparing.shuffle_rule(state, deck),
            "{deck:deck} has yet to be shuffled",
            "{deck:deck} reste à mélanger",
            deck=deck,
        )
    if (settings.quick and has_role(state, "dealing")) or settings.titles_dealt:
        draft.require(
            state.dealt,
            cite(state, "dealing" if settings.quick else "dealt"),
            "the titles have yet to be dealt",
            "les titres restent à distribuer",
        )
    waiting = order.awaited(state)
    draft.require(
        not waiting,
        cite(state, "order"),
        "{waiting:seats} have yet to throw for the order of play",
        "{waiting:seats} doivent encore lancer pour l'ordre du jeu",
        waiting=waiting,
    )

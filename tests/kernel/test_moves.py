"""The legal actions of a seat, and why others are refused."""

import pytest

from ledger.kernel.deciding.moves import Drawing, Move, Obstacle, moves, obstacles, open_to
from ledger.kernel.facts.audience import Audience, Viewer, only
from ledger.kernel.facts.refusals import Impossible, NotYours, RuleBroken, UnknownKind
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.draft import Draft
from tests.kernel.toy import (
    ANA,
    BANKER,
    BOB,
    NOON,
    RULES,
    SPECTATOR,
    BuyBeans,
    Correct,
    End,
    Game,
    Hide,
    Open,
    Toy,
    Whispered,
    rules,
)


def open_moves(game: Game, seat: str, viewer: Viewer) -> list[Move]:
    return moves(RULES, game.state, seat, f"player:{seat}", viewer, NOON)


def closed(game: Game, kind: str, seat: str, viewer: Viewer) -> list[Obstacle]:
    return obstacles(RULES, game.state, seat, f"player:{seat}", viewer, NOON, kind)


def test_every_legal_choice_is_a_move_with_its_cost() -> None:
    found = open_moves(Game(), "ana", ANA)
    assert found == [
        Move(kind="buy_beans", params={"amount": 1}, free=("amount",), cost=2, rules=("2.1",)),
        Move(
            kind="throw",
            params={},
            free=(),
            drawing=Drawing(name="die", draw="dice", count=1, sides=6),
            cost=None,
            rules=("2.2",),
        ),
        Move(kind="hide", params={"card": "ace"}, free=(), cost=0, rules=("2.3", "2.4")),
        Move(kind="hide", params={"card": "king"}, free=(), cost=0, rules=("2.3", "2.4")),
    ]


def test_looking_for_moves_changes_nothing_and_throws_no_die() -> None:
    game = Game(dice="service")
    before = RULES.codec.to_snapshot(game.state)
    open_moves(game, "ana", ANA)
    assert RULES.codec.to_snapshot(game.state) == before


def test_a_move_disappears_when_it_is_no_longer_legal() -> None:
    game = Game()
    game.play("bob", Hide(card="ace"))
    assert [move.params for move in open_moves(game, "ana", ANA) if move.kind == "hide"] == [{"card": "king"}]


def test_the_banker_is_offered_the_players_actions_and_their_own() -> None:
    kinds = {move.kind for move in open_moves(Game(), "ana", BANKER)}
    assert kinds == {"buy_beans", "throw", "hide", "end"}


def test_a_spectator_is_offered_nothing() -> None:
    assert open_moves(Game(), "ana", SPECTATOR) == []


@pytest.mark.parametrize(
    ("action", "allowed"),
    [(BuyBeans, (BANKER, ANA)), (End, (BANKER,)), (Correct, (BANKER,)), (Open, ())],
)
def test_an_action_is_open_to_the_roles_it_names(action: type, allowed: tuple[Viewer, ...]) -> None:
    assert tuple(viewer for viewer in (BANKER, ANA, SPECTATOR) if open_to(action, viewer)) == allowed


def test_what_is_refused_is_explained_choice_by_choice() -> None:
    (obstacle,) = closed(Game(), "buy_beans", "ana", ANA)
    assert obstacle.params == {"amount": 4}
    assert isinstance(obstacle.refusal, RuleBroken)
    assert obstacle.refusal.en == "4 beans are too many"


def test_what_is_open_has_no_obstacle() -> None:
    game = Game()
    assert closed(game, "hide", "ana", ANA) == []
    game.play("bob", Hide(card="ace"))
    (obstacle,) = closed(game, "hide", "ana", ANA)
    assert isinstance(obstacle.refusal, Impossible)


@pytest.mark.parametrize(("kind", "viewer"), [("end", BOB), ("buy_beans", SPECTATOR), ("open", BANKER)])
def test_who_may_never_ask_is_told_so_and_nothing_else(kind: str, viewer: Viewer) -> None:
    game = Game()
    game.play("ana", BuyBeans(amount=3))
    (obstacle,) = closed(game, kind, "ana", viewer)
    assert isinstance(obstacle.refusal, NotYours)
    assert "ana" not in obstacle.refusal.en
    assert obstacle.params == {}


def test_an_unknown_kind_has_no_obstacles() -> None:
    with pytest.raises(UnknownKind, match="toy has no action 'fly'"):
        closed(Game(), "fly", "ana", ANA)


peeking = Chapter("Peeking")


@peeking.event
class Peeked(Whispered, frozen=True, kw_only=True):
    """Somebody learns what was hidden."""

    def reveals(self) -> Audience:
        return only(self.seat)


@peeking.action(summary=("peek", "regarder"), when=("always", "toujours"))
class Peek(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Look at what is hidden, and throw a die for it."""

    def decide(self, draft: Draft[Toy]) -> None:
        draft.record(Peeked(seat=draft.seat))
        draft.draws.dice("die", None, count=1, sides=6)


def test_a_die_that_hangs_on_what_the_action_reveals_is_no_part_of_the_move() -> None:
    game = Game(rulebook=rules(peeking))

    def drawing(viewer: Viewer) -> Drawing | None:
        found = moves(game.rulebook, game.state, "ana", "player:ana", viewer, NOON)
        (peek,) = (move for move in found if move.kind == "peek")
        return peek.drawing

    assert drawing(ANA) is None
    assert drawing(BANKER) == Drawing(name="die", draw="dice", count=1, sides=6)

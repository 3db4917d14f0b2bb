"""A client as somebody would write it for a table of Negopoly: it buys, is refused, and reads why.

The package `mabligop_client` is generated.
"""

import sys

from httpx import Timeout
from mabligop_client import AuthenticatedClient
from mabligop_client.api.actions import perform_action, read_journal
from mabligop_client.api.audit import read_why
from mabligop_client.api.games import create_game
from mabligop_client.models import (
    ConflictDetails,
    EntryView,
    GameCreated,
    JournalPage,
    NegopolyJoinGameParams,
    NegopolyRollDiceParams,
    NegopolyTitleBoughtData,
    NegopolyTransferMoneyParams,
    NewAction,
    NewGame,
    NewGameDice,
    NewPlayer,
    ProblemDetails,
    WhyPage,
)

PATIENT = Timeout(300)
"""In seconds. A busy machine may need more than the five that are the default."""


def opened(address: str) -> GameCreated:
    """Create a game of Ana and Bob. On a private machine this takes no token."""
    players = [NewPlayer(seat="ana", name="Ana"), NewPlayer(seat="bob", name="Bob")]
    wanted = NewGame(rulebook="negopoly", players=players, dice=NewGameDice.TABLE)
    client = AuthenticatedClient(base_url=address, token="none", timeout=PATIENT)
    created = create_game.sync(client=client, body=wanted)
    assert isinstance(created, GameCreated)
    return created


class Banker:
    """The banker, who acts for the seats."""

    def __init__(self, address: str, game: GameCreated) -> None:
        self._game = game.game
        self._client = AuthenticatedClient(base_url=address, token=game.tokens.banker, timeout=PATIENT)

    def act(self, action: NewAction) -> EntryView:
        """Perform an action. Raises ValueError when it is refused."""
        answer = perform_action.sync(self._game, client=self._client, body=action)
        if isinstance(answer, EntryView):
            return answer
        assert isinstance(answer, ProblemDetails | ConflictDetails)
        raise ValueError(f"{answer.type_}: {answer.detail}")

    def journal(self) -> list[EntryView]:
        """The first entries of the journal."""
        page = read_journal.sync(self._game, client=self._client, limit=50)
        assert isinstance(page, JournalPage)
        return page.actions

    def why(self, account: str) -> list[str]:
        """Where the money of an account comes from."""
        page = read_why.sync(self._game, client=self._client, account=account, commodity="NGD")
        assert isinstance(page, WhyPage)
        return [f"{one.amount}: {one.sentence}" for one in page.postings]


def play(banker: Banker) -> list[str]:
    """Ana gives Bob 5, rolls, and buys what she stops on; what she does not have she cannot give."""
    for seat in ("ana", "bob"):
        joining = NegopolyJoinGameParams(persona=f"Don {seat}")
        banker.act(NewAction(kind="join_game", seat=seat, params=joining.to_dict()))
        banker.act(NewAction(kind="choose_starter_perk", seat=seat, params={"perk": "money"}))
    banker.act(NewAction(kind="start_game"))
    gift = NegopolyTransferMoneyParams(to="bob", amount=5)
    banker.act(NewAction(kind="transfer_money", seat="ana", params=gift.to_dict()))
    banker.act(NewAction(kind="roll_dice", seat="ana", params=NegopolyRollDiceParams(dice=[1, 2]).to_dict()))
    bought = banker.act(NewAction(kind="buy_property", seat="ana"))
    told = [NegopolyTitleBoughtData.from_dict(event.data).title for event in bought.events]
    try:
        banker.act(NewAction(kind="transfer_money", seat="ana", params={"to": "bob", "amount": 5000}))
    except ValueError as refused:
        told.append(str(refused))
    return told


if __name__ == "__main__":
    address = sys.argv[1]
    banker = Banker(address, opened(address))
    for line in [*play(banker), str(len(banker.journal())), *banker.why("player:ana")]:
        print(line)  # noqa: T201

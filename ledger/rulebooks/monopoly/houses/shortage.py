"""Scarce pieces: players ask for a piece, and a piece with too many requests is auctioned."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.houses.places import PIECES, has_place, stock_of
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, has_role, in_play, player_in_play
from ledger.rulebooks.monopoly.table.terms import Building, Piece

chapter = Chapter("Building")


@chapter.event
class PieceRequested(Event, frozen=True, kw_only=True):
    """A player wants a piece that may be scarce."""

    en: ClassVar[str] = "{seat:seat} asks the bank for a piece to build: {piece:goods}."
    fr: ClassVar[str] = "{seat:seat} demande à la banque de quoi construire : {piece:goods}."

    seat: str
    piece: Piece

    def apply(self, state: Monopoly) -> None:
        """Store the wish until fulfilment or lapse."""
        state.wishes[self.seat] = self.piece
        state.wished_in[self.seat] = state.turn or ""


@chapter.event
class WishesLapsed(Event, frozen=True, kw_only=True):
    """Wishes for pieces stand no longer."""

    en: ClassVar[str] = "What {seats:seats} asked the bank for lapses."
    fr: ClassVar[str] = "La demande {seats:de|seats} à la banque est caduque."

    seats: tuple[str, ...]

    def apply(self, state: Monopoly) -> None:
        """Remove the wishes."""
        for seat in self.seats:
            forget(state, seat)


def forget(state: Monopoly, seat: str) -> None:
    """Remove a player's wish."""
    state.wishes.pop(seat, None)
    state.wished_in.pop(seat, None)


def wanting(state: Monopoly, piece: Building) -> list[str]:
    """Return the players with a wish for a piece and still a site for the piece."""
    askers = [seat for seat, wish in state.wishes.items() if wish == piece]
    return [seat for seat in in_play(state) if seat in askers and has_place(state, seat, piece)]


def contended(state: Monopoly) -> Piece | None:
    """Return the piece wished for by two or more players, and too scarce for all; None without such a piece."""
    return next((piece for piece in PIECES if _is_contended(state, piece)), None) if state.wishes else None


def _is_contended(state: Monopoly, piece: Building) -> bool:
    demand = len(wanting(state, piece))
    return demand > 1 and demand > stock_of(state, piece) > 0


def require_stock(draft: Draft, square: Square, piece: Building) -> None:
    """Refuse to sell a piece out of stock."""
    if not stock_of(draft.state, piece):
        raise Impossible(
            cite(draft.state, "stock_empty", square),
            "the bank has none left ({piece:goods}): wait until one is sold back",
            "la banque n'en a plus ({piece:goods}) : attendez qu'on lui en revende",
            piece=piece,
        )


def require_uncontended(draft: Draft, piece: Building) -> None:
    """Refuse to sell at the printed price a piece under auction, or wished for by two or more and too scarce for
    all. The wish of a single player keeps nobody from buying. Nobody wishes for towers.
    """
    state = draft.state
    if not has_role(state, "shortage"):
        return
    auctioned = state.auction is not None and state.auction.lot.kind == piece
    draft.require(
        not auctioned and not (state.wishes and _is_contended(state, piece)),
        cite(state, "shortage"),
        "others want one too ({piece:goods}), and the bank has only {left}: ask for one, and it is auctioned",
        "d'autres en veulent aussi ({piece:goods}), et la banque n'en a que {left} : demandez-en, "
        "et il y aura une vente aux enchères",
        piece=piece,
        left=stock_of(state, piece),
    )


def forget_wishes(draft: Draft, piece: Piece | None = None, *, thrower: str | None = None) -> None:
    """Let the wishes for scarce pieces lapse: all wishes, or the wishes for one piece.

    At a throw, only wishes from before the thrower's turn lapse: the next player's throw ends a wish.
    """
    state = draft.state
    askers = tuple(
        sorted(
            seat
            for seat, wish in state.wishes.items()
            if piece in (None, wish) and (thrower is None or state.wished_in.get(seat) != thrower)
        )
    )
    if askers:
        draft.record(WishesLapsed(rule=cite(state, "shortage"), seats=askers))


@chapter.action(
    summary=("ask for a scarce piece", "demander une pièce rare"),
    when=(
        "when the stock may be too small for all who want one",
        "quand la réserve peut ne pas suffire à tous",
    ),
)
class RequestBuilding(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Say that one wants a house or a hotel: the banker auctions it when the stock does not suffice for all."""

    piece: Piece

    def decide(self, draft: Draft) -> None:
        """Refuse with an empty stock, without a site, and a repeated request."""
        state, seat = draft.state, player_in_play(draft)
        if not has_role(state, "shortage") or not stock_of(state, self.piece):
            raise Impossible(
                cite(state, "stock_empty"),
                "the bank has none to auction ({piece:goods}): wait until one is sold back",
                "la banque n'en a pas à mettre aux enchères ({piece:goods}) : attendez qu'on lui en revende",
                piece=self.piece,
            )
        if not has_place(state, seat, self.piece):
            raise Impossible(
                cite(state, "shortage"),
                "{seat:seat} has no title on which it may stand ({piece:goods})",
                "{seat:seat} n'a pas de titre où construire ({piece:goods})",
                seat=seat,
                piece=self.piece,
            )
        if state.wishes.get(seat) == self.piece:
            raise Impossible(
                cite(state, "shortage"),
                "{seat:seat} has asked for one already ({piece:goods})",
                "{seat:seat} en a déjà demandé ({piece:goods})",
                seat=seat,
                piece=self.piece,
            )
        draft.record(PieceRequested(rule=cite(state, "shortage"), seat=seat, piece=self.piece))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer each piece with a site for the player, while the stock is smaller than the number of players."""
        if state.stage != "play" or seat in state.out:
            return
        for piece in PIECES:
            scarce = 0 < stock_of(state, piece) < len(in_play(state))
            if scarce and state.wishes.get(seat) != piece and has_place(state, seat, piece):
                yield Choice({"piece": piece})

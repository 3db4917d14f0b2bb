"""The pieces on the map and beside the map, as visible to a viewer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import UNSET

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.journal.sight import visible_holdings
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker
from ledger.kernel.rules.display import Display, NoticeView, PieceView, PileView, PlaceView, TokenView, ZoneView
from ledger.kernel.rules.faces.secrets import Secrets
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.table.state import VirtualRevolution, controls, directors_of, pieces
from ledger.rulebooks.virtual_revolution.table.terms import (
    AGENTS_1,
    AGENTS_2,
    BOOSTS,
    CORRUPTION,
    DISPLAY,
    LOCATIONS,
    RECYCLING,
    SHOWN_NECRO,
    TITLES,
    VERSES,
    boosts,
    hand,
    influence,
    objectives,
    raided,
    retired,
    server,
    service,
    slot,
    spot,
    verses,
)
from ledger.rulebooks.virtual_revolution.table.veils import VEIL

_PILES: tuple[tuple[str, Phrase, tuple[str, ...]], ...] = (
    ("agents", Phrase("Agents", "Agents"), (AGENTS_1, AGENTS_2)),
    ("locations", Phrase("Locations", "Localisations"), (LOCATIONS,)),
    ("corruption", Phrase("Corruption", "Corruption"), (CORRUPTION,)),
    ("verses", Phrase("Verses", "Verses"), (VERSES,)),
)


def display(
    secrets: Secrets[VirtualRevolution],
    state: VirtualRevolution,
    viewer: Viewer,
    speakers: Mapping[str, Speaker],
    language: str,
) -> Display:
    """Return Directors, influence and Servers on the map, and cards and tokens beside the map, hidden cards
    under the veil.
    """
    catalogue = pieces(state)

    def lying(*accounts: str) -> tuple[PieceView, ...]:
        return tuple(
            PieceView(
                commodity=UNSET if commodity == VEIL else commodity,
                veil=VEIL if commodity == VEIL else UNSET,
                amount=amount,
            )
            for account in accounts
            for commodity, amount in sorted(visible_holdings(secrets, state, account, viewer).items())
        )

    def zones() -> Iterator[ZoneView]:
        slots = tuple(slot(number) for number in range(1, catalogue.amounts.agent_slots + 1))
        beside = {
            "offers": slots,
            "display": (DISPLAY,),
            "boosts": (BOOSTS,),
            "titles": (TITLES,),
            "recycling": (RECYCLING,),
            "necro": (SHOWN_NECRO,),
        }
        for zone, accounts in beside.items():
            if items := lying(*accounts):
                yield ZoneView(zone=zone, items=items)
        for seat in state.seating:
            seat_accounts = {
                "board": player(seat),
                "service": service(seat),
                "boosts": boosts(seat),
                "verses": verses(seat),
                "retired": retired(seat),
                "hand": hand(seat),
                "raid": raided(seat),
                "objectives": objectives(seat),
            }
            for zone, account in seat_accounts.items():
                if items := lying(account):
                    yield ZoneView(zone=zone, seat=seat, items=items)

    return Display(
        tokens=tuple(
            TokenView(seat=seat, place=spot(area)) for seat in state.seating for area in directors_of(state, seat)
        ),
        places={spot(area): view for area in catalogue.places if (view := _area_view(state, area)) is not None},
        zones=tuple(zones()),
        notices=tuple(_notices(state, speakers, language)),
        piles=tuple(_piles(state, language)),
    )


def _area_view(state: VirtualRevolution, area: int) -> PlaceView | None:
    """Return the view of an arrondissement; its sole controller is the owner (vr:title.1, vr:title.2)."""
    holding = state.holdings.account(spot(area))
    offered = [offer.agent for offer in state.offers.values() if offer.place == area]
    owners = [seat for seat in state.seating if controls(state, seat, area)]
    lying = [
        PieceView(commodity=kind, amount=holding[kind])
        for seat in state.seating
        for kind in (influence(seat), server(seat))
        if holding.get(kind, 0) > 0
    ]
    lying += [PieceView(commodity=decks.commodity(agent), amount=1) for agent in offered]
    if not lying:
        return None
    return PlaceView(
        owner=owners[0] if len(owners) == 1 else UNSET,
        pieces=tuple(lying) if lying else UNSET,
        marks=("shared",) if len(owners) > 1 else UNSET,
    )


def _piles(state: VirtualRevolution, language: str) -> Iterator[PileView]:
    for name, words, piles in _PILES:
        yield PileView(name, words.in_language(language), sum(decks.left_in(state, pile) for pile in piles))
    yield PileView("necro", Phrase("Necro", "Nécro").in_language(language), necro_left(state))


def necro_left(state: VirtualRevolution) -> int:
    """Count the remaining cards of the Necro deck."""
    turned_up = sum(state.holdings.account(SHOWN_NECRO).values())
    return max(0, pieces(state).amounts.necro_standard + 1 - turned_up)


def _notices(state: VirtualRevolution, speakers: Mapping[str, Speaker], language: str) -> Iterator[NoticeView]:
    """Yield the Necro card under way, and changed figures of Actions in this round or the next."""
    if state.attack is not None:
        card = pieces(state).necros[state.attack.card]
        yield NoticeView(text=f"{card.name}: {card.text.in_language(language)}", rule=card.rule)
    for change in state.changed:
        if change.round in (state.round, state.round + 1):
            seat, deed = speakers["seat"](change.seat, language), speakers["deed"](change.action, language)
            text = Phrase(f"{seat}: {deed} has other figures", f"{seat} : {deed} change de valeurs").in_language(
                language
            )
            until = Phrase(f"round {change.round}", f"manche {change.round}").in_language(language)
            yield NoticeView(text=text, until=until, rule=change.rule)

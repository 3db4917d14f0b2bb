"""IX.D and II.E.2. Game Enders: using Satan2 or La Peste ends the game at once."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.facts.values import SeatId, of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.rulebooks.negopoly.arsenal import disruption, weapons
from ledger.rulebooks.negopoly.estate import real_estate
from ledger.rulebooks.negopoly.table.pieces import in_short
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, in_play, seat_named
from ledger.rulebooks.negopoly.turns import victory

chapter = Chapter("IX.D. Game Enders")

SATAN = "satan2"
PLAGUE = "la_peste"

SURVIVORS = 2
"""Number of survivors of La Peste (IX.D.3)."""


@chapter.event
class CityDestroyed(weapons.Use, frozen=True, kw_only=True):
    """Satan2 destroys the whole of NegoCity (IX.D.2)."""

    en: ClassVar[str] = "{seat:seat} uses Satan2: nothing is left of NegoCity."
    fr: ClassVar[str] = "{seat:seat} utilise Satan2 : il ne reste rien de NegoCity."

    rule: str = "IX.D.2"


@chapter.event
class PlagueReleased(weapons.Use, frozen=True, kw_only=True):
    """La Peste eliminates all players except two, whom its user has named (IX.D.3)."""

    en: ClassVar[str] = "{seat:seat} releases La Peste: {survivors:seats} survive."
    fr: ClassVar[str] = "{seat:seat} répand La Peste : survivants : {survivors:seats}."

    rule: str = "IX.D.3"
    survivors: tuple[str, ...]


@chapter.action(
    summary=("use a Game Ender", "utiliser un Game Ender"),
    when=(
        "in your own turn, after the roll, as its one weapon",
        "pendant son tour, après le lancer, comme seule arme",
    ),
)
class UseGameEnder(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player with a Game Ender ends the game: alone with Satan2, with two survivors by La Peste (IX.D).

    `survivors` are for La Peste. With two players left they need not be named: both win.
    """

    commodity: Annotated[Literal["satan2", "la_peste"], of_kind("commodity")]
    survivors: Annotated[tuple[SeatId, ...], Meta(max_length=8)] | None = None

    def decide(self, draft: Draft) -> None:
        """Use the weapon. Nothing stops a Game Ender."""
        weapons.take_up(draft, self.commodity)
        weapons.in_hand(draft, self.commodity)
        disruption.require_reach(draft)
        if self.commodity == SATAN:
            self._destroy(draft)
        else:
            self._plague(draft)

    def _destroy(self, draft: Draft) -> None:
        if self.survivors is not None:
            raise Malformed(
                "nobody survives Satan2: name no survivors", "personne ne survit à Satan2 : ne nommez personne"
            )
        seat = draft.seat
        draft.record(CityDestroyed(seat=seat, use=SATAN, postings=(weapons.spent(draft, SATAN),)))
        for title in weapons.owned_titles(draft.state):
            real_estate.reset(draft, title, cause=SATAN, rule="IX.D.2")
        victory.by_game_ender(draft, (seat,), SATAN, rule="IX.D.2")

    def _plague(self, draft: Draft) -> None:
        seat = draft.seat
        survivors = self._survivors(draft)
        spent = weapons.spent(draft, PLAGUE)
        draft.record(PlagueReleased(seat=seat, use=PLAGUE, survivors=survivors, postings=(spent,)))
        for victim in in_play(draft.state):
            if victim not in survivors:
                victory.eliminate(draft, victim, reason="La Peste", rule="IX.D.3")
        victory.by_game_ender(draft, survivors, PLAGUE, rule="IX.D.4")

    def _survivors(self, draft: Draft) -> tuple[str, ...]:
        """Return the two survivors in the order of play. Refuses by IX.D.3."""
        state, seat = draft.state, draft.seat
        players = in_play(state)
        named = tuple(players if self.survivors is None and len(players) == SURVIVORS else self.survivors or ())
        for survivor in named:
            seat_named(state, survivor, "IX.D.3")
        if len(set(named)) != SURVIVORS or len(named) != SURVIVORS:
            raise Malformed(
                "La Peste leaves {count} survivors: name that many of {seats:seats}",
                "La Peste laisse {count} survivants : nommez-en autant parmi {seats:seats}",
                count=SURVIVORS,
                seats=players,
            )
        draft.require(
            state.settings.la_peste_survivors == "named_by_user" or seat in named,
            "IX.D.3",
            "at this table whoever uses La Peste survives: {seat:seat} is not among {named:seats}",
            "à cette table, l'utilisateur de La Peste survit : {seat:seat} n'est pas parmi {named:seats}",
            seat=seat,
            named=named,
        )
        return tuple(survivor_seat for survivor_seat in players if survivor_seat in named)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer Satan2, and La Peste with every pair of survivors, the player's own pairs first."""
        if weapons.armed(state, seat, SATAN):
            yield Choice({"commodity": SATAN})
        if weapons.armed(state, seat, PLAGUE):
            for pair in sorted(combinations(in_play(state), SURVIVORS), key=lambda pair: seat not in pair):
                yield Choice({"commodity": PLAGUE, "survivors": list(pair)})


chapter.upcast_action("use_game_ender", renamed(weapon="commodity"))
chapter.upcast_action("use_game_ender", in_short)

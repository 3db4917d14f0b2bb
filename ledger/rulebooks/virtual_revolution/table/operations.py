"""The vocabulary of cards: the text of an Agent, Verse, Boost, Title or card is a list of these operations.

An `Effect` acts (effects.py carries effects out), a `Mission` is the condition of a Verse (missions.py), a
`Score` counts victory points (scores.py). Amounts are whole units. Arrondissements are named by number,
districts by id, the five Actions by the kinds of action that perform them.

`when_action` ties an effect of a Boost or a Title to each performance of an Action, `if_action` ties an effect
of a promotion to one performance.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ledger.rulebooks.parts.forms import ID_FORM

Id = Annotated[str, Meta(pattern=ID_FORM)]


Amount = Annotated[int, Meta(ge=1, le=1_000_000)]


Price = Annotated[int, Meta(ge=0, le=1_000_000)]


Points = Annotated[int, Meta(ge=-1_000, le=1_000)]


Deed = Literal["work", "recruit_agent", "build_server", "create_verse", "make_donation"]
"""A kind of Action, of five."""


AgentType = Literal["combatant", "technician", "diplomat"]


AGENT_TYPES: tuple[AgentType, ...] = ("combatant", "technician", "diplomat")


VerseType = Literal["science_fiction", "fantasy", "horror", "adventure"]


VERSE_TYPES: tuple[VerseType, ...] = ("science_fiction", "fantasy", "horror", "adventure")


Thing = Literal["eurocredit", "immunity", "revenue", "vp2_token"]
"""The commodities that a player gains or loses in amounts."""


Where = Literal["arrondissement", "adjacent", "any", "districts", "own_controlled"]
"""The reach of an effect: the Director's arrondissement, its neighbours, any arrondissement, the districts of
the effect, or the arrondissements controlled by the player.
"""


Whose = Literal["any", "opponent", "own"]


Losable = Literal["agent_in_service", "boost", "immunity"]


Districts = Annotated[tuple[Id, ...], Meta(max_length=100)]


class Operation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op"):
    """An operation of a card, tagged by its name in `op`."""


class _Bound(Operation, frozen=True, kw_only=True):
    """An effect with an optional tie to an Action."""

    when_action: Deed | None = None
    if_action: Deed | None = None

    @property
    def tied_to(self) -> Deed | None:
        """The Action of the tie, if any."""
        return self.when_action or self.if_action


class Gain(_Bound, frozen=True, kw_only=True, tag="gain"):
    """Gain so much from the supply."""

    what: Thing
    amount: Amount


class Lose(_Bound, frozen=True, kw_only=True, tag="lose"):
    """Give so much back to the supply, or all there is."""

    what: Thing
    amount: Amount


class Cap(_Bound, frozen=True, kw_only=True, tag="cap"):
    """Lose all above an amount."""

    what: Thing
    amount: Price


class PayToGain(_Bound, frozen=True, kw_only=True, tag="pay_to_gain"):
    """If one likes, pay a price to gain something."""

    what: Thing
    amount: Amount
    price: Price


class Steal(_Bound, frozen=True, kw_only=True, tag="steal"):
    """Take so much from a player who has a Director in the same or an adjacent arrondissement."""

    what: Thing
    amount: Amount
    target: Literal["player_with_director_here_or_adjacent"]


class DrawCorruption(_Bound, frozen=True, kw_only=True, tag="draw_corruption"):
    """Draw so many Corruption cards."""

    amount: Amount


class DiscardCorruption(_Bound, frozen=True, kw_only=True, tag="discard_corruption"):
    """Discard so many Corruption cards of one's hand, or all there are: by choice or at random."""

    amount: Amount
    mode: Literal["choice", "random"]


class PayToDiscardCorruption(_Bound, frozen=True, kw_only=True, tag="pay_to_discard_corruption"):
    """If one likes, pay a price to discard so many Corruption cards of one's choice."""

    price: Price
    amount: Amount


class GiveCorruption(_Bound, frozen=True, kw_only=True, tag="give_corruption"):
    """Give so many Corruption cards of one's choice to another player."""

    amount: Amount
    to: Literal["other_player"]
    mode: Literal["choice"]


class ExchangeCorruption(_Bound, frozen=True, kw_only=True, tag="exchange_corruption"):
    """Look at the Corruption cards of an opponent, take one, and give one back."""

    opponent: Literal["opponent"] = msgspec.field(name="with")
    look: bool


class PeekNecro(_Bound, frozen=True, kw_only=True, tag="peek_necro"):
    """Look secretly at the Necro card that comes next, which is the one of the round."""

    which: Literal["round", "next"]


class InfluenceEliminate(_Bound, frozen=True, kw_only=True, tag="influence_eliminate"):
    """Move so many influence tokens from the map to the recycling zone."""

    amount: Amount
    whose: Whose
    where: Where
    districts: Districts = ()


class InfluenceAdd(_Bound, frozen=True, kw_only=True, tag="influence_add"):
    """Put so many of one's influence tokens from one's board on the map; with `split` in several places."""

    amount: Amount
    where: Where
    districts: Districts = ()
    split: bool = False


class InfluenceEliminateOrAdd(_Bound, frozen=True, kw_only=True, tag="influence_eliminate_or_add"):
    """Eliminate anybody's token, or add one of one's own."""

    amount: Amount
    whose: Whose
    where: Where
    districts: Districts = ()


class InfluenceToRecycling(_Bound, frozen=True, kw_only=True, tag="influence_reserve_to_recycling"):
    """Move so many influence tokens from one's board to the recycling zone, or as many as it has."""

    amount: Amount


class InfluenceClear(_Bound, frozen=True, kw_only=True, tag="influence_clear"):
    """Lose all one's influence tokens of so many arrondissements that have any."""

    arrondissements: Amount
    whose: Literal["own"]


class PlaceServer(_Bound, frozen=True, kw_only=True, tag="place_server"):
    """Put a Server from one's reserve in the Director's arrondissement, under the conditions of building."""

    amount: Amount = 1
    conditions: Literal["normal"] = "normal"


class MoveServer(_Bound, frozen=True, kw_only=True, tag="move_server"):
    """Move the Server of the arrondissement to an adjacent one that meets the conditions for its owner."""

    amount: Amount
    whose: Whose
    source: Literal["arrondissement"]
    target: Literal["adjacent"]


class DiscardServer(_Bound, frozen=True, kw_only=True, tag="discard_server"):
    """Take one of one's Servers back into the reserve; without any, lose `otherwise_vp` at scoring."""

    amount: Amount
    mode: Literal["choice"] = "choice"
    districts: Districts = ()
    otherwise_vp: Points = 0


class TakeAgent(_Bound, frozen=True, kw_only=True, tag="take_agent"):
    """Take an Agent on offer within the range."""

    range: Price


class SwapAgent(_Bound, frozen=True, kw_only=True, tag="swap_agent"):
    """Exchange an Agent in service for one on offer, which arrives upright."""

    give: Literal["own_in_service"]
    take: Literal["available_on_map"]
    arrives: Literal["upright"]


class ReadyAgents(_Bound, frozen=True, kw_only=True, tag="ready_agents"):
    """Set so many of one's Agents in service upright, or all."""

    amount: Amount | Literal["all"]


class DiscardAgentInService(_Bound, frozen=True, kw_only=True, tag="discard_agent_in_service"):
    """Discard Agents in service, of a type where one is given."""

    amount: Amount
    mode: Literal["choice"] = "choice"
    type: AgentType | None = None


class CopyPromotion(_Bound, frozen=True, kw_only=True, tag="copy_promotion"):
    """Apply the promotion effect of any Agent in service."""

    of: Literal["any_agent_in_service"]


class ChooseType(_Bound, frozen=True, kw_only=True, tag="choose_type"):
    """Choose the type that the Agent counts as, before scoring."""

    when: Literal["before_scoring"]
    among: tuple[AgentType, ...]


class TakeBoost(_Bound, frozen=True, kw_only=True, tag="take_boost"):
    """Take available Boost cards and put them under their Actions."""

    amount: Amount


class DiscardBoost(_Bound, frozen=True, kw_only=True, tag="discard_boost"):
    """Discard Boosts, cards or Agents, under one of these Actions where any are given."""

    amount: Amount
    mode: Literal["choice"] = "choice"
    under: tuple[Deed, ...] = ()


class TakeVerse(_Bound, frozen=True, kw_only=True, tag="take_verse"):
    """Take one of the Verses on display."""

    amount: Amount = 1


class DiscardVerse(_Bound, frozen=True, kw_only=True, tag="discard_verse"):
    """Discard Verses, online or not, of one of these types where any are given."""

    amount: Amount
    mode: Literal["choice"] = "choice"
    types: tuple[VerseType, ...] = ()


class ReplaceVerses(_Bound, frozen=True, kw_only=True, tag="replace_verses"):
    """Put so many Verses on display under the deck, and draw as many: all, exactly so many, or up to so many."""

    amount: Amount
    mode: Literal["all", "exactly", "up_to"]
    minimum: Amount = 1
    optional: bool = False


class FlipVerseOnline(_Bound, frozen=True, kw_only=True, tag="flip_verse_online"):
    """Turn one of one's Verses online without regard to its mission, and take its gain."""

    amount: Amount
    ignore_mission: bool


class ReuseVerseGain(_Bound, frozen=True, kw_only=True, tag="reuse_verse_gain"):
    """Receive again the gain of one of one's Verses online."""

    amount: Amount
    of: Literal["own_online"]


class BonusAction(_Bound, frozen=True, kw_only=True, tag="bonus_action"):
    """Perform an Action besides that of the turn; only with the Director in one of `if_director_in`, if any."""

    action: Deed
    source: Literal["offer", "agent_discard"] = "offer"
    if_director_in: Districts = ()


class AddRange(_Bound, frozen=True, kw_only=True, tag="range"):
    """Add so much to the range of recruiting."""

    amount: Amount


class Waive(_Bound, frozen=True, kw_only=True, tag="waive"):
    """One condition of building a Server is not required."""

    what: Literal["influence_for_server"]


class NextRoundAction(_Bound, frozen=True, kw_only=True, tag="next_round_action"):
    """In the next round an Action has other figures: a price, or a gain; a donation has three prices."""

    action: Deed
    price: Price | None = None
    gain: Price | None = None
    price_1: Price | None = None
    price_2: Price | None = None
    price_immunity: Price | None = None


class ChooseOne(_Bound, frozen=True, kw_only=True, tag="choose_one"):
    """Carry out exactly one of several lists of effects, by its number from 0; with `optional` at most one."""

    options: tuple[tuple[Effect, ...], ...]
    optional: bool = False
    rules: tuple[str, ...] = ()
    """The rule of each option, if the rules differ."""


class OpponentsDiscardOne(_Bound, frozen=True, kw_only=True, tag="opponents_discard_one"):
    """Each opponent chooses one thing of these to discard, who has any."""

    among: tuple[Losable, ...]


class KeepFromDiscard(_Bound, frozen=True, kw_only=True, tag="keep_from_discard"):
    """In a raid or a Necro attack, keep something that should be discarded."""

    amount: Amount
    among: tuple[Losable, ...]


class ScoringCap(_Bound, frozen=True, kw_only=True, tag="scoring_cap"):
    """At scoring, no Verse, or no Objective, scores more than so much."""

    what: Literal["verse", "objective"]
    amount: Price


class ScoringChange(_Bound, frozen=True, kw_only=True, tag="scoring_change"):
    """At scoring, each unit of a line scores so much more; less when it is negative."""

    what: Literal["agent_trio", "title"]
    amount: Points


Effect = (
    Gain
    | Lose
    | Cap
    | PayToGain
    | Steal
    | DrawCorruption
    | DiscardCorruption
    | PayToDiscardCorruption
    | GiveCorruption
    | ExchangeCorruption
    | PeekNecro
    | InfluenceEliminate
    | InfluenceAdd
    | InfluenceEliminateOrAdd
    | InfluenceToRecycling
    | InfluenceClear
    | PlaceServer
    | MoveServer
    | DiscardServer
    | TakeAgent
    | SwapAgent
    | ReadyAgents
    | DiscardAgentInService
    | CopyPromotion
    | ChooseType
    | TakeBoost
    | DiscardBoost
    | TakeVerse
    | DiscardVerse
    | ReplaceVerses
    | FlipVerseOnline
    | ReuseVerseGain
    | BonusAction
    | AddRange
    | Waive
    | NextRoundAction
    | ChooseOne
    | OpponentsDiscardOne
    | KeepFromDiscard
    | ScoringCap
    | ScoringChange
)

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


DEEDS: tuple[Deed, ...] = ("work", "recruit_agent", "build_server", "create_verse", "make_donation")


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
    """Gain an amount from the supply."""

    what: Thing
    amount: Amount


class Lose(_Bound, frozen=True, kw_only=True, tag="lose"):
    """Give an amount back to the supply, or the whole holding if smaller."""

    what: Thing
    amount: Amount


class Cap(_Bound, frozen=True, kw_only=True, tag="cap"):
    """Lose all above an amount."""

    what: Thing
    amount: Price


class PayToGain(_Bound, frozen=True, kw_only=True, tag="pay_to_gain"):
    """Optionally pay a price to gain an amount."""

    what: Thing
    amount: Amount
    price: Price


class Steal(_Bound, frozen=True, kw_only=True, tag="steal"):
    """Take an amount from a player with a Director in the arrondissement or next to it."""

    what: Thing
    amount: Amount
    target: Literal["player_with_director_here_or_adjacent"]


class DrawCorruption(_Bound, frozen=True, kw_only=True, tag="draw_corruption"):
    """Draw a number of Corruption cards."""

    amount: Amount


class DiscardCorruption(_Bound, frozen=True, kw_only=True, tag="discard_corruption"):
    """Discard a number of Corruption cards from the hand, or the whole hand: by choice or at random."""

    amount: Amount
    mode: Literal["choice", "random"]


class PayToDiscardCorruption(_Bound, frozen=True, kw_only=True, tag="pay_to_discard_corruption"):
    """Optionally pay a price to discard a number of chosen Corruption cards."""

    price: Price
    amount: Amount


class GiveCorruption(_Bound, frozen=True, kw_only=True, tag="give_corruption"):
    """Give a number of chosen Corruption cards to an opponent."""

    amount: Amount
    to: Literal["other_player"]
    mode: Literal["choice"]


class ExchangeCorruption(_Bound, frozen=True, kw_only=True, tag="exchange_corruption"):
    """Look at the Corruption cards of an opponent, take a card, and give a card back."""

    opponent: Literal["opponent"] = msgspec.field(name="with")
    look: bool


class PeekNecro(_Bound, frozen=True, kw_only=True, tag="peek_necro"):
    """Look secretly at the next Necro card, the card of the round."""

    which: Literal["round", "next"]


class InfluenceEliminate(_Bound, frozen=True, kw_only=True, tag="influence_eliminate"):
    """Move a number of influence tokens from the map to the recycling zone."""

    amount: Amount
    whose: Whose
    where: Where
    districts: Districts = ()


class InfluenceAdd(_Bound, frozen=True, kw_only=True, tag="influence_add"):
    """Put a number of influence tokens from the player's board on the map; with `split`, in several
    arrondissements.
    """

    amount: Amount
    where: Where
    districts: Districts = ()
    split: bool = False


class InfluenceEliminateOrAdd(_Bound, frozen=True, kw_only=True, tag="influence_eliminate_or_add"):
    """Eliminate a token of anybody, or add a token of the player."""

    amount: Amount
    whose: Whose
    where: Where
    districts: Districts = ()


class InfluenceToRecycling(_Bound, frozen=True, kw_only=True, tag="influence_reserve_to_recycling"):
    """Move a number of influence tokens, or all if fewer, from the player's board to the recycling zone."""

    amount: Amount


class InfluenceClear(_Bound, frozen=True, kw_only=True, tag="influence_clear"):
    """Lose all the player's influence tokens in a number of arrondissements."""

    arrondissements: Amount
    whose: Literal["own"]


class PlaceServer(_Bound, frozen=True, kw_only=True, tag="place_server"):
    """Put a Server from the reserve in the Director's arrondissement, under the conditions of building."""

    amount: Amount = 1
    conditions: Literal["normal"] = "normal"


class MoveServer(_Bound, frozen=True, kw_only=True, tag="move_server"):
    """Move the Server of the arrondissement to a neighbour that meets the conditions for the owner."""

    amount: Amount
    whose: Whose
    source: Literal["arrondissement"]
    target: Literal["adjacent"]


class DiscardServer(_Bound, frozen=True, kw_only=True, tag="discard_server"):
    """Take a Server of the player back into the reserve; without a Server, lose `otherwise_vp` at scoring."""

    amount: Amount
    mode: Literal["choice"] = "choice"
    districts: Districts = ()
    otherwise_vp: Points = 0


class TakeAgent(_Bound, frozen=True, kw_only=True, tag="take_agent"):
    """Take an Agent on offer within the range."""

    range: Price


class SwapAgent(_Bound, frozen=True, kw_only=True, tag="swap_agent"):
    """Exchange an Agent in service for an offered Agent, which arrives upright."""

    give: Literal["own_in_service"]
    take: Literal["available_on_map"]
    arrives: Literal["upright"]


class ReadyAgents(_Bound, frozen=True, kw_only=True, tag="ready_agents"):
    """Set a number of the player's Agents in service upright, or all."""

    amount: Amount | Literal["all"]


class DiscardAgentInService(_Bound, frozen=True, kw_only=True, tag="discard_agent_in_service"):
    """Discard Agents in service, of the type if given."""

    amount: Amount
    mode: Literal["choice"] = "choice"
    type: AgentType | None = None


class CopyPromotion(_Bound, frozen=True, kw_only=True, tag="copy_promotion"):
    """Apply the promotion effect of any Agent in service."""

    of: Literal["any_agent_in_service"]


class ChooseType(_Bound, frozen=True, kw_only=True, tag="choose_type"):
    """Choose the scoring type of the Agent, before scoring."""

    when: Literal["before_scoring"]
    among: tuple[AgentType, ...]


class TakeBoost(_Bound, frozen=True, kw_only=True, tag="take_boost"):
    """Take available Boost cards and put each card under the Action of the card."""

    amount: Amount


class DiscardBoost(_Bound, frozen=True, kw_only=True, tag="discard_boost"):
    """Discard Boosts, cards or Agents, under one of the Actions if given."""

    amount: Amount
    mode: Literal["choice"] = "choice"
    under: tuple[Deed, ...] = ()


class TakeVerse(_Bound, frozen=True, kw_only=True, tag="take_verse"):
    """Take a Verse on display."""

    amount: Amount = 1


class DiscardVerse(_Bound, frozen=True, kw_only=True, tag="discard_verse"):
    """Discard Verses, online or not, of the types if given."""

    amount: Amount
    mode: Literal["choice"] = "choice"
    types: tuple[VerseType, ...] = ()


class ReplaceVerses(_Bound, frozen=True, kw_only=True, tag="replace_verses"):
    """Put Verses on display under the deck, and draw replacements: all, exactly `amount`, or up to `amount`."""

    amount: Amount
    mode: Literal["all", "exactly", "up_to"]
    minimum: Amount = 1
    optional: bool = False


class FlipVerseOnline(_Bound, frozen=True, kw_only=True, tag="flip_verse_online"):
    """Turn a Verse of the player online, regardless of the mission, and take the gain."""

    amount: Amount
    ignore_mission: bool


class ReuseVerseGain(_Bound, frozen=True, kw_only=True, tag="reuse_verse_gain"):
    """Receive the gain of a Verse online again."""

    amount: Amount
    of: Literal["own_online"]


class BonusAction(_Bound, frozen=True, kw_only=True, tag="bonus_action"):
    """Perform an Action besides the turn's Action; only with the Director in one of `if_director_in`, if any."""

    action: Deed
    source: Literal["offer", "agent_discard"] = "offer"
    if_director_in: Districts = ()


class AddRange(_Bound, frozen=True, kw_only=True, tag="range"):
    """Add an amount to the range of recruiting."""

    amount: Amount


class Waive(_Bound, frozen=True, kw_only=True, tag="waive"):
    """Waive a condition of building a Server."""

    what: Literal["influence_for_server"]


class NextRoundAction(_Bound, frozen=True, kw_only=True, tag="next_round_action"):
    """Change the figures of an Action for the next round: a price, or a gain; a donation has three prices."""

    action: Deed
    price: Price | None = None
    gain: Price | None = None
    price_1: Price | None = None
    price_2: Price | None = None
    price_immunity: Price | None = None


class ChooseOne(_Bound, frozen=True, kw_only=True, tag="choose_one"):
    """Carry out one of several lists of effects, chosen by number from 0; with `optional`, at most one list."""

    options: tuple[tuple[Effect, ...], ...]
    optional: bool = False
    rules: tuple[str, ...] = ()
    """The rule of each option, if the rules differ."""


class OpponentsDiscardOne(_Bound, frozen=True, kw_only=True, tag="opponents_discard_one"):
    """Let each opponent choose a thing of the kinds to discard."""

    among: tuple[Losable, ...]


class KeepFromDiscard(_Bound, frozen=True, kw_only=True, tag="keep_from_discard"):
    """Save a thing from the discard, in a raid or a Necro attack."""

    amount: Amount
    among: tuple[Losable, ...]


class ScoringCap(_Bound, frozen=True, kw_only=True, tag="scoring_cap"):
    """Cap the score of each Verse, or of each Objective."""

    what: Literal["verse", "objective"]
    amount: Price


class ScoringChange(_Bound, frozen=True, kw_only=True, tag="scoring_change"):
    """Add an amount to the score of each unit of a line; a negative amount lowers the score."""

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

"""Recovering influence tokens from the recycling zone, in groups with a benefit each (vr:recycling.*)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations_with_replacement
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.table import effects, pieces
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import ChooseOne, DiscardCorruption, Effect
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    hand_size,
    is_turn_of,
    on_turn,
    recycled,
)
from ledger.rulebooks.virtual_revolution.table.state import pieces as pieces_of
from ledger.rulebooks.virtual_revolution.table.terms import RECYCLING, Drawn, influence

chapter = Chapter("Recycling")


class Group(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """So many tokens taken back together. `option` says which of two benefits, from 0, where there are two."""

    tokens: Annotated[int, Meta(ge=1, le=100), of_kind("quantity")]
    option: Annotated[int, Meta(ge=0, le=20), of_kind("quantity")] | None = None


Groups = Annotated[tuple[Group, ...], Meta(min_length=1, max_length=20), of_kind("groups")]


@chapter.event
class InfluenceRecovered(Event, frozen=True, kw_only=True):
    """Tokens go from the recycling zone back to their owner's board (vr:recycling.1)."""

    en: ClassVar[str] = "{seat:seat} recovers influence from recycling: {amount}."
    fr: ClassVar[str] = "{seat:seat} récupère de l'influence du Recyclage : {amount}."

    rule: str = "vr:recycling.1"
    seat: str
    amount: int


@chapter.action(
    summary=("recover influence from recycling", "récupérer de l'influence du Recyclage"),
    when=("at any moment of one's own turn", "à tout moment de son tour"),
)
class RecoverInfluence(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take back some of one's own tokens; each group of 1, 2 or 3 brings its benefit (vr:recycling.5)."""

    groups: Groups
    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Recover at most the available tokens; the benefits follow in the order of the groups."""
        turn = on_turn(draft)
        state, seat = draft.state, draft.seat
        draft.draws.offer(self.drawn)
        amount = sum(requested.tokens for requested in self.groups)
        if amount > recycled(state, seat):
            raise Impossible(
                "vr:recycling.1",
                "{seat:seat} has {held} tokens in the recycling zone, not {amount}",
                "{seat:seat} a {held} jetons au Recyclage, et non {amount}",
                seat=seat,
                held=recycled(state, seat),
                amount=amount,
            ).citing("vr:recycling.5")
        benefits = [(requested, _benefit(draft, requested)) for requested in self.groups]
        moved = (Posting(influence(seat), amount, RECYCLING, player(seat)),)
        draft.record(InfluenceRecovered(seat=seat, amount=amount, postings=moved))
        for group, benefit in benefits:
            chosen = _chosen(draft, benefit, group)
            doing = Doing(seat=seat, rule=benefit.rule, source="", area=turn.director)
            effects.carry_out(draft, chosen, doing)

    def redacted(self) -> Mapping[str, Any]:
        """Hide the cards drawn at random or looked at."""
        return {"groups": msgspec.to_builtins(self.groups)}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer one or two groups of each kind, within the available tokens."""
        available = recycled(state, seat)
        if not available or not is_turn_of(state, seat):
            return
        singles = [
            {"tokens": item.tokens} if option is None else {"tokens": item.tokens, "option": option}
            for item in pieces_of(state).recycling
            for option in _options(item)
        ]
        cards = hand_size(state, seat)
        for many in (1, 2):
            for groups in combinations_with_replacement(singles, many):
                draws = tuple(sorted(item["option"] for item in groups if "option" in item))
                if sum(item["tokens"] for item in groups) <= available and _discards(state, groups) <= cards:
                    yield Choice({"groups": list(groups)}, free=("groups",), alike=draws)


def _discards(state: VirtualRevolution, groups: Iterable[Mapping[str, int]]) -> int:
    """Count the groups that discard a Corruption card."""
    by_size = {row.tokens: row for row in pieces_of(state).recycling}
    return sum(
        isinstance(effect, DiscardCorruption)
        for group in groups
        for choice in by_size[group["tokens"]].effects
        if isinstance(choice, ChooseOne)
        for effect in choice.options[group.get("option", 0)]
    )


def _options(benefit: pieces.Recycling) -> Iterable[int | None]:
    """Return the numbers of the benefits open to a group; None for a single benefit."""
    choice = next((effect for effect in benefit.effects if isinstance(effect, ChooseOne)), None)
    return (None,) if choice is None else range(len(choice.options))


def _benefit(draft: Draft, group: Group) -> pieces.Recycling:
    """Return the benefit of a group by its size. Raises Impossible for an unknown size."""
    benefits = pieces_of(draft.state).recycling
    benefit = next((row for row in benefits if row.tokens == group.tokens), None)
    if benefit is None:
        raise Impossible(
            "vr:recycling.5",
            "tokens are recovered in groups of {sizes:list}, not of {tokens}",
            "les jetons se récupèrent par groupes de {sizes:list}, et non de {tokens}",
            sizes=[row.tokens for row in benefits],
            tokens=group.tokens,
        )
    return benefit


def _chosen(draft: Draft, benefit: pieces.Recycling, group: Group) -> list[Effect]:
    """Return the effects of a benefit, with the option chosen by the player.

    Raises Impossible for a missing or superfluous choice, and for a discard with an empty hand
    (vr:corruption.4).
    """
    chosen: list[Effect] = []
    asks = False
    for effect in benefit.effects:
        if isinstance(effect, ChooseOne):
            asks = True
            if group.option is not None and group.option < len(effect.options):
                chosen.extend(effect.options[group.option])
                continue
            raise Impossible(
                benefit.rule,
                "a group of {tokens} brings one of {count} benefits: say which by its number, from 0",
                "un groupe de {tokens} donne un avantage parmi {count} : indiquez son numéro, à partir de 0",
                tokens=group.tokens,
                count=len(effect.options),
            )
        chosen.append(effect)
    if group.option is not None and not asks:
        raise Impossible(
            benefit.rule,
            "a group of {tokens} brings one thing: there is nothing to choose",
            "un groupe de {tokens} donne une seule chose : il n'y a rien à choisir",
            tokens=group.tokens,
        )
    if any(isinstance(candidate, DiscardCorruption) for candidate in chosen) and not hand_size(
        draft.state, draft.seat
    ):
        raise Impossible(
            "vr:corruption.4",
            "{seat:seat} has no Corruption card to discard",
            "{seat:seat} n'a pas de carte Corruption à défausser",
            seat=draft.seat,
        ).citing(benefit.rule)
    return chosen

"""Seasons: closed early by the merchants left, and followed by further seasons, until the banker ends the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.rulebooks.monopoly.debts.debts import blocking
from ledger.rulebooks.monopoly.end import season_close
from ledger.rulebooks.monopoly.end.closing import GameWon
from ledger.rulebooks.monopoly.end.season_close import division_of
from ledger.rulebooks.monopoly.table.dice import Thrown
from ledger.rulebooks.monopoly.table.pieces import Division
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cite,
    in_play,
    is_selling,
    pieces,
    player_in_play,
    require_stage,
)
from ledger.rulebooks.monopoly.table.terms import BUILDINGS, POT, STOCK
from ledger.rulebooks.parts import decks, titles
from ledger.rulebooks.parts.seats import player as purse
from ledger.rulebooks.parts.seats import seat_named

chapter = season_close.chapter


# ----------------------------------------------------------------------------------------------
# Consent to an early close
# ----------------------------------------------------------------------------------------------


@chapter.event
class CloseConsented(Event, frozen=True, kw_only=True):
    """A merchant agrees to close the season."""

    en: ClassVar[str] = "{seat:seat} agrees to close the season."
    fr: ClassVar[str] = "{seat:seat} consent à clore la saison."

    seat: str

    def apply(self, state: Monopoly) -> None:
        """Store the consent until a withdrawal."""
        state.consents = state.consents | {self.seat}


@chapter.event
class CloseDeclined(Event, frozen=True, kw_only=True):
    """A merchant no longer agrees to close the season."""

    en: ClassVar[str] = "{seat:seat} no longer agrees to close the season."
    fr: ClassVar[str] = "{seat:seat} ne consent plus à clore la saison."

    seat: str

    def apply(self, state: Monopoly) -> None:
        """Withdraw the consent."""
        state.consents = state.consents - {self.seat}


def may_close(state: Monopoly) -> bool:
    """Return True if enough merchants are out for the others to close the season."""
    above, below = state.settings.early_close
    return len(state.out) * below >= (state.starters or len(state.order)) * above


def is_agreed(state: Monopoly) -> bool:
    """Return True if enough of the merchants left agree to close the season."""
    remaining = in_play(state)
    agree = sum(seat in state.consents for seat in remaining)
    return agree == len(remaining) if state.settings.close_by == "all" else 2 * agree > len(remaining)


def between_turns(state: Monopoly) -> bool:
    """Return True if a turn has just ended: the next player has not thrown, and nothing is open."""
    waits = state.throws == 0 and state.landing is None and state.held is None
    free = state.turn is None or blocking(state, state.turn) is None
    return waits and free and not is_selling(state)


def is_closing(state: Monopoly) -> bool:
    """Return True if the season is to be closed now: by consent, and at the end of a turn."""
    return (
        state.stage == "play"
        and bool(state.consents)
        and may_close(state)
        and is_agreed(state)
        and between_turns(state)
    )


def _require_enough_out(draft: Draft) -> None:
    state = draft.state
    starters, (above, below) = state.starters or len(state.order), state.settings.early_close
    draft.require(
        may_close(state),
        cite(state, "season_close"),
        "{out} of {starters} are out, and it takes {needed} to close the season",
        "{out} éliminés sur {starters} : il en faut {needed} pour clore la saison",
        out=len(state.out),
        starters=starters,
        needed=-(-starters * above // below),
    )


@chapter.action(
    summary=("agree to close the season, or no longer", "consentir ou non à clore la saison"),
    when=("once half of the merchants are out", "une fois la moitié des marchands éliminés"),
)
class VoteCloseSeason(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Agree to close the season, or withdraw one's consent; it may be given again later."""

    consent: bool

    def decide(self, draft: Draft) -> None:
        """Refuse while too few are out, and a vote without change."""
        state, seat = draft.state, player_in_play(draft)
        rule = cite(state, "season_vote")
        _require_enough_out(draft)
        if self.consent == (seat in state.consents):
            raise Impossible(
                rule,
                "{seat:seat} agrees already" if self.consent else "{seat:seat} does not agree anyway",
                "{seat:seat} consent déjà" if self.consent else "{seat:seat} ne consent pas de toute façon",
                seat=seat,
            )
        changed = CloseConsented if self.consent else CloseDeclined
        draft.record(changed(rule=rule, seat=seat))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the opposite of the merchant's present vote."""
        if state.stage == "play" and may_close(state) and seat in state.order and seat not in state.out:
            yield Choice({"consent": seat not in state.consents})


@chapter.action(
    by=("banker",),
    summary=("close the season", "clore la saison"),
    when=("at the end of a turn, once all agree", "à la fin d'un tour, une fois l'accord donné"),
)
class CloseSeason(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker closes the season: all who are left pocket their profits, and a ranking is made."""

    dice: Thrown = None
    """The throws of merchants of equal worth and money, two dice for each."""

    def decide(self, draft: Draft) -> None:
        """Refuse without the consent of the merchants left, and in the middle of a turn."""
        state, rule = draft.state, cite(draft.state, "season_close")
        require_stage(draft, "play", rule)
        _require_enough_out(draft)
        missing = [seat for seat in in_play(state) if seat not in state.consents]
        draft.require(
            is_agreed(state),
            rule,
            "not all agree to close the season; missing: {missing:seats}",
            "tous ne consentent pas à clore la saison ; il manque : {missing:seats}",
            missing=missing,
        )
        draft.require(
            between_turns(state),
            rule,
            "the season is closed at the end of a turn, and {seat:seat}'s is under way",
            "la saison se clôt à la fin d'un tour, et celui {seat:de|seat} est en cours",
            seat=state.turn,
        )
        season_close.close(draft, cause="closed", dice=self.dice)

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the close after the consent, between two turns."""
        return (Choice({}),) if is_closing(state) else ()


# ----------------------------------------------------------------------------------------------
# The next season
# ----------------------------------------------------------------------------------------------


@chapter.event
class SeasonOpened(Event, frozen=True, kw_only=True):
    """The next season is prepared: everything goes back where it came from, but for the treasuries."""

    en: ClassVar[str] = "Season {season} is prepared: all money and property is back at the bank."
    fr: ClassVar[str] = "La saison {season} se prépare : argent et propriétés reviennent à la banque."

    season: int

    def apply(self, state: Monopoly) -> None:
        """Prepare the table anew: nobody is out, and the order is thrown again."""
        state.stage, state.season = "setup", self.season
        state.thrown, state.shuffled, state.dealt = {}, frozenset(), False
        state.positions, state.jailed = {}, {}
        state.costs, state.under = {}, {}
        state.out, state.ranking, state.starters = (), (), 0
        state.moved_up = None


@chapter.action(
    by=("banker",),
    summary=("open the next season", "ouvrir la saison suivante"),
    when=("when a season is over", "quand une saison est terminée"),
)
class OpenSeason(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker takes everything back, and the table is prepared for the next season."""

    def decide(self, draft: Draft) -> None:
        """Refuse while a merchant on the way up is still at the table."""
        state, rule = draft.state, cite(draft.state, "season_open")
        require_stage(draft, "between", rule)
        draft.require(
            state.moved_up is None,
            cite(state, "relegation"),
            "{seat:seat} has asked to move up: the next season is a new game, in which the worst merchant of the "
            "division above takes that place",
            "{seat:seat} a demandé à monter : la saison suivante est une nouvelle partie, où le moins bon "
            "marchand de la division supérieure prend cette place",
            seat=state.moved_up,
        )
        draft.record(SeasonOpened(rule=rule, season=state.season + 1, postings=tuple(_returned(state))))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the next season after the close of a season, if nobody moves up."""
        return (Choice({}),) if state.stage == "between" and state.moved_up is None else ()


def _returned(state: Monopoly) -> Iterator[Posting]:
    """Build the postings of everything back to the bank, the stock and the decks."""
    board = pieces(state)
    sources = (POT, *map(purse, state.order), *map(titles.attached, board.titles))
    for account in sources:
        for thing, amount in sorted(state.holdings.account(account).items()):
            if decks.is_card(thing):
                target = decks.pile(board.card[decks.card_of(thing)].deck)
            else:
                target = STOCK if thing in BUILDINGS else BANK
            if amount > 0:
                yield Posting(thing, amount, account, target)


@chapter.action(
    by=("banker",),
    summary=("end the game", "terminer la partie"),
    when=("when a season is over", "quand une saison est terminée"),
)
class EndGame(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The banker ends the game, and no other season follows: the best of the last one has won."""

    def decide(self, draft: Draft) -> None:
        """Refuse while a season is played or prepared."""
        state = draft.state
        require_stage(draft, "between", cite(state, "season_open"))
        draft.record(GameWon(rule=cite(state, "victory"), winners=state.ranking[:1]))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the end after the close of a season."""
        return (Choice({}),) if state.stage == "between" else ()


# ----------------------------------------------------------------------------------------------
# Divisions
# ----------------------------------------------------------------------------------------------


@chapter.event
class PromotionAsked(Event, frozen=True, kw_only=True):
    """The best merchant of a season will play the next one in the division above."""

    en: ClassVar[str] = "{seat:seat} will play the next season in {division:division}."
    fr: ClassVar[str] = "{seat:seat} jouera la saison suivante en {division:division}."

    seat: str
    division: str

    def apply(self, state: Monopoly) -> None:
        """Store the seat, to change places at the opening of both divisions' next season."""
        state.moved_up = self.seat


def division_above(state: Monopoly) -> Division | None:
    """Return the next higher division; None from the highest, or without a division."""
    current = division_of(state)
    above = [
        division for division in pieces(state).divisions if current is not None and division.level < current.level
    ]
    return max(above, key=lambda division: division.level, default=None)


@chapter.action(
    summary=("move up to the next division", "passer dans la division supérieure"),
    when=("when a season is over, as its best merchant", "quand une saison est terminée, en étant le meilleur"),
)
class SwapDivision(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The best merchant of the season asks to change places with the worst one of the division above."""

    def decide(self, draft: Draft) -> None:
        """Refuse every merchant except the best, and refuse the best of the highest division."""
        state, rule = draft.state, cite(draft.state, "promotion")
        require_stage(draft, "between", rule)
        seat = seat_named(state, draft.seat, rule)
        if state.ranking[:1] != (seat,):
            raise Impossible(
                rule,
                "the best merchant of the season is {best:seat}, not {seat:seat}",
                "le meilleur marchand de la saison est {best:seat}, pas {seat:seat}",
                best=state.ranking[0] if state.ranking else None,
                seat=seat,
            )
        above = division_above(state)
        if above is None:
            raise Impossible(
                rule,
                "there is no higher division to move up to",
                "il n'y a pas de division supérieure où monter",
            )
        if state.moved_up is not None:
            raise Impossible(
                rule,
                "{seat:seat} has asked to move up already",
                "{seat:seat} a déjà demandé à monter",
                seat=seat,
            )
        draft.record(PromotionAsked(rule=rule, seat=seat, division=above.id))

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the best merchant the division above, if any."""
        best = state.stage == "between" and state.ranking[:1] == (seat,) and state.moved_up is None
        return (Choice({}),) if best and division_above(state) is not None else ()

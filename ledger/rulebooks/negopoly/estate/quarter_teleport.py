"""V.E.19. Bleu foncé: the holder teleports from a Bleu foncé title to any square, instead of rolling."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import PlaceNumber
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.board import movement
from ledger.rulebooks.negopoly.estate.quarters import has_ability
from ledger.rulebooks.negopoly.table.pieces import TITLES
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, is_squatted, own_turn
from ledger.rulebooks.negopoly.table.terms import ROLL_FR, Drawn, Turn

chapter = Chapter("V.E. Bleu foncé's teleport")


def _at_home(state: Negopoly, turn: Turn) -> bool:
    """Return True if the turn started on a Bleu foncé title without squatters."""
    title = None if turn.started_on is None else state.board[turn.started_on].property
    return title is not None and TITLES[title].quarter == "bleu_fonce" and not is_squatted(state, title)


@chapter.action(
    summary=("teleport anywhere instead of rolling", "se téléporter n'importe où au lieu de lancer les dés"),
    when=(
        "in your own turn, before the roll, if it started on a Bleu foncé title, holding the quarter",
        "pendant son tour, avant le lancer, s'il a commencé sur une propriété Bleu foncé, en tenant le quartier",
    ),
)
class QuarterTeleport(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The holder of Bleu foncé teleports to any square (0 to 39 from Spawn) instead of rolling (V.E.19)."""

    square: PlaceNumber
    draws: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Require a turn with the start on a Bleu foncé title.

        The arrival is an ordinary stop; Spawn pays (VI.A.3).
        """
        draft.draws.offer(self.draws)
        turn = own_turn(draft, "II.D.4", waivable=False)
        seat, state = turn.seat, draft.state
        squares = len(state.board)
        if self.square >= squares:
            raise Impossible(
                "V.E.19",
                "there is no square {square}; the last one is {last}",
                "il n'y a pas de case {square} ; la dernière est la {last}",
                square=self.square,
                last=squares - 1,
            )
        draft.require(
            has_ability(state, seat, "bleu_fonce"),
            "V.E.19",
            "{seat:seat} does not hold the whole Bleu foncé quarter free of mortgages",
            "{seat:seat} ne tient pas tout le quartier Bleu foncé libre d'hypothèque",
            seat=seat,
        )
        draft.require(
            _at_home(state, turn),
            "V.E.19",
            "{seat:seat}'s turn did not start on a Bleu foncé title free of squatters",
            "le tour {seat:de|seat} n'a pas commencé sur une propriété Bleu foncé sans squatteurs",
            seat=seat,
        )
        draft.require(
            turn.roll == "due",
            "III.A.3",
            "{seat:seat} has no roll left to replace this turn (it is {roll})",
            "{seat:seat} n'a plus de lancer à remplacer ce tour-ci ({lancer})",
            seat=seat,
            roll=turn.roll,
            lancer=ROLL_FR[turn.roll],
        )
        draft.require(
            turn.drug_die is None,
            "III.B.6",
            "{seat:seat} has consumed a dose this turn, and its effect on the roll is compulsory",
            "{seat:seat} a consommé une dose ce tour-ci, et son effet sur le lancer est obligatoire",
            seat=seat,
        )
        disruption.require_reach(draft)
        movement.teleport(draft, seat, self.square, rule="V.E.19")

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer every square before the roll, if the turn has started on a Bleu foncé title."""
        turn = state.turn
        if (
            turn is not None
            and turn.seat == seat
            and turn.roll == "due"
            and has_ability(state, seat, "bleu_fonce")
        ):
            yield from (Choice({"square": square.index}) for square in state.board)

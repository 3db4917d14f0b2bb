// The things that wait for a player: steps that the game awaits, and offers of others. Pure.
import type { Awaited, GameState, Move, MoveOption } from "../api/types";
import { laidFor } from "../deals/offers";

export interface Offer {
  move: Move;
  /** The options behind which somebody has laid something for the seat. */
  options: MoveOption[];
}

/** Return the offers made to a seat, by the move that accepts one. */
export function offersTo(seat: string, moves: readonly Move[]): Offer[] {
  return moves.flatMap((move) => {
    const options = (move.choice?.options ?? []).filter((option) => laidFor(option, seat).length > 0);
    return options.length > 0 ? [{ move, options }] : [];
  });
}

/** Count the steps awaited from a seat, and the offers made to the seat. A step that accepts an offer counts once. */
export function countWaiting(seat: string, state: GameState | null, moves: readonly Move[]): number {
  const offers = offersTo(seat, moves);
  const ids = new Set(offers.map(({ move }) => move.id));
  const steps = (state?.awaited ?? []).filter((awaited) => awaited.seat === seat && !awaited.moves.some((id) => ids.has(id)));
  return steps.length + offers.reduce((sum, { options }) => sum + options.length, 0);
}

/** A question to a seat: several answers, or a single answer outside its turn. */
export interface Question {
  awaited: Awaited;
  answers: Move[];
}

/** Divide the due moves of a seat into the answers to questions and the steps of its turn. */
export function duesOf(seat: string | null, turn: string | null, state: GameState | null, moves: readonly Move[]): { questions: Question[]; steps: Move[] } {
  const due = moves.filter((move) => move.rank === "due");
  const questions = (state?.awaited ?? []).flatMap((awaited) => {
    const answers = awaited.seat === seat ? due.filter((move) => awaited.moves.includes(move.id)) : [];
    return answers.length > 1 || (answers.length === 1 && turn !== seat) ? [{ awaited, answers }] : [];
  });
  return { questions, steps: due.filter((move) => !questions.some(({ answers }) => answers.includes(move))) };
}

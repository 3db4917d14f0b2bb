// Moves and agreements about deals, by their data alone. Pure, and small: the first page of a phone needs it.
import type { Agreement, Move, MoveOption, Obligation } from "../api/types";

/** Tell if the parts of a deal are open in a move. */
export function isDeal(move: Move): boolean {
  return Object.values(move.free).some((free) => free["x-kind"] === "legs");
}

/** Tell if an agreement is an offer of things to one seat by another. */
export function isOfferTo(agreement: Agreement, seat: string): boolean {
  return agreement.parties.length === 2 && agreement.gives.length > 0 && agreement.next.some((next) => next.answer === "accept" && (next.seat ?? seat) === seat);
}

/** Return what others have laid aside for the seat's choice of this option: the content of an offer. */
export function laidFor(option: MoveOption, seat: string | undefined): Obligation[] {
  return (option.settles ?? []).filter((owed) => owed.status === "laid" && owed.debtor !== seat && owed.amount !== undefined);
}

/** Return the moves with one form, in the place of the first, for all moves of a kind that lay a lot. */
export function formsIn(moves: readonly Move[]): Move[] {
  return moves.flatMap((move, at): Move[] => {
    if (!move.lot) return [move];
    const alike = moves.filter((candidate) => candidate.kind === move.kind);
    if (alike[0] !== moves[at]) return [];
    const { choice: _, cost: _cost, costs: _costs, ...shared } = move;
    return [{ ...shared, params: {}, free: Object.assign({}, ...alike.map((candidate) => candidate.free)), label: move.lot.label } as Move];
  });
}

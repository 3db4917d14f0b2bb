// Debts as a list: who owes whom, and the moves that settle them. Pure.
import type { Move, Obligation, SeatMoves } from "../api/types";
import { fixedIn } from "../forms/fixing";

/** Tell if an obligation is a debt: an amount owed, and not laid aside yet. */
export function isDebt(owed: Obligation): boolean {
  return owed.amount !== undefined && owed.status !== "laid";
}

/** Return the debts: the seat's own first, then those owed to the seat, then the others; due ones ahead of later ones. */
export function debtsFor(obligations: readonly Obligation[], seat: string | null, owners: Readonly<Record<string, string>>): Obligation[] {
  const rank = (owed: Obligation): number => {
    const side = seat === null ? 2 : owed.debtor === seat ? 0 : owed.creditor !== undefined && owners[owed.creditor] === seat ? 1 : 2;
    return 2 * side + Number(owed.status !== "due");
  };
  return obligations.filter(isDebt).toSorted((a, b) => rank(a) - rank(b));
}

/** A move that settles a debt, with its choice made. */
export interface Settlement {
  seat: string;
  move: Move;
  /** True for the debtor's own move: a payment. */
  pays: boolean;
  /** True if a part of the debt may be paid. */
  partly: boolean;
}

/** Find the moves of these seats that settle a debt; the debtor's moves come first. */
export function settlementsOf(debt: Obligation, seats: readonly SeatMoves[]): Settlement[] {
  const settles = (settled: readonly Obligation[] | undefined): boolean => settled?.some((owed) => owed.text === debt.text) ?? false;
  const payments = seats.flatMap(({ seat, moves }) => {
    if (seat === undefined) return [];
    return moves.flatMap((move): Settlement[] => {
      const option = move.choice?.options.find((candidate) => settles(candidate.settles));
      if (!option && !settles(move.settles)) return [];
      const fixed = option ? fixedIn(move, { [move.choice!.parameter]: option.value }) : move;
      return [{ seat, move: fixed, pays: seat === debt.debtor, partly: Object.values(fixed.free).some((free) => free["x-kind"] === "amount") }];
    });
  });
  return payments.toSorted((a, b) => Number(b.pays) - Number(a.pays));
}

/** A sum of debts, with the fields of the API that make it. */
interface Sum {
  amount: number;
  of: string;
}

/** Sum the debts of each seat in a commodity: what it owes, and what is owed to it. */
export function sumsOf(obligations: readonly Obligation[], commodity: string, owners: Readonly<Record<string, string>>): Map<string, { owes: Sum; owed: Sum }> {
  const sums = new Map<string, { owes: Sum; owed: Sum }>();
  const add = (seat: string | undefined, side: "owes" | "owed", amount: number, at: number): void => {
    if (seat === undefined) return;
    const sides = sums.get(seat) ?? { owes: { amount: 0, of: "" }, owed: { amount: 0, of: "" } };
    const { amount: sum, of } = sides[side];
    sums.set(seat, { ...sides, [side]: { amount: sum + amount, of: `${of} obligations/${at}/amount`.trim() } });
  };
  obligations.forEach((owed, at) => {
    if (!isDebt(owed) || owed.commodity !== commodity) return;
    add(owed.debtor, "owes", owed.amount!, at);
    add(owners[owed.creditor ?? ""], "owed", owed.amount!, at);
  });
  return sums;
}

// Acts that are final for their seat: those that make a debt, and gifts. Pure.
import type { Entry, Move, Obligation } from "../api/types";

/** Return the debts of a seat that an action would open: amounts not yet laid. */
export function debtsIn(entry: Entry, seat: string | null): Obligation[] {
  return (entry.owed ?? []).filter((owed) => owed.debtor === seat && owed.amount !== undefined && owed.status !== "laid");
}

/** Tell if an action takes something from a seat, brings it nothing, and brings all of it to other seats: not to a bid. */
export function isGift(entry: Entry, owners: Readonly<Record<string, string>>, seat: string): boolean {
  const changes = entry.effects.map(({ account, before, after }) => ({ owner: owners[account], by: after - before }));
  const ofSeat = changes.filter(({ owner }) => owner === seat);
  return changes.every(({ owner }) => owner !== undefined) && ofSeat.some(({ by }) => by < 0) && !ofSeat.some(({ by }) => by > 0) && changes.some(({ owner, by }) => owner !== undefined && owner !== seat && by > 0);
}

/** Tell if a move, or one of its options, settles something owed. */
export function settlesIn(move: Move): boolean {
  return move.settles !== undefined || (move.choice?.options.some((option) => option.settles !== undefined) ?? false);
}

/** Tell if an action binds its seat like a move that cannot be taken back: by a debt, or by a gift. */
export function isBinding(move: Move, entry: Entry, owners: Readonly<Record<string, string>>, seat: string): boolean {
  return (move.rank !== "due" && debtsIn(entry, seat).length > 0) || (!settlesIn(move) && isGift(entry, owners, seat));
}

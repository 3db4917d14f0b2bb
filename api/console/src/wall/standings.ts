// The bars of the standings, with their relative lengths. Pure functions of the spectator's view.
import type { Seat, Standing } from "../api/types";

export interface Bar {
  seat: Seat;
  standing: Standing;
  /** The value of the bar; undefined if hidden from the viewer. */
  worth: number | undefined;
  /** From 0 to 100, of the greatest. */
  share: number;
}

/** Return the seats in the given order, with the lengths of their bars. Debts have no length. */
export function barsOf(seats: readonly Seat[], standings: ReadonlyMap<string, Standing>): Bar[] {
  const worths = seats.map((seat) => {
    const standing = standings.get(seat.seat);
    return standing?.worth ?? standing?.shown;
  });
  const greatest = Math.max(1, ...worths.map((worth) => worth ?? 0));
  return seats.flatMap((seat, at) => {
    const standing = standings.get(seat.seat);
    const worth = worths[at];
    return standing ? [{ seat, standing, worth, share: Math.round((Math.max(0, worth ?? 0) / greatest) * 100) }] : [];
  });
}

/** Tell if phones of the network reach an address beyond this computer. */
export function isReachable(hostname: string): boolean {
  return !/^(localhost|.*\.localhost|127(\.\d+){3}|\[?::1\]?)$/.test(hostname);
}

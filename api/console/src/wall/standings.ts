// The bars of the standings: how long each is beside the others. Pure functions of what the spectator sees.
import type { Seat, Standing } from "../api/types";

export interface Bar {
  seat: Seat;
  standing: Standing;
  /** What the bar measures; nothing where the viewer may not know it. */
  worth: number | undefined;
  /** From 0 to 100, of the greatest. */
  share: number;
}

/** The seats in the order given, with the lengths of their bars. What is owed has no length. */
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

/** Whether phones of the same network reach an address, other than this computer alone. */
export function isReachable(hostname: string): boolean {
  return !/^(localhost|.*\.localhost|127(\.\d+){3}|\[?::1\]?)$/.test(hostname);
}

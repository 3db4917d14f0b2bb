// The order of the seats at the end of a game. Pure functions.
import type { Board, Display, Seat, Standing } from "../api/types";

export interface Rank {
  seat: Seat;
  standing: Standing | undefined;
  /** The place by worth, if the viewer sees the worth of all; who is out has none. */
  place: number | null;
  /** The worth, or the open part of it, in percent of the greatest; 0 for all if it does not make the order. */
  share: number;
}

/** Return the seats from the best to the last: winners first, then by worth, or by its open part if any worth is hidden. */
export function ranksOf(seats: readonly Seat[], standings: ReadonlyMap<string, Standing>): Rank[] {
  const all = seats.map((seat) => ({ seat, standing: standings.get(seat.seat) }));
  const isWhole = all.every(({ standing }) => standing?.worth !== undefined);
  const height = (standing: Standing | undefined): number => (isWhole ? standing?.worth : standing?.shown) ?? 0;
  const highest = Math.max(1, ...all.map(({ standing }) => height(standing)));
  const wins = (standing: Standing | undefined): number => Number(standing?.status === "won");
  const ranks = all
    .map(({ seat, standing }) => ({ seat, standing, place: isWhole ? (standing?.place ?? null) : null, share: (100 * Math.max(0, height(standing))) / highest }))
    .toSorted((one, other) => wins(other.standing) - wins(one.standing) || (one.place ?? seats.length) - (other.place ?? seats.length) || other.share - one.share);
  return ranks.every(({ share }, at) => at === 0 || share <= ranks[at - 1]!.share) ? ranks : ranks.map((rank) => ({ ...rank, share: 0 }));
}

export interface Title {
  id: string;
  name: string;
  colour: string | undefined;
  mortgaged: boolean;
}

/** Return the titles of a seat on the board, in the board's order. */
export function titlesOf(seat: string, board: Board | null, display: Display | undefined): Title[] {
  const colours = new Map((board?.groups ?? []).map(({ id, colour }) => [id, colour]));
  return (board?.places ?? []).flatMap(({ id, name, group, commodity }) => {
    const lies = display?.places[id];
    return commodity && lies?.owner === seat ? [{ id, name, colour: group === undefined ? undefined : colours.get(group), mortgaged: lies.lift !== undefined }] : [];
  });
}

// The worth of the seats over a game, as lines of a drawing. Pure functions.
import { nice, ticks } from "d3-array";
import type { Statistics, Wealth } from "../../api/types";

export interface Curve {
  seat: string;
  values: readonly number[];
  /** The field of the API with a value. */
  of: (at: number) => string;
  /** True if a part of the worth is hidden from the viewer: the line is the open part. */
  open: boolean;
}

/** Return a line for each seat: its worth, or else the sum of its open parts. */
export function curvesOf(wealth: Wealth): Curve[] {
  return wealth.seats.flatMap<Curve>(({ seat, total, parts }) => {
    const field = `statistics/wealth/seats/${seat}`;
    if (total) return [{ seat, values: total, of: (at: number) => `${field}/total/${at}`, open: false }];
    const names = Object.keys(parts);
    if (names.length === 0) return [];
    const values = wealth.moments.map((_, at) => names.reduce((sum, name) => sum + parts[name]![at]!, 0));
    return [{ seat, values, of: (at: number) => names.map((name) => `${field}/parts/${name}/${at}`).join(" "), open: true }];
  });
}

/** Return the first moment worth drawing: before the first round everybody only takes a seat. */
export function firstOf(wealth: Wealth): number {
  return Math.max(0, (wealth.rounds ?? []).findIndex((round) => round !== null));
}

/** Return about four round numbers around all values. They begin at nothing, unless all values are far from it. */
export function ticksOf(values: readonly number[]): number[] {
  const top = Math.max(1, ...values);
  const least = Math.min(top, ...values);
  const [from, to] = nice(least > top / 3 && least < top ? least : Math.min(0, least), top, 4);
  const all = ticks(from, to, 4);
  return all.filter((tick) => Number.isInteger(tick));
}

/** Return the last moment of each round: its index in the lists, and the round. A round that comes again has one only. */
export function endsOfRounds(rounds: readonly (number | null)[]): { at: number; round: number }[] {
  const ends = new Map<number, number>();
  rounds.forEach((round, at) => round !== null && round >= Math.max(0, ...ends.keys()) && ends.set(round, at));
  return [...ends].map(([round, at]) => ({ at, round }));
}

/** Return some of many, at even distances, with the last. */
export function someOf<T>(all: readonly T[], most: number): T[] {
  const step = Math.ceil(all.length / most);
  return all.filter((_, at) => (all.length - 1 - at) % step === 0);
}

/** Return the moments to look at: the ends of the rounds, or some moments of a game without rounds, and the last. */
export function looksOf(wealth: Wealth, most: number): { at: number; round: number | null }[] {
  const last = wealth.moments.length - 1;
  const rounds = endsOfRounds(wealth.rounds ?? []);
  if (rounds.length < 2) return someOf(wealth.moments.map((_, at) => ({ at, round: null })), most);
  return rounds.at(-1)!.at === last ? someOf(rounds, most) : [...someOf(rounds, most - 1), { at: last, round: null }];
}

/** Return the largest turning points in the order of the game, each with its index in the API's list and its place. */
export function flagsOf({ turning_points, wealth }: Pick<Statistics, "turning_points" | "wealth">, most: number) {
  return turning_points
    .map((point, of) => ({ point, of, at: wealth.moments.findLastIndex((moment) => moment <= point.moment) }))
    .slice(0, most)
    .toSorted((first, second) => first.point.moment - second.point.moment);
}

/** Move labels apart, so that none covers another. Returns the positions in the given order. */
export function apart(places: readonly number[], distance: number, height: number): number[] {
  const order = places.map((position, at) => ({ place: position, at })).sort((a, b) => a.place - b.place);
  let free = -Infinity;
  for (const label of order) {
    label.place = Math.max(label.place, free);
    free = label.place + distance;
  }
  let limit = height;
  for (const label of order.toReversed()) {
    label.place = Math.min(label.place, limit);
    limit = label.place - distance;
  }
  return order.toSorted((a, b) => a.at - b.at).map(({ place: position }) => position);
}

// Lines over the course of a game, as points of a drawing. Pure functions.

export interface Curve {
  seat: string;
  values: readonly number[];
}

export interface Box {
  width: number;
  height: number;
}

/** Return about `count` round numbers between the least and the greatest value. */
export function ticksOf(least: number, greatest: number, count = 4): number[] {
  const span = Math.max(1, greatest - least);
  const raw = span / count;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, [1, 2, 5, 10].map((times) => times * unit).find((candidate) => candidate >= raw) ?? raw);
  const first = Math.floor(least / step) * step;
  const last = Math.ceil(greatest / step) * step;
  return Array.from({ length: Math.round((last - first) / step) + 1 }, (_, at) => first + at * step);
}

/** Scale a value between two others, to tenths of a unit of the drawing. */
export function placeOf(value: number, from: number, to: number, size: number): number {
  return to === from ? 0 : Math.round(((value - from) / (to - from)) * size * 10) / 10;
}

/** Return the points of a line for an SVG polyline. A constant stretch has a point at each end only. */
export function pointsOf(curve: Curve, moments: readonly number[], least: number, greatest: number, box: Box): string {
  const first = moments[0] ?? 0;
  const last = moments.at(-1) ?? 0;
  const points = curve.values
    .map((value, at) => ({ value, at }))
    .filter(({ value, at }) => value !== curve.values[at - 1] || value !== curve.values[at + 1]);
  return points
    .map(({ value, at }) => `${placeOf(moments[at]!, first, last, box.width)},${box.height - placeOf(value, least, greatest, box.height)}`)
    .join(" ");
}

/** Return the last moment of each round: its index in the lists, and the round. */
export function endsOfRounds(rounds: readonly (number | null)[]): { at: number; round: number }[] {
  return rounds.flatMap((round, at) => (round !== null && rounds[at + 1] !== round ? [{ at, round }] : []));
}

/** Move labels at the ends of lines apart, so that none covers another. Returns the positions in the given order. */
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

// Walking from value to value of a chart with the arrow keys. Pure functions.

/** A value's row and its place in the row. */
export type Spot = readonly [row: number, column: number];

/** Return the next value for a key; null for a key that does not walk, or without values. */
export function walked(lengths: readonly number[], at: Spot | null, key: string): Spot | null {
  const rows = lengths.flatMap((length, row) => (length > 0 ? [row] : []));
  if (rows.length === 0 || !/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(key)) return null;
  if (!at) return [rows[0]!, key === "End" ? lengths[rows[0]!]! - 1 : 0];
  const [row, column] = at;
  const last = lengths[row]! - 1;
  if (key === "Home") return [row, 0];
  if (key === "End") return [row, last];
  if (key === "ArrowLeft") return [row, Math.max(0, column - 1)];
  if (key === "ArrowRight") return [row, Math.min(last, column + 1)];
  const next = rows[rows.indexOf(row) + (key === "ArrowUp" ? -1 : 1)] ?? row;
  return [next, Math.min(column, lengths[next]! - 1)];
}

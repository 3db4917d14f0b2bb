// The order of lines in the history. An inserted line, "30.1", stands right after the line in its `after`.
import type { Entry } from "../api/types";

/** Merge inserted lines into the lines of the journal, in the order of the history. */
export function inPlace(lines: readonly Entry[], inserted: ReadonlyMap<string, Entry>): Entry[] {
  const first = lines[0]?.number ?? 0;
  const last = lines.at(-1)?.number ?? 0;
  const placed = [...inserted.values()]
    .map((line) => ({ line, place: placeOf(line, inserted) }))
    .filter(({ place: position }) => first <= position[0]! && position[0]! <= last)
    .toSorted((a, b) => compare(a.place, b.place));
  if (placed.length === 0) return [...lines];
  const result: Entry[] = [];
  let next = 0;
  for (const line of lines) {
    result.push(line);
    while (next < placed.length && placed[next]!.place[0] === line.number) result.push(placed[next++]!.line);
  }
  return result;
}

/** Return the position of a line: (number) in the journal, (after, correction, index) for an inserted line. */
function placeOf(line: Entry, inserted: ReadonlyMap<string, Entry>, depth = 0): number[] {
  if (typeof line.action === "number") return [line.number];
  const parent = typeof line.after === "string" && depth < 50 ? inserted.get(line.after) : undefined;
  const stem = parent ? placeOf(parent, inserted, depth + 1) : [Math.trunc(Number(line.after ?? line.number))];
  return [...stem, line.number, Number(line.action.split(".")[1])];
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? -1) - (b[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

interface Corrected {
  insertions: unknown[];
  edits: unknown[];
  amendments: unknown[];
}

/** Return the changes of earlier lines made by a line; undefined without a correction. */
function corrected(line: Entry): Corrected | undefined {
  const contents = line.events.map((event) => event.data as object);
  return contents.find((data) => "insertions" in data && "amendments" in data) as Corrected | undefined;
}

/** Count the earlier lines changed or inserted by a correction; null for other lines. */
export function correctedBy(line: Entry): number | null {
  const correction = corrected(line);
  return correction ? correction.insertions.length + correction.amendments.length : null;
}

/** Return the names of the lines inserted by a line. */
export function insertedBy(line: Entry): string[] {
  return (corrected(line)?.insertions ?? []).map((_, at) => `${line.number}.${at + 1}`);
}

/** Tell if the viewer sees only a part of a correction: then its edits are left out. */
export function isMasked(line: Entry): boolean {
  const correction = corrected(line);
  return correction !== undefined && correction.edits.length === 0 && correction.insertions.length === 0;
}

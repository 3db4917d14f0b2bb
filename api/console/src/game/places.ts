// Where lines stand in the history. An inserted line, "30.1", stands right after the line that its `after` names.
import type { Entry } from "../api/types";

/** Lines of the journal with the inserted ones that stand between them. Both are given; the order is the history's. */
export function inPlace(held: readonly Entry[], inserted: ReadonlyMap<string, Entry>): Entry[] {
  const first = held[0]?.number ?? 0;
  const last = held.at(-1)?.number ?? 0;
  const placed = [...inserted.values()]
    .map((line) => ({ line, place: placeOf(line, inserted) }))
    .filter(({ place }) => first <= place[0]! && place[0]! <= last)
    .toSorted((one, other) => compare(one.place, other.place));
  if (placed.length === 0) return [...held];
  const result: Entry[] = [];
  let next = 0;
  for (const line of held) {
    result.push(line);
    while (next < placed.length && placed[next]!.place[0] === line.number) result.push(placed[next++]!.line);
  }
  return result;
}

/** The place of a line: (number) in the journal, (after, correction, index) for an inserted one. */
function placeOf(line: Entry, inserted: ReadonlyMap<string, Entry>, depth = 0): number[] {
  if (typeof line.action === "number") return [line.number];
  const parent = typeof line.after === "string" && depth < 50 ? inserted.get(line.after) : undefined;
  const before = parent ? placeOf(parent, inserted, depth + 1) : [Math.trunc(Number(line.after ?? line.number))];
  return [...before, line.number, Number(line.action.split(".")[1])];
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const difference = (one[at] ?? -1) - (other[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

interface Corrected {
  insertions: unknown[];
  edits: unknown[];
  amendments: unknown[];
}

/** What a line says that it did to earlier ones; nothing where it corrected none. */
function corrected(line: Entry): Corrected | undefined {
  const told = line.events.map((event) => event.data as object);
  return told.find((data) => "insertions" in data && "amendments" in data) as Corrected | undefined;
}

/** How many earlier lines a correction changed or inserted; null for a line that is none. */
export function correctedBy(line: Entry): number | null {
  const found = corrected(line);
  return found ? found.insertions.length + found.amendments.length : null;
}

/** The names of the lines that a line inserted. */
export function insertedBy(line: Entry): string[] {
  return (corrected(line)?.insertions ?? []).map((_, at) => `${line.number}.${at + 1}`);
}

/** Whether the viewer sees only a part of what a correction did: then its edits are left out. */
export function isMasked(line: Entry): boolean {
  const found = corrected(line);
  return found !== undefined && found.edits.length === 0 && found.insertions.length === 0;
}

// The rows of the ledger: lines grouped by turn, like lines in a row folded. Pure functions.
import type { ActionName, Entry, Names } from "../api/types";
import { correctedBy } from "../game/places";
import { moneyChange } from "./lines";

/** A turn: the seat, and the round (0 before the first). */
export interface Turn {
  seat: string | null;
  round: number;
}

export interface Row {
  key: string;
  /** The line; of a run, the last line. */
  line: Entry;
  /** The lines of a run in order; a single line is a run, too. */
  run: readonly Entry[];
  /** True for a run with the lines listed below. */
  open: boolean;
  /** True for a line below the run. */
  inner: boolean;
  /** The turn beginning with the row; null within a turn. */
  head: Turn | null;
}

/** Tell if two neighbours are alike: kind, seat and object are equal, without any correction. */
function isAlike(a: Entry, b: Entry): boolean {
  const isPlain = (line: Entry): boolean => line.status === "effective" && line.after === null && correctedBy(line) === null;
  return (
    a.kind === b.kind && a.seat !== null && a.seat === b.seat && isPlain(a) && isPlain(b) && Math.abs(a.number - b.number) === 1 &&
    a.params !== null && JSON.stringify(a.params) === JSON.stringify(b.params)
  );
}

/** Return the name of a run: the name of the first line. */
export const runName = (run: readonly Entry[]): ActionName => run[0]!.action;

/**
 * Fold lines into rows. `turnOf` returns the turn of a line, or undefined; `open` names the unfolded runs; `apart` tells
 * lines never folded. The order of the lines is that of the history, or the reverse.
 */
export function rowsOf(
  lines: readonly Entry[],
  turnOf: (line: Entry) => Turn | undefined,
  open: ReadonlySet<ActionName> = new Set(),
  apart: (line: Entry) => boolean = () => false,
): Row[] {
  const rows: Row[] = [];
  let last = "";
  for (let at = 0; at < lines.length; ) {
    const run = [lines[at++]!];
    const turn = turnOf(run[0]!);
    const name = turn && turn.round > 0 ? `${turn.round} ${turn.seat}` : last;
    while (at < lines.length && isAlike(run.at(-1)!, lines[at]!) && !apart(run[0]!) && !apart(lines[at]!)) run.push(lines[at++]!);
    const head = turn && name !== last ? turn : null;
    last = name;
    if (run.length > 1 && run[0]!.number > run[1]!.number) run.reverse();
    const isOpen = run.length > 1 && open.has(runName(run));
    rows.push({ key: `${runName(run)}${run.length > 1 ? "+" : ""}`, line: run.at(-1)!, run, open: isOpen, inner: false, head });
    if (isOpen) for (const line of run) rows.push({ key: String(line.action), line, run: [line], open: false, inner: true, head: null });
  }
  return rows;
}

/** Return the change of money by a run, with the field of the API for a single line. */
export function changeOf(
  run: readonly Entry[],
  names: Names | null,
  account?: string,
): { commodity: string; number: number; of?: string } | null {
  const changes = run.map((line) => moneyChange(line, names, account));
  const [first] = changes;
  if (!first || changes.length === 1) return first ?? null;
  return { commodity: first.commodity, number: changes.reduce((sum, change) => sum + (change?.number ?? 0), 0) };
}

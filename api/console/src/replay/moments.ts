// Moments of a history: where rounds begin, which part of the frames is fetched, what was moved. Pure functions.
import type { ActionName, Frame, FrameSide, Posting } from "../api/types";

export type As = "recorded" | "corrected";
/** How many frames are fetched at once, and how many such parts are kept. */
export const PART = 20;
export const PARTS_KEPT = 10;

/** The positions at which a round begins. Before the first round counts as one. */
export function roundStarts(rounds: readonly number[]): number[] {
  return rounds.flatMap((round, at) => (at === 0 || round !== rounds[at - 1] ? [at] : []));
}

/** The beginning of the round before a position: of its own round first, if the position is not there already. */
export function roundBefore(starts: readonly number[], at: number): number {
  return starts.findLast((start) => start < at) ?? 0;
}

export function roundNext(starts: readonly number[], at: number, count: number): number {
  return starts.find((start) => start > at) ?? count - 1;
}

/** The rounds to be named under the slider: at most `most`, evenly chosen. */
export function ticks(rounds: readonly number[], limit: number): { at: number; round: number }[] {
  const starts = roundStarts(rounds).filter((at) => rounds[at]! > 0);
  const every = Math.max(1, Math.ceil(starts.length / limit));
  return starts.filter((_, index) => index % every === 0).map((at) => ({ at, round: rounds[at]! }));
}

/** The position of a line by its name; of a line that is not in the history, the last one before it. */
export function positionOf(lines: readonly ActionName[], name: string): number | null {
  const exact = lines.findIndex((line) => String(line) === name);
  if (exact >= 0) return exact;
  const number = Math.trunc(Number(name));
  if (!(number > 0) || lines.length === 0) return null;
  return Math.max(0, lines.findLastIndex((line) => typeof line === "number" && line <= number));
}

/** The parts to let go: those farthest from the one looked at, so that few enough are left. */
export function tooMany(parts: Iterable<number>, looked: number, limit = PARTS_KEPT): number[] {
  return [...parts].sort((a, b) => Math.abs(a - looked) - Math.abs(b - looked)).slice(limit);
}

/**
 * One history at a position: the side of the frame there, or of the last one before it that stands in that history
 * (`own` says which). `missing` is the position of a frame that must be fetched to know.
 */
export function sideAt(
  get: (position: number) => Frame | undefined,
  position: number,
  as: As,
): { side?: FrameSide; own?: boolean; missing?: number } {
  for (let at = position; at >= 0; at--) {
    const frame = get(at);
    if (frame === undefined) return { missing: at };
    const side = frame[as];
    if (side) return { side, own: at === position };
  }
  return {};
}

export interface Balance {
  account: string;
  commodity: string;
  balance: number;
  /** By how much the line changed it. */
  change: number;
}

/** The balances after a line: all those of the accounts that belong to seats, and of others those that it changed. */
export function balancesAfter(side: Pick<FrameSide, "balances" | "postings">, owners: Readonly<Record<string, string>>): Balance[] {
  const changes = new Map<string, number>();
  const add = (posting: Posting, account: string, by: number): void => {
    const key = `${account} ${posting.commodity}`;
    changes.set(key, (changes.get(key) ?? 0) + by);
  };
  for (const posting of side.postings) {
    add(posting, posting.from, -posting.amount);
    add(posting, posting.to, posting.amount);
  }
  const rows: Balance[] = [];
  for (const [account, amounts] of Object.entries(side.balances)) {
    const moved = [...changes.keys()].filter((key) => key.startsWith(`${account} `)).map((key) => key.slice(account.length + 1));
    for (const commodity of new Set([...moved, ...Object.keys(amounts)])) {
      const change = changes.get(`${account} ${commodity}`) ?? 0;
      const balance = amounts[commodity] ?? 0;
      if (change !== 0 || (account in owners && balance !== 0)) rows.push({ account, commodity, balance, change });
    }
  }
  // Owned accounts first, and in each what changed first.
  const rank = (row: Balance): number => (row.account in owners ? 0 : 1);
  return rows.toSorted((a, b) => rank(a) - rank(b) || Number(b.change !== 0) - Number(a.change !== 0));
}

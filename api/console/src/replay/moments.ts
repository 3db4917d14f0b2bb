// Moments of a history: the starts of rounds, the parts of frames to fetch, the movements. Pure functions.
import type { ActionName, Frame, FrameSide, Posting } from "../api/types";

export type As = "recorded" | "corrected";
/** The number of frames in a part, and of kept parts. */
export const PART = 20;
export const PARTS_KEPT = 10;

/** Return the positions at which a round begins. The time before the first round counts as a round. */
export function roundStarts(rounds: readonly number[]): number[] {
  return rounds.flatMap((round, at) => (at === 0 || round !== rounds[at - 1] ? [at] : []));
}

/** Return the start of the round before a position: of the current round first, unless the position is its start. */
export function roundBefore(starts: readonly number[], at: number): number {
  return starts.findLast((start) => start < at) ?? 0;
}

export function roundNext(starts: readonly number[], at: number, count: number): number {
  return starts.find((start) => start > at) ?? count - 1;
}

/** Choose the rounds for the labels under the slider: at most `limit`, evenly spread. */
export function ticks(rounds: readonly number[], limit: number): { at: number; round: number }[] {
  const starts = roundStarts(rounds).filter((at) => rounds[at]! > 0);
  const every = Math.max(1, Math.ceil(starts.length / limit));
  return starts.filter((_, index) => index % every === 0).map((at) => ({ at, round: rounds[at]! }));
}

/** Return the position of a line by its name; for a line outside the history, of the last line before it. */
export function positionOf(lines: readonly ActionName[], name: string): number | null {
  const exact = lines.findIndex((line) => String(line) === name);
  if (exact >= 0) return exact;
  const number = Math.trunc(Number(name));
  if (!(number > 0) || lines.length === 0) return null;
  return Math.max(0, lines.findLastIndex((line) => typeof line === "number" && line <= number));
}

/** Return the parts to drop: the farthest from the current part, beyond the limit. */
export function tooMany(parts: Iterable<number>, looked: number, limit = PARTS_KEPT): number[] {
  return [...parts].sort((a, b) => Math.abs(a - looked) - Math.abs(b - looked)).slice(limit);
}

/**
 * Return one history at a position: the side of the frame there, or of the last earlier frame in that history (`own`
 * tells them apart). `missing` is the position of a frame that must be fetched first.
 */
export function sideAt(
  get: (position: number) => Frame | undefined,
  position: number,
  as: As,
): { side?: FrameSide; own?: boolean; position?: number; missing?: number } {
  for (let at = position; at >= 0; at--) {
    const frame = get(at);
    if (frame === undefined) return { missing: at };
    const side = frame[as];
    if (side) return { side, own: at === position, position: at };
  }
  return {};
}

export interface Balance {
  account: string;
  commodity: string;
  balance: number;
  /** The change of the balance by the line. */
  change: number;
}

/**
 * Return the balances after a line: all balances of the seats' accounts, and the changed balances of other accounts.
 */
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
  // Owned accounts first, in each account the changes first.
  const rank = (row: Balance): number => (row.account in owners ? 0 : 1);
  return rows.toSorted((a, b) => rank(a) - rank(b) || Number(b.change !== 0) - Number(a.change !== 0));
}

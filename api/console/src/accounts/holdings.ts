// The accounts of a game grouped by owner. Pure functions of the holdings and the game's names.
import type { Names } from "../api/types";

export type Holdings = Record<string, Record<string, number>>;

export interface Owned {
  /** The owner of the accounts; null for accounts of no seat. */
  seat: string | null;
  accounts: { account: string; holdings: [string, number][] }[];
}

/**
 * Group the accounts by owner: the seats in the given order, then the others by name. Empty accounts of seats are kept.
 */
export function byOwner(all: Holdings, names: Names | null, seats: readonly string[]): Owned[] {
  const owners = names?.owners ?? {};
  const accountsOf = (seat: string | null): Owned["accounts"] =>
    Object.keys(all)
      .filter((account) => (owners[account] ?? null) === seat)
      .toSorted((a, b) => (names?.accounts[a] ?? a).localeCompare(names?.accounts[b] ?? b))
      .map((account) => ({ account, holdings: sorted(all[account]!, names) }));
  const owned = seats.map((seat) => {
    const accounts = accountsOf(seat);
    const empty = Object.keys(owners).filter((account) => owners[account] === seat && !(account in all));
    return { seat, accounts: [...accounts, ...empty.map((account) => ({ account, holdings: [] }))] };
  });
  const others = accountsOf(null).filter(({ holdings }) => holdings.length > 0);
  return others.length > 0 ? [...owned, { seat: null, accounts: others }] : owned;
}

/** Sort holdings in reading order: money, then by class and name. Leave out zeros only. */
export function sorted(holdings: Record<string, number>, names: Names | null): [string, number][] {
  const rank = (commodity: string): string => {
    const facts = names?.commodities[commodity];
    return `${facts?.class === "money" ? 0 : 1} ${facts?.class ?? "~"} ${facts?.group ?? ""} ${facts?.name ?? commodity}`;
  };
  return Object.entries(holdings)
    .filter(([, amount]) => amount !== 0)
    .toSorted(([a], [b]) => rank(a).localeCompare(rank(b)));
}

// The two trays of a deal, seen from one seat: what the seat gives and gets, and the worth of both. Pure.
import type { Agreement, Board, Display, Names, Obligation } from "../api/types";
import { moneyOf } from "../game/names";

/** Amounts by commodity. */
export type Tray = Record<string, number>;

export interface Thing {
  commodity: string;
  amount: number;
}

/** A deal with one partner, seen from one of its two seats. */
export interface Terms {
  partner: string;
  gives: Tray;
  gets: Tray;
  promises: string[];
  /** The received titles to free from their marks; null without such titles. */
  lifts: string[] | null;
}

/** Return the things that lie in a tray, in their order. */
export function thingsIn(tray: Tray): Thing[] {
  return Object.entries(tray).flatMap(([commodity, amount]) => (amount > 0 ? [{ commodity, amount }] : []));
}

export function isEmpty(tray: Tray): boolean {
  return thingsIn(tray).length === 0;
}

/** Read an agreement as the picture of one of its two seats; null for another number of seats. */
export function termsFor({ gives, terms, parties }: Pick<Agreement, "gives" | "terms" | "parties">, seat: string): Terms | null {
  const partner = parties.find((party) => party.seat !== seat)?.seat;
  if (parties.length !== 2 || partner === undefined || !parties.some((party) => party.seat === seat)) return null;
  const trayOf = (giver: string): Tray => {
    const tray: Tray = {};
    for (const { from, commodity, amount } of gives) if (from === giver) tray[commodity] = (tray[commodity] ?? 0) + amount;
    return tray;
  };
  return { partner, gives: trayOf(seat), gets: trayOf(partner), promises: [...terms], lifts: null };
}

export interface Worth {
  /** The sum at list price, in the game's money. */
  sum: number;
  /** The things without a price. */
  unpriced: Thing[];
}

/** Sum up a tray: money as it is, other things at the list price. */
export function worthOf(names: Names | null, tray: Tray): Worth {
  const money = moneyOf(names);
  const worth: Worth = { sum: 0, unpriced: [] };
  for (const thing of thingsIn(tray)) {
    const price = thing.commodity === money ? 1 : names?.commodities[thing.commodity]?.price;
    if (price === undefined) worth.unpriced.push(thing);
    else worth.sum += price * thing.amount;
  }
  return worth;
}

/**
 * Return the amount of money in a tray that makes both trays equal at list price; null if no amount does. `limit` is the
 * money at hand, null if unknown.
 */
export function evenAmount(names: Names | null, tray: Tray, against: Tray, limit: number | null): number | null {
  const money = moneyOf(names);
  if (money === null) return null;
  const even = worthOf(names, against).sum - worthOf(names, { ...tray, [money]: 0 }).sum;
  return even > 0 && (limit === null || even <= limit) ? even : null;
}

export interface Holding {
  commodity: string;
  /** The amount at hand; null if the page does not know. */
  amount: number | null;
}

/** Return the holdings of a seat that may be given, money first, then in the order of the names. */
export function tradable(names: Names | null, held: Record<string, number>): Holding[] {
  const money = moneyOf(names);
  const listed: Holding[] = [];
  for (const [commodity, facts] of Object.entries(names?.commodities ?? {})) {
    const amount = held[commodity] ?? 0;
    if (commodity === money) listed.unshift({ commodity, amount: commodity in held ? Math.max(0, amount) : null });
    else if (facts.tradable && amount > 0) listed.push({ commodity, amount });
  }
  return listed;
}

/** Return what a seat may promise without having it: without a limit. */
export function promisable(names: Names | null, held: Record<string, number>): Holding[] {
  return Object.entries(names?.commodities ?? {}).flatMap(([commodity, { promised }]) =>
    promised === undefined || (promised && !held[promised]) || (held[commodity] ?? 0) > 0 ? [] : [{ commodity, amount: null }],
  );
}

/** Return what a seat may give another as releases: each from a debt of the other to the seat. */
export function releasesFor(obligations: readonly Obligation[], owners: Readonly<Record<string, string>>, creditor: string, debtor: string): Record<string, number> {
  return Object.fromEntries(obligations.flatMap((owed) => (owed.release !== undefined && owed.debtor === debtor && owners[owed.creditor ?? ""] === creditor ? [[owed.release, 1]] : [])));
}

/** Return the other tradable things of which a seat may have hidden ones: things with a plural. */
export function unseen(names: Names | null, holdings: readonly Holding[]): string[] {
  const stocked = new Set(holdings.map((holding) => holding.commodity));
  return Object.entries(names?.commodities ?? {}).flatMap(([commodity, facts]) =>
    facts.tradable && !["title", "release", "promise"].includes(facts.class) && !stocked.has(commodity) ? [commodity] : [],
  );
}

/** What a seat has of a group of titles after a deal. */
export interface GroupAfter {
  seat: string;
  group: string;
  have: number;
  of: number;
  /** The names of the titles that the seat then lacks. */
  lacks: string[];
  /** True if the seat had the whole group. */
  breaks: boolean;
}

/** Tell what a deal does to the groups of its titles, for the seats that have something of them then or had all of them. */
export function groupsAfter(board: Board, display: Display, { gives, gets }: Pick<Terms, "gives" | "gets">, seat: string, partner: string): GroupAfter[] {
  const takers = new Map([...thingsIn(gives).map(({ commodity }) => [commodity, partner] as const), ...thingsIn(gets).map(({ commodity }) => [commodity, seat] as const)]);
  const touched = new Set(board.places.flatMap((place) => (place.group && takers.has(place.commodity ?? "") ? [place.group] : [])));
  return board.groups.flatMap(({ id, name }) => {
    if (!touched.has(id)) return [];
    const places = board.places.filter(({ group, commodity }) => group === id && commodity !== undefined);
    return [seat, partner].flatMap((owner): GroupAfter[] => {
      const earlier = places.filter((place) => display.places[place.id]?.owner === owner);
      const later = places.filter((place) => (takers.get(place.commodity!) ?? display.places[place.id]?.owner) === owner);
      const breaks = earlier.length === places.length;
      const gains = later.some((place) => takers.get(place.commodity!) === owner);
      const lacks = places.filter((place) => !later.includes(place)).map((place) => place.name);
      return gains || breaks ? [{ seat: owner, group: name, have: later.length, of: places.length, lacks, breaks }] : [];
    });
  });
}

// Names for people: amounts with their commodity, accounts, squares. Pure functions of the game's names.
import type { Effect, GameState, Names, Obligation, Standing } from "../api/types";
import { figure, speaking } from "../i18n/language.svelte";

/** Format an amount: "₦1,240", "2 Doses", "Nuketown". `sign` puts + before non-negative numbers. */
export function amount(names: Names | null, commodity: string, number: number, sign = false): string {
  const facts = names?.commodities[commodity];
  const digits = (number < 0 ? "−" : sign ? "+" : "") + figure(Math.abs(number));
  if (facts?.symbol) {
    return facts.symbol_place === "after"
      ? `${digits} ${facts.symbol}`
      : `${number < 0 ? "−" : sign ? "+" : ""}${facts.symbol}${figure(Math.abs(number))}`;
  }
  if (!facts) return `${digits} ${commodity}`;
  // Unique things have no plural of their own: "Nuketown", not "1 Nuketown".
  const size = Math.abs(number);
  if (size === 1 && facts.plural === facts.name) return sign || number < 0 ? `${digits} ${facts.name}` : facts.name;
  // None is singular in French.
  return `${digits} ${size === 1 || (size === 0 && speaking.now === "fr") ? facts.name : facts.plural}`;
}

/** Format the change of a holding: money as "₦380 → ₦500", a thing as "+ Nuketown" or "− 2 Doses". */
export function changeOf(names: Names | null, { commodity, before, after }: Pick<Effect, "commodity" | "before" | "after">): string {
  const facts = names?.commodities[commodity];
  if (facts?.class === "money" || facts?.symbol) return `${amount(names, commodity, before)} → ${amount(names, commodity, after)}`;
  const by = Math.abs(after - before);
  return `${after > before ? "+" : "−"} ${facts?.class === "title" && by === 1 ? facts.name : amount(names, commodity, by)}`;
}

/** Find the game's money: the first commodity of the class "money". */
export function moneyOf(names: Names | null): string | null {
  for (const [id, facts] of Object.entries(names?.commodities ?? {})) if (facts.class === "money") return id;
  return null;
}

/** Format what a seat is worth: money, or points. */
export function worth(names: Names | null, number: number, sign = false): string {
  return names ? amount(names, names.worth, number, sign) : String(number);
}

export interface Figure {
  field: "cash" | "worth" | "shown";
  /** The figure's own word; null for cash and worth, named by the page. */
  word: string | null;
  text: string;
}

/** Return the figures of a standing that the viewer sees: cash, and worth, or else the public part of the worth. */
export function figuresOf(names: Names | null, standing: Standing | undefined): Figure[] {
  const money = moneyOf(names);
  const [cash, whole, part] = [standing?.cash, standing?.worth, standing?.shown];
  const figures: Figure[] = [];
  if (cash !== undefined && money) figures.push({ field: "cash", word: null, text: amount(names, money, cash) });
  if (whole !== undefined) figures.push({ field: "worth", word: null, text: worth(names, whole) });
  else if (part !== undefined) figures.push({ field: "shown", word: names?.shown_label ?? "", text: worth(names, part) });
  return figures;
}

/** Add the releases from open debts, which a deal may give: each is a thing with a name and the debt as its price. */
export function withReleases(names: Names | null, obligations: readonly Obligation[]): Names | null {
  const releases = obligations.flatMap(({ release, release_name: name = "", amount: price }) => (release === undefined ? [] : [[release, { name, plural: name, class: "release", price, tradable: true }] as const]));
  return names && releases.length > 0 ? { ...names, commodities: { ...names.commodities, ...Object.fromEntries(releases) } } as Names : names;
}

export function commodityName(names: Names | null, commodity: string): string {
  return names?.commodities[commodity]?.name ?? commodity;
}

export function accountName(names: Names | null, account: string): string {
  return names?.accounts[account] ?? account;
}

/** Return the account of a seat for its money: the first with money of several, such as a hand and a purse. */
export function accountOf(state: GameState | null, names: Names | null, seat: string): string {
  const accounts = Object.entries(names?.owners ?? {}).flatMap(([account, owner]) => (owner === seat ? [account] : []));
  const money = moneyOf(names) ?? "";
  const player = `player:${seat}`;
  if (accounts.length === 0 || accounts.includes(player)) return player;
  return accounts.find((account) => money in (state?.accounts[account] ?? {})) ?? accounts[0]!;
}

/** Name the fields whose sum a seat holds of a commodity: its balances in the seat's accounts. */
export function fieldsOf(state: GameState | null, names: Names | null, seat: string, commodity: string): string {
  return Object.entries(state?.accounts ?? {})
    .filter(([account, holdings]) => commodity in holdings && (account === `player:${seat}` || names?.owners[account] === seat))
    .map(([account]) => `accounts/${account}/${commodity}`)
    .join(" ");
}

/** Sum the holdings of a seat in all its accounts: in front, in hand, hidden, as far as visible. */
export function heldBy(state: GameState | null, names: Names | null, seat: string): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const [account, holdings] of Object.entries(state?.accounts ?? {})) {
    if (account !== `player:${seat}` && names?.owners[account] !== seat) continue;
    for (const [commodity, number] of Object.entries(holdings)) totals[commodity] = (totals[commodity] ?? 0) + number;
  }
  return totals;
}

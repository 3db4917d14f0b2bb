// The things beside the squares: the zones of the table and of each seat, with prices and squares of their cards.
import type { Board, Display, Names, Seat } from "../api/types";
import { amount, moneyOf } from "../game/names";

export type Item = Display["zones"][number]["items"][number];

/** A zone with its things. The price is that of all things on sale there, else null. */
export interface Lot {
  id: string;
  name: string;
  icon: string | undefined;
  price: string | null;
  /** The field of the price, and of the things. */
  priced: string;
  of: string;
  items: Item[];
}

/** List the zones of a seat, or of the whole table (null); empty zones only with `empty`. */
export function lotsOf({ board, display, names, me, of, seat, empty = false }: { board: Board; display: Display; names: Names | null; me: string | null; of: string; seat: string | null; empty?: boolean }): Lot[] {
  return (seat === null ? board.zones : board.each_seat).flatMap(({ id, name, icon, hidden = false }) => {
    // A player's own hidden things are secret.
    if (hidden && seat !== null && seat === me) return [];
    const index = display.zones.findIndex((lies) => lies.zone === id && (lies.seat ?? null) === seat);
    const items = display.zones[index]?.items ?? [];
    const prices = new Set(items.map(({ commodity }) => (seat === null ? priceOf(names, commodity) : null)));
    const price = prices.size === 1 ? [...prices][0]! : null;
    return items.length > 0 || empty ? [{ id, name, icon, items, price, priced: priceField(items[0]?.commodity), of: `${of}/zones/${index}/items` }] : [];
  });
}

export function priceOf(names: Names | null, commodity: string | undefined): string | null {
  const price = commodity === undefined ? undefined : names?.commodities[commodity]?.price;
  const money = moneyOf(names);
  return price === undefined || money === null ? null : amount(names, money, price);
}

export const priceField = (commodity: string | undefined): string => `names/commodities/${commodity}/price`;

export const isCard = (names: Names | null, commodity: string | undefined): boolean => names?.commodities[commodity ?? ""]?.class === "card";

/** Return the square on which a card of a zone also lies, such as a card on offer. */
export function placeOf(names: Names | null, display: Display, commodity: string | undefined): string | undefined {
  return isCard(names, commodity) ? Object.keys(display.places).find((id) => display.places[id]!.pieces?.some((piece) => piece.commodity === commodity)) : undefined;
}

/** Number the cards that lie both in a zone of the table and on a square, for the drawing and the list. */
export function numbersOf(names: Names | null, display: Display): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { seat, items } of display.zones)
    if (seat === undefined) items.forEach(({ commodity }, at) => commodity && placeOf(names, display, commodity) && numbers.set(commodity, at + 1));
  return numbers;
}

/** Return the seat of a piece: its commodity names the kind, then the seat. */
export function seatOf(seats: readonly Seat[], commodity: string | undefined): Seat | undefined {
  return seats.find(({ seat }) => commodity?.endsWith(`:${seat}`));
}

/** Return the icon of a piece: the face's for its commodity or its kind, else its own. */
export function pieceIcon(pieces: Board["face"]["pieces"], names: Names | null, commodity: string | undefined): string | undefined {
  if (commodity === undefined) return undefined;
  return pieces[commodity] ?? pieces[commodity.split(":")[0]!] ?? names?.commodities[commodity]?.icon ?? undefined;
}

/** A group: the count of squares of each seat, and the holder of the title. */
export interface Share {
  id: string;
  name: string;
  colour: string;
  of: number;
  holds: { seat: Seat; count: number }[];
  title: Seat | undefined;
}

/** Count the squares of each group by their owners. */
export function sharesOf(board: Board, display: Display, seats: readonly Seat[], names: Names | null): Share[] {
  return board.groups.map(({ id, name, colour }) => {
    const places = board.places.filter(({ group }) => group === id);
    const holds = seats.map((seat) => ({ seat, count: places.filter((place) => display.places[place.id]?.owner === seat.seat).length })).filter(({ count }) => count > 0);
    const holding = display.zones.find(({ seat, items }) => seat !== undefined && items.some(({ commodity }) => names?.commodities[commodity ?? ""]?.class === "title" && names.commodities[commodity ?? ""]?.group === id));
    return { id, name, colour, of: places.length, holds, title: seats.find(({ seat }) => seat === holding?.seat) };
  });
}

// A deal as two lists, read from the schema of the kind, whatever its names. Pure.
import type { Schema } from "../forms/schema";

/** The written form of a kind of deal. */
export interface DealShape {
  /** One list of legs with giver and taker; or two lists, given and requested. */
  lists: [string] | [string, string];
  /** The members of a leg. */
  commodity: string;
  amount: string;
  giver: string | null;
  taker: string | null;
  /** The parameter for the partner's seat; null if the legs name the seats. */
  partner: string | null;
  /** The parameter for promises as texts. */
  promises: string | null;
}

export interface Thing {
  commodity: string;
  amount: number;
}

/** Return the shape of a deal's schema; null for other kinds. */
export function shapeOf(schema: Schema): DealShape | null {
  const properties = Object.entries(schema.properties ?? {});
  const lists = properties.filter(([, property]) => property["x-kind"] === "legs");
  if (lists.length === 0 || lists.length > 2) return null;
  const leg = legOf(schema, lists[0]![1]);
  const members = Object.entries(leg?.properties ?? {});
  const named = (kinds: string[]): string[] => members.filter(([, member]) => kinds.includes(String(member["x-kind"]))).map(([name]) => name);
  const seats = named(["seat"]);
  const [commodity] = named(["commodity", "title", "card"]);
  const [amount] = named(["amount", "quantity"]);
  if (!commodity || !amount) return null;
  const promises = properties.find(([, property]) => property["x-kind"] === "list" && property.items !== undefined && property.items !== false && property.items["x-kind"] === "text")?.[0] ?? null;
  if (lists.length === 2) {
    const partner = properties.find(([, property]) => property["x-kind"] === "seat")?.[0];
    return partner ? { lists: [lists[0]![0], lists[1]![0]], commodity, amount, giver: null, taker: null, partner, promises } : null;
  }
  return seats.length >= 2 ? { lists: [lists[0]![0]], commodity, amount, giver: seats[0]!, taker: seats[1]!, partner: null, promises } : null;
}

function legOf(schema: Schema, list: Schema): Schema | undefined {
  const items = list.items || undefined;
  const reference = (items as { $ref?: string } | undefined)?.$ref;
  return reference ? (schema as { $defs?: Record<string, Schema> }).$defs?.[reference.split("/").at(-1)!] : items;
}

/** Build the parameters of the deal. */
export function paramsOf(shape: DealShape, me: string, partner: string, give: Thing[], get: Thing[], promises: string[]): Record<string, unknown> {
  const leg = (thing: Thing, giver: string, taker: string): Record<string, unknown> => ({
    ...(shape.giver && { [shape.giver]: giver }),
    ...(shape.taker && { [shape.taker]: taker }),
    [shape.commodity]: thing.commodity,
    [shape.amount]: thing.amount,
  });
  const giving = give.map((thing) => leg(thing, me, partner));
  const got = get.map((thing) => leg(thing, partner, me));
  return {
    ...(shape.lists.length === 2 ? { [shape.lists[0]]: giving, [shape.lists[1]!]: got } : { [shape.lists[0]]: [...giving, ...got] }),
    ...(shape.partner && { [shape.partner]: partner }),
    ...(shape.promises && promises.length > 0 && { [shape.promises]: promises }),
  };
}

// A deal as two lists, read from the schema of the kind, whatever its names. Pure.
import type { Schema } from "../forms/schema";
import { thingsIn, type Terms, type Thing } from "./trays";

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
  /** The parameter for the seats of a deal without legs. */
  parties: string | null;
  /** The parameter for promises as texts. */
  promises: string | null;
  /** The parameter for received titles to free from their marks at once. */
  lifts: string | null;
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
  const listOf = (kind: string): string | null =>
    properties.find(([, property]) => [property, ...(property.anyOf ?? [])].some((branch) => branch["x-kind"] === "list" && branch.items && branch.items["x-kind"] === kind))?.[0] ?? null;
  const extras = { promises: listOf("text"), parties: listOf("seat"), lifts: listOf("title") };
  if (lists.length === 2) {
    const partner = properties.find(([, property]) => property["x-kind"] === "seat")?.[0];
    return partner ? { lists: [lists[0]![0], lists[1]![0]], commodity, amount, giver: null, taker: null, partner, ...extras } : null;
  }
  return seats.length >= 2 ? { lists: [lists[0]![0]], commodity, amount, giver: seats[0]!, taker: seats[1]!, partner: null, ...extras } : null;
}

/** Return the parameters that the trays fill in. */
export function parametersOf(shape: DealShape): string[] {
  return [...shape.lists, shape.partner, shape.parties, shape.promises, shape.lifts].filter((name) => name !== null);
}

function legOf(schema: Schema, list: Schema): Schema | undefined {
  const items = list.items || undefined;
  const reference = (items as { $ref?: string } | undefined)?.$ref;
  return reference ? (schema as { $defs?: Record<string, Schema> }).$defs?.[reference.split("/").at(-1)!] : items;
}

/** Build the parameters of the deal for the acting seat. `free` are the parameters open in the move. */
export function paramsOf(shape: DealShape, seat: string, terms: Terms, free: Record<string, unknown>): Record<string, unknown> {
  const leg = (thing: Thing, giver: string, taker: string): Record<string, unknown> => ({
    ...(shape.giver && { [shape.giver]: giver }),
    ...(shape.taker && { [shape.taker]: taker }),
    [shape.commodity]: thing.commodity,
    [shape.amount]: thing.amount,
  });
  const parts = thingsIn(terms.gives).map((thing) => leg(thing, seat, terms.partner));
  const received = thingsIn(terms.gets).map((thing) => leg(thing, terms.partner, seat));
  const takes = (name: string | null): name is string => name !== null && name in free;
  return {
    ...(shape.lists.length === 2 ? { [shape.lists[0]]: parts, [shape.lists[1]!]: received } : { [shape.lists[0]]: [...parts, ...received] }),
    ...(shape.partner && { [shape.partner]: terms.partner }),
    ...(takes(shape.promises) && { [shape.promises]: terms.promises }),
    ...(takes(shape.parties) && parts.length + received.length === 0 && { [shape.parties]: [seat, terms.partner] }),
    ...(takes(shape.lifts) && terms.lifts !== null && { [shape.lifts]: terms.lifts }),
  };
}

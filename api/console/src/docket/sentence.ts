// An order of a ruling as a sentence with blanks. Pure.
import { begunAs, fieldOf, type Schema, type Variant } from "../forms/schema";

export type Part = { text: string } | { blank: string };

/** Split a sentence at its blanks: "{seat} pays {amount}." An object without a sentence has no parts. */
export function partsOf(schema: Schema): Part[] {
  return (schema["x-sentence"] ?? "")
    .split(/(\{\w+\})/)
    .filter((part) => part !== "")
    .map((part) => (/^\{\w+\}$/.test(part) ? { blank: part.slice(1, -1) } : { text: part }));
}

/** List the members outside of a sentence. An order keeps its name, and its reason, to itself. */
export function besideOf(schema: Schema, parts: readonly Part[]): string[] {
  const inside = new Set(parts.map((part) => ("blank" in part ? part.blank : "")));
  const silent = schema["x-sentence"] === undefined ? ["op"] : ["op", "reason"];
  return Object.keys(schema.properties ?? {}).filter((member) => !inside.has(member) && !silent.includes(member));
}

export interface Purpose {
  id: string;
  label: string;
  orders: Variant[];
}

/** Group the orders by their purpose, in the order of the purposes. Orders without a purpose come last. */
export function purposesOf(schema: Schema): { by: string; purposes: Purpose[] } {
  const remedies = fieldOf(schema.properties?.remedies ?? {}, schema).shape;
  const order = remedies.is === "list" ? fieldOf(remedies.item, schema).shape : remedies;
  if (order.is !== "union") return { by: "op", purposes: [] };
  const purposes = new Map<string, Purpose & { order: number }>();
  for (const variant of order.variants) {
    const { id, label, order: position } = variant.schema["x-purpose"] ?? { id: "", label: "…", order: Infinity };
    const purpose = purposes.get(id) ?? { id, label, order: position, orders: [] };
    purposes.set(id, purpose);
    purpose.orders.push(variant);
  }
  return { by: order.by, purposes: [...purposes.values()].sort((a, b) => a.order - b.order) };
}

/** Return the start value of an order: a movement begins with the game's money. */
export function begunOrder(variant: Variant, by: string, root: Schema, money: string | null): Record<string, unknown> {
  const begun = begunAs(variant, by, root);
  return Array.isArray(begun.postings) ? { ...begun, postings: [begunPosting(money)] } : begun;
}

/** Return the start value of a movement. */
export function begunPosting(money: string | null): Record<string, unknown> {
  return money === null ? {} : { commodity: money };
}

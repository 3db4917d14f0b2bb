// A lot: a thing, a sum, or both, laid by a player for what lies on the table. Pure.
import type { Display, Move } from "../api/types";
import type { Schema } from "../forms/schema";
import type { Tray } from "./trays";

type Zone = Display["zones"][number];
export type LotForm = NonNullable<Move["lot"]>;

export interface LaidLot {
  content: Tray;
  /** The way the thing lies; null for the usual one, and without a thing. */
  face: string | null;
}

/** Return what a seat has laid already, to be changed. */
export function lotOf(form: LotForm, zones: readonly Zone[], seat: string): LaidLot {
  const items = zones.find((zone) => zone.zone === form.seat_zone && zone.seat === seat)?.items ?? [];
  const content: Tray = {};
  let face: string | null = null;
  for (const item of items) {
    if (item.commodity === undefined) continue;
    content[item.commodity] = (content[item.commodity] ?? 0) + item.amount;
    if (item.commodity !== form.of) face = item.face ?? null;
  }
  return { content, face };
}

/** Return what a seat may lay: its holdings and what it has laid, the sum first, then the things of the parameter. */
export function stockOf(form: LotForm, schema: Schema, held: Tray, laid: Tray): { commodity: string; amount: number }[] {
  const member = schema.properties?.[form.thing];
  const things = [member, ...(member?.anyOf ?? [])].flatMap((branch) => (branch?.enum ?? []).map(String));
  const numberOf = (commodity: string): number => (held[commodity] ?? 0) + (laid[commodity] ?? 0);
  return [form.of, ...things].map((commodity) => ({ commodity, amount: numberOf(commodity) })).filter(({ amount }) => amount > 0);
}

/** Return the ways a thing may lie, the usual one first, with their names. */
export function facesOf(form: LotForm, schema: Schema): { face: string; label: { en: string; fr: string } | null }[] {
  const member = schema.properties?.[form.face];
  const branch = [member, ...(member?.anyOf ?? [])].find((candidate) => candidate?.["x-labels"]);
  return form.faces.map((face) => ({ face, label: branch?.["x-labels"]?.[face] ?? null }));
}

/** Add a thing to the lot, in place of another one: one thing at most is laid. */
export function withThing(form: LotForm, content: Tray, thing: string): Tray {
  return { ...(content[form.of] && { [form.of]: content[form.of]! }), ...(content[thing] ? {} : { [thing]: 1 }) };
}

/** Return the parameters of the lot; null for an empty one. */
export function lotParams(form: LotForm, content: Tray, face: string): Record<string, unknown> | null {
  const thing = Object.keys(content).find((commodity) => commodity !== form.of && content[commodity]! > 0);
  const sum = content[form.of] ?? 0;
  if (thing === undefined && sum === 0) return null;
  return { ...(thing !== undefined && { [form.thing]: thing, [form.face]: face }), ...(sum > 0 && { [form.sum]: sum }) };
}

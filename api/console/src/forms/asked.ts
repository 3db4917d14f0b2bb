// An action out of a move: what is fixed, the option that was chosen, what was added, and what was drawn.
import type { Asked, Draw, FreeParameter, Move, MoveOption } from "../api/types";
import { isObject, type Schema } from "./schema";

/** What is drawn for a move: that of the chosen option takes the place of the move's. */
export function drawsOf(move: Move, option: MoveOption | undefined): Draw[] {
  return option?.draws ?? move.draws ?? [];
}

/** What may be changed or added, less what the draws and the choice fill. */
export function freeOf(move: Move, option: MoveOption | undefined): Record<string, FreeParameter> {
  const filled = new Set(drawsOf(move, option).map((draw) => draw.parameter));
  if (move.choice) filled.add(move.choice.parameter);
  const all = Object.entries({ ...move.free, ...option?.free });
  return Object.fromEntries(all.filter(([name]) => !filled.has(name)));
}

/** The schema of a kind, as this move narrows it: what is needed, and the bounds that the state gives. */
export function narrowed(schema: Schema, free: Record<string, FreeParameter>): Schema {
  const properties = Object.fromEntries(
    Object.entries(free)
      .filter(([name]) => schema.properties?.[name] !== undefined)
      .map(([name, { minimum, maximum }]) => [name, bounded(schema.properties![name]!, minimum, maximum)]),
  );
  const required = Object.keys(free).filter((name) => free[name]!.required);
  return { ...schema, properties, required };
}

function bounded(schema: Schema, minimum: number | undefined, maximum: number | undefined): Schema {
  const bounds = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  if (Object.keys(bounds).length === 0) return schema;
  return schema.anyOf ? { ...schema, anyOf: schema.anyOf.map((one) => (one.type === "integer" ? { ...one, ...bounds } : one)) } : { ...schema, ...bounds };
}

/** The examples of a move with which its fields begin. A text that is left to people begins empty. */
export function examplesOf(move: Move, option: MoveOption | undefined): Record<string, unknown> {
  const fixed = { ...(isObject(move.params) ? move.params : {}), ...option?.params };
  const free = freeOf(move, option);
  return Object.fromEntries(Object.entries(fixed).filter(([name, value]) => name in free && value !== "…"));
}

/**
 * The whole action. `drawn` has for each draw what came; `null` while something is lacking.
 */
export function askedOf(
  move: Move,
  seat: string | undefined,
  option: MoveOption | undefined,
  given: Record<string, unknown>,
  drawn: readonly (readonly unknown[])[],
  schema: Schema | null,
): Asked | null {
  if (move.choice && !option) return null;
  const draws = drawsOf(move, option);
  if (draws.some((draw, at) => draw.parameter !== undefined && !isWhole(drawn[at], draw.count))) return null;
  const free = freeOf(move, option);
  const fixed = Object.entries({ ...(isObject(move.params) ? move.params : {}), ...option?.params }).filter(([name]) => !(name in free));
  const params: Record<string, unknown> = { ...Object.fromEntries(fixed), ...given };
  if (move.choice && option) params[move.choice.parameter] = option.value;
  for (const [at, draw] of draws.entries()) {
    if (draw.parameter === undefined) continue;
    const came = drawn[at]!.slice(0, draw.count);
    if (!takesMany(schema, draw.parameter)) params[draw.parameter] = came[0];
    else {
      const before = draws.findIndex((other) => other.parameter === draw.parameter) < at ? (params[draw.parameter] as unknown[]) : [];
      params[draw.parameter] = [...before, ...came];
    }
  }
  return { kind: move.kind, params, ...(seat !== undefined && { seat }) };
}

function isWhole(came: readonly unknown[] | undefined, count: number): boolean {
  return came !== undefined && Array.from({ length: count }, (_, at) => came[at]).every((one) => one !== undefined && one !== "");
}

/** Whether a parameter takes a list. Without the schema: dice are always a list, as most draws are. */
export function takesMany(schema: Schema | null, parameter: string): boolean {
  const member = schema?.properties?.[parameter];
  if (!member) return true;
  return member.items !== undefined || (member.anyOf ?? []).some((one) => one.items !== undefined);
}

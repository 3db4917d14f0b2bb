// An action out of a move: what is fixed, the option that was chosen, what was added, and what was drawn.
import type { ActionRequest, Draw, FreeParameter, Move, MoveOption } from "../api/types";
import { isObject, type Schema } from "./schema";

/** What is drawn for a move: that of the chosen option takes the place of the move's. */
export function drawsOf(move: Move, option: MoveOption | undefined): Draw[] {
  return option?.draws ?? move.draws ?? [];
}

/** The dice that are entered side by side: a parameter that takes nothing but a list of them. */
export function diceOf(move: Move, option: MoveOption | undefined, schema: Schema): Draw[] {
  const draws = drawsOf(move, option);
  const others = new Set(draws.filter((draw) => draw.kind !== "die").map((draw) => draw.parameter));
  return draws.filter((draw) => draw.parameter !== undefined && !others.has(draw.parameter) && itemsOf(schema, draw.parameter) !== undefined);
}

/**
 * What may be changed or added, and what was drawn in another way than by dice: the schema says in which shape.
 * A draw that names no parameter may stand in any that is left.
 */
export function freeOf(move: Move, option: MoveOption | undefined, schema: Schema): Record<string, FreeParameter> {
  const draws = drawsOf(move, option);
  const dice = diceOf(move, option, schema);
  const filled = new Set<string | undefined>(dice.map((draw) => draw.parameter));
  if (move.choice) filled.add(move.choice.parameter);
  const all: Record<string, FreeParameter> = { ...move.free, ...option?.free };
  const fixed = fixedOf(move, option);
  for (const draw of draws) {
    if (dice.includes(draw)) continue;
    if (draw.parameter !== undefined) all[draw.parameter] = { required: true };
    else for (const name of Object.keys(schema.properties ?? {})) if (!(name in fixed)) all[name] ??= { required: false };
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => !filled.has(name)));
}

function fixedOf(move: Move, option: MoveOption | undefined): Record<string, unknown> {
  return { ...(isObject(move.params) ? move.params : {}), ...option?.params };
}

/** The items of a parameter that takes a list. */
function itemsOf(schema: Schema, parameter: string): Schema | undefined {
  const member = schema.properties?.[parameter];
  const list = [member, ...(member?.anyOf ?? [])].find((branch) => branch?.items);
  return list?.items || undefined;
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
  return schema.anyOf ? { ...schema, anyOf: schema.anyOf.map((branch) => (branch.type === "integer" ? { ...branch, ...bounds } : branch)) } : { ...schema, ...bounds };
}

/**
 * With what the fields of a move begin: its examples, and as many empty places as cards are wanted. A text that is left
 * to people begins empty.
 */
export function examplesOf(move: Move, option: MoveOption | undefined, schema: Schema): Record<string, unknown> {
  const free = freeOf(move, option, schema);
  const begun: Record<string, unknown> = Object.fromEntries(
    Object.entries(fixedOf(move, option)).filter(([name, value]) => name in free && value !== "…"),
  );
  const counts = new Map<string, number>();
  for (const { parameter, count } of drawsOf(move, option)) {
    if (parameter !== undefined && parameter in free && itemsOf(schema, parameter)) counts.set(parameter, (counts.get(parameter) ?? 0) + count);
  }
  for (const [name, count] of counts) begun[name] = Array.from({ length: count }, () => undefined);
  return begun;
}

/** The whole action. `thrown` has for each of its dice (`diceOf`) what they show; null while something is lacking. */
export function requestOf(
  move: Move,
  seat: string | undefined,
  option: MoveOption | undefined,
  values: Record<string, unknown>,
  thrown: readonly (readonly (number | undefined)[])[],
  schema: Schema,
): ActionRequest | null {
  if (move.choice && !option) return null;
  const free = freeOf(move, option, schema);
  const fixed = Object.entries(fixedOf(move, option)).filter(([name]) => !(name in free));
  const params: Record<string, unknown> = { ...Object.fromEntries(fixed), ...values };
  if (move.choice && option) params[move.choice.parameter] = option.value;
  const byParameter = new Map<string, number[]>();
  for (const [at, { parameter, count }] of diceOf(move, option, schema).entries()) {
    const came = Array.from({ length: count }, (_, die) => thrown[at]?.[die]);
    if (came.some((die) => die === undefined)) return null;
    byParameter.set(parameter!, [...(byParameter.get(parameter!) ?? []), ...(came as number[])]);
  }
  return { kind: move.kind, params: { ...params, ...Object.fromEntries(byParameter) }, ...(seat !== undefined && { seat }) };
}

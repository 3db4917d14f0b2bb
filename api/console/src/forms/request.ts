// An action from a move: fixed parameters, the chosen option, added values, and draws.
import type { ActionRequest, Draw, FreeParameter, Move, MoveOption } from "../api/types";
import { isObject, type Schema } from "./schema";

/** The values of a draw, in order; undefined for each missing value. */
export type Came = readonly (number | string | undefined)[];

/** Tell if each die and card of a draw is there. */
export function isWhole(came: Came, count: number): came is readonly (number | string)[] {
  return came.length >= count && came.every((value) => value !== undefined);
}

/** Return the draws of a move: the chosen option's draws replace the move's. */
export function drawsOf(move: Move, option: MoveOption | undefined): Draw[] {
  return option?.draws ?? move.draws ?? [];
}

/**
 * Return the dice and cards entered side by side: dice of a list, and cards of a known deck, each with a parameter for
 * nothing else.
 */
export function enteredOf(move: Move, option: MoveOption | undefined, schema: Schema): Draw[] {
  const draws = drawsOf(move, option);
  return draws.filter((draw) => {
    if (draw.parameter === undefined || draws.some((other) => other.parameter === draw.parameter && other.kind !== draw.kind)) return false;
    const isList = itemsOf(schema, draw.parameter) !== undefined;
    return draw.kind === "die" ? isList : draw.cards !== undefined && (isList || isText(schema, draw.parameter));
  });
}

function isText(schema: Schema, parameter: string): boolean {
  const member = schema.properties?.[parameter];
  return [member, ...(member?.anyOf ?? [])].some((branch) => branch?.type === "string");
}

/**
 * Return the free parameters: changeable values, and draws not entered side by side, in the shape of the schema. A draw without a
 * parameter may stand in any free parameter.
 */
export function freeOf(move: Move, option: MoveOption | undefined, schema: Schema): Record<string, FreeParameter> {
  const draws = drawsOf(move, option);
  const entered = enteredOf(move, option, schema);
  const filled = new Set<string | undefined>(entered.map((draw) => draw.parameter));
  if (move.choice) filled.add(move.choice.parameter);
  const all: Record<string, FreeParameter> = { ...move.free, ...option?.free };
  const fixed = fixedOf(move, option);
  for (const draw of draws) {
    if (entered.includes(draw)) continue;
    if (draw.parameter !== undefined) all[draw.parameter] = { required: true };
    else for (const name of Object.keys(schema.properties ?? {})) if (!(name in fixed)) all[name] ??= { required: false };
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => !filled.has(name)));
}

function fixedOf(move: Move, option: MoveOption | undefined): Record<string, unknown> {
  return { ...(isObject(move.params) ? move.params : {}), ...option?.params };
}

/** Return the items of a list parameter. */
function itemsOf(schema: Schema, parameter: string): Schema | undefined {
  const member = schema.properties?.[parameter];
  const list = [member, ...(member?.anyOf ?? [])].find((branch) => branch?.items);
  return list?.items || undefined;
}

/** Narrow the schema of a kind to this move: its required parameters, and the bounds of the state. */
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
 * Return the start values of a move's fields: its examples, and an empty value for each card to draw. A text left to
 * people begins empty.
 */
export function examplesOf(move: Move, option: MoveOption | undefined, schema: Schema): Record<string, unknown> {
  const free = freeOf(move, option, schema);
  const begun: Record<string, unknown> = Object.fromEntries(
    Object.entries(fixedOf(move, option)).filter(([name, value]) => name in free && !isLeft(value)),
  );
  const counts = new Map<string, number>();
  for (const { parameter, count } of drawsOf(move, option)) {
    if (parameter !== undefined && parameter in free && itemsOf(schema, parameter)) counts.set(parameter, (counts.get(parameter) ?? 0) + count);
  }
  for (const [name, count] of counts) begun[name] = Array.from({ length: count }, () => undefined);
  return begun;
}

/** Tell if an example is left to people: "…", or a list of it. */
function isLeft(example: unknown): boolean {
  return example === "…" || (Array.isArray(example) && example.length > 0 && example.every(isLeft));
}

/** Build the whole action. `thrown` has the values for each of its draws (`enteredOf`); null while something is missing. */
export function requestOf(
  move: Move,
  seat: string | undefined,
  option: MoveOption | undefined,
  values: Record<string, unknown>,
  thrown: readonly Came[],
  schema: Schema,
): ActionRequest | null {
  if (move.choice && !option) return null;
  const free = freeOf(move, option, schema);
  const fixed = Object.entries(fixedOf(move, option)).filter(([name]) => !(name in free));
  const params: Record<string, unknown> = { ...Object.fromEntries(fixed), ...values };
  if (move.choice && option) params[move.choice.parameter] = option.value;
  const byParameter = new Map<string, (number | string)[]>();
  for (const [at, { parameter, count }] of enteredOf(move, option, schema).entries()) {
    const came = thrown[at] ?? [];
    if (!isWhole(came, count)) return null;
    byParameter.set(parameter!, [...(byParameter.get(parameter!) ?? []), ...came]);
  }
  const drawn = [...byParameter].map(([name, came]) => [name, itemsOf(schema, name) ? came : came[0]] as const);
  return { kind: move.kind, params: { ...params, ...Object.fromEntries(drawn) }, ...(seat !== undefined && { seat }) };
}

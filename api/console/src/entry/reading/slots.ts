// The open parameters of a move, as slots for the items of a line. Pure.
import type { FreeParameter, Move, MoveOption, Draw } from "../../api/types";

export type SlotKind =
  | "choice"
  | "seat"
  | "seats"
  | "amount"
  | "text"
  | "texts"
  | "name"
  | "flag"
  | "ref"
  | "refs"
  | "legs"
  | "dice"
  | "cards"
  | "form";

export interface Slot {
  parameter: string;
  kind: SlotKind;
  /** The `x-kind`, or the label of a draw. */
  of: string;
  required: boolean;
  /** The example value of the move. */
  example?: unknown;
  maximum?: number;
  options?: MoveOption[];
  count?: number;
  sides?: number;
  /** For cards: true if the parameter is a list. */
  list?: boolean;
  deck?: string;
}

export interface Variant {
  move: Move;
  slots: Slot[];
  fixed: Record<string, unknown>;
}

const KINDS: Record<string, SlotKind> = {
  seat: "seat",
  amount: "amount",
  quantity: "amount",
  text: "text",
  choice: "text",
  flag: "flag",
  legs: "legs",
  action: "ref",
  agreement: "ref",
  commodity: "name",
  title: "name",
  card: "name",
  place: "name",
  account: "name",
  die: "amount",
};

/** Return the variants of a move: a single variant, or one for each option with parameters or draws of its own. */
export function variantsOf(move: Move, seats: readonly string[], schema?: Record<string, unknown>): Variant[] {
  const cached = cache.get(move);
  if (cached && cached.schema === schema) return cached.variants;
  const options = move.choice?.options ?? [];
  const splits = options.some((option) => option.free !== undefined || option.draws !== undefined);
  const variants = splits
    ? options.map((option) => variant(move, [option], option, seats, schema))
    : [variant(move, options, undefined, seats, schema)];
  cache.set(move, { schema, variants });
  return variants;
}
const cache = new WeakMap<Move, { schema: Record<string, unknown> | undefined; variants: Variant[] }>();

function variant(
  move: Move,
  options: MoveOption[],
  option: MoveOption | undefined,
  seats: readonly string[],
  schema: Record<string, unknown> | undefined,
): Variant {
  const params = (move.params ?? {}) as Record<string, unknown>;
  const examples = { ...params, ...options[0]?.params };
  const free: Record<string, FreeParameter> = { ...move.free, ...option?.free };
  const draws: Draw[] = [...(move.draws ?? []), ...(option?.draws ?? [])];
  const drawn = new Set(draws.map((draw) => draw.parameter));
  const slots: Slot[] = [];
  if (move.choice) slots.push({ parameter: move.choice.parameter, kind: "choice", of: "choice", required: true, options });
  for (const [parameter, facts] of Object.entries(free)) {
    if (parameter === move.choice?.parameter || drawn.has(parameter)) continue;
    slots.push(slotOf(parameter, facts, examples[parameter], seats));
  }
  for (const parameter of new Set(draws.map((draw) => draw.parameter ?? "")))
    slots.push(drawSlot(parameter, draws.filter((draw) => (draw.parameter ?? "") === parameter), schema));
  // The order of questions: seats, then names, then amounts.
  const order: SlotKind[] = ["dice", "choice", "seat", "seats", "name", "amount", "cards"];
  slots.sort((a, b) => rank(order, a.kind) - rank(order, b.kind));
  const fixed = Object.fromEntries(Object.entries(params).filter(([name]) => !(name in free) && !drawn.has(name)));
  return { move, slots, fixed };
}

function rank(order: SlotKind[], kind: SlotKind): number {
  const at = order.indexOf(kind);
  return at === -1 ? order.length : at;
}

function slotOf(parameter: string, facts: FreeParameter, example: unknown, seats: readonly string[]): Slot {
  const of = facts["x-kind"] ?? "";
  const base = { parameter, of, required: facts.required, example, ...(facts.maximum !== undefined && { maximum: facts.maximum }) };
  if (of === "list" && Array.isArray(example)) {
    if (example.length > 0 && example.every((each) => seats.includes(each as string))) return { ...base, kind: "seats" };
    if (example.every((each) => typeof each === "string")) return { ...base, kind: "texts" };
  }
  if (of === "list") return { ...base, kind: facts.required ? "form" : "refs" };
  return { ...base, kind: KINDS[of] ?? "form" };
}

function drawSlot(parameter: string, draws: Draw[], schema: Record<string, unknown> | undefined): Slot {
  const first = draws[0]!;
  const count = draws.reduce((sum, draw) => sum + draw.count, 0);
  const kind = parameter === "" || new Set(draws.map((draw) => draw.kind)).size > 1 ? "form" : first.kind === "die" ? "dice" : "cards";
  return {
    parameter,
    kind,
    of: first.name,
    required: true,
    count,
    sides: Math.min(...draws.map((draw) => draw.sides ?? 6)),
    list: first.kind === "die" || isList(schema, parameter) || count > 1,
    deck: first.name.split(":")[0]!,
  };
}

/** Tell if the schema of a kind takes a list for this parameter. */
function isList(schema: Record<string, unknown> | undefined, parameter: string): boolean {
  const member = (schema?.properties as Record<string, Record<string, unknown>> | undefined)?.[parameter];
  if (member === undefined) return false;
  const any = (member.anyOf as { type?: string }[] | undefined) ?? [];
  return member.type === "array" || any.some((each) => each.type === "array");
}

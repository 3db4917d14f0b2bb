// The cost of a move for people. A pure function of the game's names.
import type { Move, MoveOption, Names } from "../api/types";
import { translate } from "../i18n/language.svelte";
import { amount } from "./names";

/** Kinds of parameters that decide the cost: before they are filled in, a move has no cost to show. */
const DECISIVE = ["amount", "quantity"];

/**
 * Format the cost of a move: "₦140"; empty for a free move, for a cost that depends on an open parameter, and for a cost
 * that the label says.
 */
export function costOf(names: Names | null, move: Pick<Move, "costs" | "free" | "label">, option?: Pick<MoveOption, "costs">): string {
  if (Object.values(move.free).some((parameter) => DECISIVE.includes(parameter["x-kind"] ?? ""))) return "";
  const cost = (option?.costs ?? move.costs ?? []).map((each) => amount(names, each.commodity, each.amount)).join(" + ");
  return !option && translate(move.label).endsWith(` ${cost}`) ? "" : cost;
}

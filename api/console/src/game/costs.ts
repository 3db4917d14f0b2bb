// The cost of a move for people. A pure function of the game's names.
import type { Move, MoveOption, Names } from "../api/types";
import { amount } from "./names";

/** Kinds of parameters that decide the cost: before they are filled in, a move has no cost to show. */
const DECISIVE = ["amount", "quantity"];

/** Format the cost of a move: "₦140"; empty for a free move, and for a cost that depends on an open parameter. */
export function costOf(names: Names | null, move: Pick<Move, "costs" | "free">, option?: Pick<MoveOption, "costs">): string {
  if (Object.values(move.free).some((parameter) => DECISIVE.includes(parameter["x-kind"] ?? ""))) return "";
  return (option?.costs ?? move.costs ?? []).map((cost) => amount(names, cost.commodity, cost.amount)).join(" + ");
}

// Moves by their data alone. Pure.
import type { Move } from "../api/types";
import { isDeal } from "../deals/offers";

/** Return the name of the icon of a move: by what it asks for, takes or draws. */
export function iconOf(move: Move): string {
  if (isDeal(move)) return "deal";
  if (move.lot) return "offer";
  const kinds = new Set(Object.values(move.free).map((free) => free["x-kind"]));
  const option = move.choice?.options.find(({ icon }) => icon)?.icon;
  if (option) return option;
  const draw = move.draws?.[0]?.kind;
  if (draw) return draw === "die" ? "roll" : "card";
  if (move.bare && kinds.has("amount")) return "pay";
  if (kinds.has("amount")) return "loan";
  if (Object.keys(move.params as object).includes("title") || kinds.has("title")) return "title";
  if ((move.costs?.length ?? 0) > 0) return "coin";
  return move.final ? "flag" : "hand";
}

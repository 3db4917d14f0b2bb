// A move with something already decided: what an agreement's button says, what was chosen elsewhere.
import type { Move, MoveOption } from "../api/types";
import { isObject } from "./schema";

/**
 * The move with these parameters fixed. A choice that they decide is made; what may still be changed begins with them,
 * as with the examples of a move.
 */
export function fixedIn(move: Move, params: unknown): Move {
  const given = isObject(params) ? params : {};
  const option = move.choice && move.choice.parameter in given ? optionOf(move, given[move.choice.parameter]) : undefined;
  const own = { ...(isObject(move.params) ? move.params : {}), ...option?.params, ...given };
  if (!option) return { ...move, params: own };
  const { choice, ...others } = move;
  const draws = option.draws ?? move.draws;
  const cost = option.cost ?? move.cost;
  const { [choice!.parameter]: _, ...free } = { ...move.free, ...option.free };
  return {
    ...others,
    params: { ...own, [choice!.parameter]: option.value },
    free,
    ...(draws && { draws }),
    ...(cost !== undefined && { cost }),
  } as Move;
}

function optionOf(move: Move, value: unknown): MoveOption | undefined {
  return move.choice?.options.find((one) => JSON.stringify(one.value) === JSON.stringify(value));
}

// A move with decided parameters: from an agreement's button, or from a choice elsewhere.
import type { Move, MoveOption } from "../api/types";
import { isObject } from "./schema";

/**
 * Fix these parameters of a move. A choice decided by the parameters is made; free parameters begin with them, as with
 * the examples of a move.
 */
export function fixedIn(move: Move, params: unknown): Move {
  const values = isObject(params) ? params : {};
  const option = move.choice && move.choice.parameter in values ? optionOf(move, values[move.choice.parameter]) : undefined;
  const merged = { ...(isObject(move.params) ? move.params : {}), ...option?.params, ...values };
  if (!option) return { ...move, params: merged };
  const { choice, ...others } = move;
  const draws = option.draws ?? move.draws;
  const cost = option.cost ?? move.cost;
  const { [choice!.parameter]: _, ...free } = { ...move.free, ...option.free };
  return {
    ...others,
    params: { ...merged, [choice!.parameter]: option.value },
    free,
    ...(draws && { draws }),
    ...(cost !== undefined && { cost }),
  } as Move;
}

function optionOf(move: Move, value: unknown): MoveOption | undefined {
  return move.choice?.options.find((option) => JSON.stringify(option.value) === JSON.stringify(value));
}

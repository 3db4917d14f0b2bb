// Actions whose result the service throws or draws. Pure.
import type { ActionRequest, SeatMoves } from "../api/types";

/** Tell if the service throws or draws for an action as it is offered: a dry run cannot tell what comes. */
export function isLeftToChance(seats: readonly SeatMoves[], { kind, params = {}, seat, override }: ActionRequest): boolean {
  return seats.some((of) => (seat ?? of.seat) === of.seat && of.moves.some((move) => {
    const parameter = move.choice?.parameter ?? "";
    const option = move.choice?.options.find(({ value }) => value === params[parameter]);
    const offered = { ...(move.params as Record<string, unknown>), ...(option?.params as Record<string, unknown>), [parameter]: option?.value };
    // A value of the player's own may be refused: the service looks at it.
    return move.kind === kind && !override && (option?.chance ?? move.chance) && Object.keys(params).every((name) =>
      JSON.stringify(params[name] ?? offered[name]) === JSON.stringify(offered[name]));
  }));
}

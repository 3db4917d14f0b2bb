// The facts in the middle of a board, from the state and the newest lines.
import type { Board, Display, Entry, GameState, Way } from "../api/types";
import type { Game } from "../game/game.svelte";

/** Return the faces of the newest throw, and its line among the lines that are read; none while the past is shown. */
export function throwOf(game: Game, past: boolean): { faces: number[]; line: Entry | undefined } {
  if (past) return { faces: [], line: undefined };
  const facesOf = ({ status, draws }: Entry): number[] | undefined =>
    status === "effective" || status === "restated" ? (Object.values(draws).find((drawn) => drawn.length > 0 && drawn.every((value) => Number.isInteger(value))) as number[] | undefined) : undefined;
  const faces = game.state?.last?.dice;
  const line = game.entries.lines.findLast((entry) => facesOf(entry) && (!faces || String(facesOf(entry)) === String(faces)));
  return { faces: faces ?? (line && facesOf(line)) ?? [], line };
}

export interface TitleMark {
  id: string;
  name: string;
  colour: string | undefined;
  mortgaged: boolean;
}

/** List the titles of a seat in the order of the board. */
export function titlesOf(board: Board | null, display: Display, seat: string): TitleMark[] {
  const hatched = new Set(board?.marks.filter(({ icon }) => icon === "mortgage").map(({ id }) => id));
  return (board?.places ?? []).flatMap((square) => {
    const lies = display.places[square.id];
    if (lies?.owner !== seat || !square.commodity) return [];
    const colour = board?.groups.find(({ id }) => id === square.group)?.colour;
    return [{ id: square.id, name: square.name, colour, mortgaged: lies.marks?.some((mark) => hatched.has(mark)) ?? false }];
  });
}

/** Return the ways of the newest move of the seat in turn, as long as its token still stands at the end. */
export function lastWays(game: Game, state: GameState): Way[] {
  const line = game.entries.lines.findLast(({ status, path }) => (status === "effective" || status === "restated") && path.length > 0);
  return (line?.path ?? []).filter(({ seat, places }) => seat === state.turn?.seat && state.display.tokens.some((token) => token.seat === seat && token.place === places.at(-1)));
}

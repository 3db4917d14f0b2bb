// The form in which a board is drawn, and the part of its squares and tokens in a page.
import type { Board, BoardPlace } from "../api/types";

/** Tell if a board is drawn as a ring: with sides, or of enough squares; fewer squares form a circle. */
export function isRing(board: Board): boolean {
  return board.form === "ring" && (board.sides?.length === 4 || board.places.length >= 8);
}

/** Tell if a map is drawn as shapes: each of its places has one. */
export function isShaped(board: Board): boolean {
  return board.form === "map" && board.places.length > 0 && board.places.every((square) => (square.shape?.length ?? 0) > 2);
}

/** What a drawing needs of the board for the element of a square: tab stop, name, and reactions. */
export interface Acts {
  stop: (square: BoardPlace) => number;
  label: (square: BoardPlace) => string;
  focus: (square: BoardPlace) => void;
  click: (square: BoardPlace) => void;
  press: (event: KeyboardEvent, square: BoardPlace) => void;
}

/** Give each token its own key: a seat may have several tokens, even in one square. */
export function numbered<T extends { seat: string }>(tokens: readonly T[]): { token: T; key: string }[] {
  const counts = new Map<string, number>();
  return tokens.map((token) => {
    const nth = (counts.get(token.seat) ?? 0) + 1;
    counts.set(token.seat, nth);
    return { token, key: `${token.seat} ${nth}` };
  });
}

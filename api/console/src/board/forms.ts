// The form in which a board is drawn, and the part of its squares in a page.
import type { Board, BoardPlace } from "../api/types";

/** Tell if a board is drawn as a ring: with sides, or of enough squares; fewer squares form a circle. */
export function isRing(board: Board): boolean {
  return board.form === "ring" && (board.sides?.length === 4 || board.places.length >= 8);
}

/** What a drawing needs of the board for the element of a square: tab stop, name, and reactions. */
export interface Acts {
  stop: (square: BoardPlace) => number;
  label: (square: BoardPlace) => string;
  focus: (square: BoardPlace) => void;
  click: (square: BoardPlace) => void;
  press: (event: KeyboardEvent, square: BoardPlace) => void;
}

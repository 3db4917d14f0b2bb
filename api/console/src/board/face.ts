// The face of a game: its colours, weave, money, pieces and decks, as the board gives them.
import type { Board } from "../api/types";

export type Face = Board["face"];

const HOUSE: Pick<Face, "weave" | "money" | "pieces" | "decks" | "cards"> = { weave: "tiles", money: { style: "note", denominations: [] }, pieces: {}, decks: {}, cards: {} };

/** Return the face of a board; before the board is there, what the house has. */
export function faceOf(board: Board | null): typeof HOUSE {
  return board?.face ?? HOUSE;
}

/** Give the page the colours of a face. Returns the function that takes them away. */
export function wear(face: Face): () => void {
  const { style } = document.documentElement;
  const colours = {
    "--face-cloth": face.cloth,
    "--face-counter": face.counter,
    "--face-accent": face.accent,
    "--face-on-counter": face.on_counter === "ink" ? "#1b1a16" : "",
    "--die": face.dice.body,
    "--pip": face.dice.pip,
  };
  for (const [name, colour] of Object.entries(colours)) style.setProperty(name, colour);
  return () => Object.keys(colours).forEach((name) => style.removeProperty(name));
}

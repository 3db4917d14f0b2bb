// The marks on a thing: those of its place on the board.
import type { Game } from "../game/game.svelte";

/** Return the names of the marks on a commodity, such as a lien on a title. */
export function marksOf(game: Game, commodity: string): string[] {
  const square = game.board?.places.find((candidate) => candidate.commodity === commodity);
  const marks = (square && game.state?.display.places[square.id]?.marks) ?? [];
  return marks.map((mark) => game.board?.marks.find((candidate) => candidate.id === mark)?.name ?? mark);
}

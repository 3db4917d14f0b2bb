import type { Game } from "./game.svelte";
import { theOutbox } from "./outbox.svelte";

/** Erase everything of a game on a replaced device: drafts, noted lines, chains, waiting actions. */
export function forget(game: Game): void {
  void theOutbox(game).erase();
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (key.includes(game.id) && key !== `mabligop:${game.id}`) storage.removeItem(key);
}

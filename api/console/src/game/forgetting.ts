import type { Game } from "./game.svelte";
import { theOutbox } from "./outbox.svelte";

/** Keep nothing of a game on a device that was replaced: no draft, no noted line, no chain, no action that waits. */
export function forget(game: Game): void {
  void theOutbox(game).erase();
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (key.includes(game.id) && key !== `mabligop:${game.id}`) storage.removeItem(key);
}

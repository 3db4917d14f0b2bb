// What an action would do, worked out by the service while it is being put together.
import { Failure, Lost } from "../api/problems";
import type { ActionRequest, Entry } from "../api/types";
import type { Game } from "../game/game.svelte";

const PAUSE_MS = 120;
/** The service throws itself: what comes out is not known before. */
const AHEAD = "/problems/chance-ahead";

export class Foresight {
  entry = $state.raw<Entry | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** Whether the action may be sent: it was previewed as it is, or only chance or the connection hides what it does. */
  ready = $state(false);
  ahead = $derived(this.failure?.problem.type === AHEAD);
  lost = $derived(this.failure instanceof Lost);

  /** Preview an action whenever it or the game changes. Call it while a component is made. */
  constructor(game: Game, getRequest: () => ActionRequest | null) {
    $effect(() => {
      const action = getRequest();
      void game.version;
      this.ready = false;
      if (action === null) {
        this.entry = null;
        this.failure = null;
        return;
      }
      const cut = new AbortController();
      const timer = setTimeout(() => void this.#look(game, action, cut.signal), PAUSE_MS);
      return () => {
        clearTimeout(timer);
        cut.abort();
      };
    });
  }

  async #look(game: Game, request: ActionRequest, signal: AbortSignal): Promise<void> {
    try {
      const { entry } = await game.preview(request, signal);
      if (signal.aborted) return;
      this.entry = entry;
      this.failure = null;
      this.ready = true;
    } catch (fault) {
      if (signal.aborted || !(fault instanceof Failure)) return;
      this.entry = null;
      this.failure = fault;
      this.ready = fault instanceof Lost || fault.problem.type === AHEAD;
    }
  }
}

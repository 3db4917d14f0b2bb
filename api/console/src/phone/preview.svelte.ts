// The effect of an action under construction, computed by the service.
import { Failure, isAhead, Lost } from "../api/problems";
import type { ActionRequest, Entry } from "../api/types";
import { isLeftToChance } from "../game/chance";
import type { Game } from "../game/game.svelte";

const PAUSE_MS = 120;

export class Foresight {
  entry = $state.raw<Entry | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** True if the action may be sent: previewed as it is, or hidden only by chance or the connection. */
  ready = $state(false);
  /** True if the service throws or draws with the action itself. */
  ahead = $state(false);
  lost = $derived(this.failure instanceof Lost);

  /** True if the game went on since the first preview of this action, and the effect became another. */
  changed = $state(false);
  #first: { action: string; effect: string } | null = null;

  /** Preview an action after each change of the action or the game. Call it during the creation of a component. */
  constructor(game: Game, getRequest: () => ActionRequest | null) {
    const late = $derived(game.state?.due);
    $effect(() => {
      const action = getRequest();
      void [game.version, late];
      this.ready = false;
      if (action === null) {
        this.entry = null;
        this.failure = null;
        this.ahead = false;
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
    if (isLeftToChance(game.moves, request)) {
      this.entry = null;
      this.failure = null;
      this.ahead = this.ready = true;
      return;
    }
    try {
      const { entry } = await game.preview(request, signal);
      if (signal.aborted) return;
      const sight = { action: JSON.stringify(request), effect: JSON.stringify([entry.sentence, entry.effects, entry.warnings]) };
      if (this.#first?.action !== sight.action) this.#first = sight;
      this.changed = this.#first.effect !== sight.effect;
      this.entry = entry;
      this.failure = null;
      this.ahead = false;
      this.ready = true;
    } catch (fault) {
      if (signal.aborted || !(fault instanceof Failure)) return;
      this.entry = null;
      this.failure = fault;
      this.ahead = isAhead(fault);
      this.ready = fault instanceof Lost || this.ahead;
    }
  }
}

// Shared facts of a page's view: the past, the paths of a preview, picked lines.
import type { ActionName, GameState, Way } from "../api/types";
import { data } from "../api/client";
import { getContext, setContext } from "svelte";
import type { Game } from "./game.svelte";

const CONTEXT = Symbol("view");
const KEPT = 20;

export class View {
  /** The shown moment of the past; acting is closed while a moment is pinned. */
  past = $state.raw<{ action: ActionName; state: GameState; asRecorded: boolean } | null>(null);
  pinned = $state(false);
  /** The paths of tokens in the previewed action. */
  ways = $state.raw<Way[]>([]);
  /** The square to show on the board, from the command /where. */
  sought = $state<string | null>(null);
  /** Lines picked for a correction. */
  picked = $state.raw<ReadonlySet<ActionName>>(new Set());

  #states = new Map<string, GameState>();
  #request: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly game: Game) {}

  /** The state to draw: of the shown moment, or the present. */
  shown = $derived.by(() => this.past?.state ?? this.game.state);

  /** The answer of the figures' fields: the state now, or at the shown moment. */
  source = $derived.by(() => {
    if (!this.past) return "";
    const { action, asRecorded } = this.past;
    return `state?at=${action}${asRecorded ? `&known_at=${action}` : ""}#`;
  });

  /** Show the moment after a line, in 150 ms, unless another request comes before; `asRecorded`: without later corrections. */
  pointAt(action: ActionName, asRecorded = false): void {
    if (this.pinned) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#show(action, asRecorded), 150);
  }

  /** Show the moment after a line until `now` is called. */
  async pin(action: ActionName): Promise<void> {
    clearTimeout(this.#timer);
    this.pinned = true;
    await this.#show(action);
  }

  /** Read the shown moment again: a correction changed the past, too. */
  renew(): void {
    if (this.past) void this.#show(this.past.action, this.past.asRecorded);
  }

  leave(): void {
    if (!this.pinned) this.now();
  }

  now(): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.pinned = false;
    this.past = null;
  }

  pick(action: ActionName): void {
    const picked = new Set(this.picked);
    if (!picked.delete(action)) picked.add(action);
    this.picked = picked;
  }

  async #show(action: ActionName, asRecorded = false): Promise<void> {
    const name = `${action}@${this.game.version}${asRecorded ? " recorded" : ""}`;
    let state = this.#states.get(name);
    if (!state) {
      this.#request?.abort();
      const cut = (this.#request = new AbortController());
      try {
        state = (await data(
          this.game.api.GET("/api/v1/games/{game}/state", {
            params: { path: { game: this.game.id }, query: { at: action, ...(asRecorded && { known_at: action }) } as never },
            signal: cut.signal,
          }),
        )) as unknown as GameState;
      } catch {
        // Another moment was requested, or this moment cannot be read: the view stays.
        if (!cut.signal.aborted && this.past === null) this.pinned = false;
        return;
      }
      this.#states.set(name, state);
      if (this.#states.size > KEPT) this.#states.delete(this.#states.keys().next().value!);
    }
    this.past = { action, state, asRecorded };
  }
}

export function provideView(view: () => View): void {
  setContext(CONTEXT, view);
}

/** Return the view of the page. Call it during the creation of a component. */
export function theView(): View {
  return getContext<() => View>(CONTEXT)();
}

// Dry runs of a correction, and its writing. A dry run is asked 150 ms after the last change and abandons an earlier
// question.
import { untrack } from "svelte";
import { data, freshKey } from "../api/client";
import { Failure, Lost, Stale } from "../api/problems";
import type { Entry, Preview } from "../api/types";
import type { Game } from "../game/game.svelte";

const WAIT_MS = 150;
const QUIET_MS = 250;

type Body = Record<string, unknown>;
export type Way = "corrections" | "undo" | "redo";

export class Trial {
  preview = $state.raw<Preview | null>(null);
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);
  /** True if the game went on since the first preview of this body, and the effect became another. */
  changed = $state(false);
  /** The line of the written correction. */
  made = $state<number | null>(null);

  #body: Body | null = null;
  #looked: (version: number) => void = () => undefined;
  #first: Preview | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request: AbortController | null = null;
  #key = freshKey();
  #writing = false;
  #quietUntil = 0;

  /** Call it during the creation of a component: an outdated preview is asked for again by itself. */
  constructor(
    private readonly game: Game,
    private readonly way: () => Way,
  ) {
    const late = $derived(game.state?.due);
    $effect(() => {
      void [game.version, late];
      untrack(() => {
        if (this.#body !== null && !this.#writing) this.#soon(this.#body, WAIT_MS);
      });
    });
  }

  /** Ask for the effect soon. Null asks nothing. `looked` takes the version of the answer. */
  ask(body: Body | null, looked: (version: number) => void = () => undefined, wait = WAIT_MS): void {
    this.stop();
    // Another body is another request with its own key.
    this.#key = freshKey();
    [this.#body, this.#looked, this.#first, this.changed] = [body, looked, null, false];
    if (body === null) {
      this.preview = null;
      this.failure = null;
      this.busy = false;
      return;
    }
    this.#soon(body, wait);
  }

  #soon(body: Body, wait: number): void {
    this.stop();
    this.busy = true;
    this.#timer = setTimeout(() => void this.#look(body), wait);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
  }

  /** Write the correction at the version of the preview. Returns true if the correction was written. */
  async apply(body: Body): Promise<boolean> {
    if (this.busy || this.preview === null || performance.now() < this.#quietUntil) return false;
    this.busy = this.#writing = true;
    this.failure = null;
    let stale = false;
    try {
      const header = { "Idempotency-Key": this.#key, "If-Match": `W/"${this.preview.version}"` };
      const entry = (await this.#post(body, header)) as unknown as Entry;
      this.#key = freshKey();
      this.#body = this.preview = null;
      this.made = entry.number;
      return true;
    } catch (fault) {
      if (!(fault instanceof Failure)) throw fault;
      stale = fault instanceof Stale;
      if (!stale) this.failure = fault;
      // Without an answer the request is sent again with the same key, and carried out once.
      if (!(fault instanceof Lost)) this.#key = freshKey();
      return false;
    } finally {
      this.busy = this.#writing = false;
      // The game went on: the next look tells if the effect is another now.
      if (stale && this.#body !== null) this.#soon(this.#body, 0);
    }
  }

  async #look(body: Body): Promise<void> {
    const cut = (this.#request = new AbortController());
    try {
      const preview = (await this.#post({ ...body, dry_run: true }, {}, cut.signal)) as unknown as Preview;
      if (cut.signal.aborted) return;
      const last = this.preview;
      this.#first ??= preview;
      this.changed = effectOf(this.#first) !== effectOf(preview);
      // A press on its way was meant for the earlier effect.
      if (this.changed && last !== null && effectOf(last) !== effectOf(preview)) this.#quietUntil = performance.now() + QUIET_MS;
      this.preview = preview;
      this.failure = null;
      this.#looked(preview.version);
    } catch (fault) {
      if (cut.signal.aborted) return;
      if (!(fault instanceof Failure)) throw fault;
      this.failure = fault;
      // A refused correction still shows its effect, if known.
      this.preview = (fault.problem as { preview?: Preview }).preview ?? (fault instanceof Lost ? this.preview : null);
      if (this.preview) this.#looked(this.preview.version);
    }
    this.busy = false;
  }

  async #post(body: Body, header: Record<string, string>, signal?: AbortSignal): Promise<unknown> {
    const path = `/api/v1/games/{game}/${this.way()}` as "/api/v1/games/{game}/corrections";
    return data(
      this.game.api.POST(path, { params: { path: { game: this.game.id }, header }, body: body as never, ...(signal && { signal }) }),
    );
  }
}

/** Return the effect of a preview, for comparison: its lines and differences, not the balances of the moment. */
export function effectOf({ undone, restored, restated, voided, inserted, needs, warnings, agreements, holdings }: Preview): string {
  const differences = Object.entries(holdings).map(([account, changes]) => [
    account,
    Object.entries(changes).map(([commodity, { before, after }]) => [commodity, after - before]),
  ]);
  return JSON.stringify([undone, restored, restated, voided, inserted, needs, warnings, agreements, differences]);
}

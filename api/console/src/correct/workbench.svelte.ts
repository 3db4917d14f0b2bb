// Dry runs of a correction, and its writing. A dry run is asked 150 ms after the last change and abandons an earlier
// question.
import { data, freshKey } from "../api/client";
import { Failure, Lost, Stale } from "../api/problems";
import type { Entry, Preview } from "../api/types";
import type { Game } from "../game/game.svelte";

const WAIT_MS = 150;

type Body = Record<string, unknown>;
export type Way = "corrections" | "undo" | "redo";

export class Trial {
  preview = $state.raw<Preview | null>(null);
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);
  /** The line of the written correction. */
  made = $state<number | null>(null);

  #timer: ReturnType<typeof setTimeout> | undefined;
  #request: AbortController | null = null;
  #key = freshKey();

  constructor(
    private readonly game: Game,
    private readonly way: () => Way,
  ) {}

  get stale(): boolean {
    return this.preview !== null && (this.preview.stale || this.preview.version < this.game.version);
  }

  /** Ask for the effect soon. Null asks nothing. `looked` takes the version of the answer. */
  ask(body: Body | null, looked: (version: number) => void = () => undefined, wait = WAIT_MS): void {
    this.stop();
    // Another body is another request with its own key.
    this.#key = freshKey();
    if (body === null) {
      this.preview = null;
      this.failure = null;
      this.busy = false;
      return;
    }
    this.busy = true;
    this.#timer = setTimeout(() => void this.#look(body, looked), wait);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
  }

  /** Write the correction at the version of the preview. Returns true if the correction was written. */
  async apply(body: Body): Promise<boolean> {
    if (this.busy || this.preview === null) return false;
    this.busy = true;
    this.failure = null;
    try {
      const header = { "Idempotency-Key": this.#key, "If-Match": `W/"${this.preview.version}"` };
      const entry = (await this.#post(body, header)) as unknown as Entry;
      this.#key = freshKey();
      this.preview = null;
      this.made = entry.number;
      return true;
    } catch (fault) {
      if (!(fault instanceof Failure)) throw fault;
      this.failure = fault;
      // Without an answer the request is sent again with the same key, and carried out once.
      if (!(fault instanceof Lost)) this.#key = freshKey();
      return false;
    } finally {
      this.busy = false;
    }
  }

  async #look(body: Body, looked: (version: number) => void): Promise<void> {
    const cut = (this.#request = new AbortController());
    try {
      const preview = (await this.#post({ ...body, dry_run: true }, {}, cut.signal)) as unknown as Preview;
      if (cut.signal.aborted) return;
      this.preview = preview;
      this.failure = null;
      looked(preview.version);
    } catch (fault) {
      if (cut.signal.aborted) return;
      if (!(fault instanceof Failure)) throw fault;
      this.failure = fault;
      // A refused correction still shows its effect, if known.
      this.preview = (fault.problem as { preview?: Preview }).preview ?? (fault instanceof Lost || fault instanceof Stale ? this.preview : null);
      if (this.preview) looked(this.preview.version);
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

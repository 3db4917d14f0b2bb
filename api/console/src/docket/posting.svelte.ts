// Writing to the docket: a preview, then the same body with one key until an answer comes.
import { data, freshKey } from "../api/client";
import { Failure, Lost } from "../api/problems";
import type { Entry, Preview } from "../api/types";
import { effectOf as correctionOf } from "../correct/workbench.svelte";
import type { Game } from "../game/game.svelte";

type Body = Record<string, unknown>;
const WAIT_MS = 150;

export class Posting {
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** The preview: the entry, and its correction if the entry has one. */
  shown = $state.raw<{ entry: Entry; correction: Preview | null; path: string; body: string; version: number } | null>(null);
  made = $state<number | null>(null);
  /** True if the game went on since an earlier preview of the same body, and the effect is another. */
  changed = $state(false);
  #key = freshKey();
  #sent = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request: AbortController | null = null;

  constructor(private readonly game: Game) {}

  /** Tell if exactly this body was previewed, at the current version. */
  isShown(path: string, body: Body): boolean {
    return this.shown !== null && this.shown.path === path && this.shown.body === JSON.stringify(body) && this.shown.version === this.game.version;
  }

  async preview(path: string, body: Body): Promise<void> {
    const version = this.game.version;
    const answer = await this.#post(path, { ...body, dry_run: true }, {});
    if (answer !== null) this.#show(answer, path, body, version);
  }

  /** Preview the body soon, unless it is shown already. Null shows nothing. */
  ask(path: string, body: Body | null): void {
    this.stop();
    if (body === null) [this.shown, this.failure, this.changed] = [null, null, false];
    else if (!this.isShown(path, body)) this.#timer = setTimeout(() => void this.#look(path, body), WAIT_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
  }

  async #look(path: string, body: Body): Promise<void> {
    const cut = (this.#request = new AbortController());
    const version = this.game.version;
    try {
      const answer = await this.#answer(path, { ...body, dry_run: true }, {}, cut.signal);
      if (cut.signal.aborted) return;
      this.failure = null;
      this.#show(answer, path, body, version);
    } catch (fault) {
      if (cut.signal.aborted) return;
      if (!(fault instanceof Failure)) throw fault;
      [this.failure, this.shown, this.changed] = [fault, null, false];
    }
  }

  #show(answer: unknown, path: string, body: Body, version: number): void {
    const ruled = answer as { entry?: Entry; correction?: Preview | null };
    const preview = { entry: ruled.entry ?? (answer as Entry), correction: ruled.correction ?? null, path, body: JSON.stringify(body), version };
    const earlier = this.shown;
    const isSame = earlier !== null && earlier.path === path && earlier.body === preview.body;
    this.changed = isSame && (effectOf(earlier) !== effectOf(preview) || (this.changed && earlier.version === version));
    this.shown = preview;
  }

  /** Write the body. Returns true if the body was written. */
  async send(path: string, body: Body): Promise<boolean> {
    const sent = path + JSON.stringify(body);
    if (sent !== this.#sent) this.#key = freshKey();
    this.#sent = sent;
    const header = { "Idempotency-Key": this.#key, ...(this.isShown(path, body) && { "If-Match": `W/"${this.shown!.version}"` }) };
    const answer = await this.#post(path, body, header);
    if (answer === null) {
      if (!(this.failure instanceof Lost)) this.#sent = "";
      return false;
    }
    this.#sent = "";
    this.shown = null;
    this.made = (answer as unknown as Entry).number;
    return true;
  }

  async #post(path: string, body: Body, header: Record<string, string>): Promise<unknown> {
    if (this.busy) return null;
    this.busy = true;
    this.failure = null;
    try {
      return await this.#answer(path, body, header);
    } catch (fault) {
      if (!(fault instanceof Failure)) throw fault;
      this.failure = fault;
      this.shown = null;
      return null;
    } finally {
      this.busy = false;
    }
  }

  #answer(path: string, body: Body, header: Record<string, string>, signal?: AbortSignal): Promise<unknown> {
    const to = `/api/v1/games/{game}/${path}` as "/api/v1/games/{game}/rulings";
    return data(this.game.api.POST(to, { params: { path: { game: this.game.id }, header }, body: body as never, ...(signal && { signal }) }));
  }
}

/** Return what a reader of a preview sees of it, for comparison. */
function effectOf({ entry, correction }: { entry: Entry; correction: Preview | null }): string {
  return JSON.stringify([entry.events.map((event) => event.text), entry.effects, correction && correctionOf(correction)]);
}

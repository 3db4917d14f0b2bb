// Writing to the docket: a preview, then the same body with one key until an answer comes.
import { data, freshKey } from "../api/client";
import { Failure, Lost } from "../api/problems";
import type { Entry, Preview } from "../api/types";
import type { Game } from "../game/game.svelte";

type Body = Record<string, unknown>;

export class Posting {
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** The preview: the entry, and its correction if the entry has one. */
  shown = $state.raw<{ entry: Entry; correction: Preview | null; path: string; body: string; version: number } | null>(null);
  made = $state<number | null>(null);
  #key = freshKey();
  #sent = "";

  constructor(private readonly game: Game) {}

  /** Tell if exactly this body was previewed, at the current version. */
  isShown(path: string, body: Body): boolean {
    return this.shown !== null && this.shown.path === path && this.shown.body === JSON.stringify(body) && this.shown.version === this.game.version;
  }

  async preview(path: string, body: Body): Promise<void> {
    const version = this.game.version;
    const answer = await this.#post(path, { ...body, dry_run: true }, {});
    if (answer === null) return;
    const ruled = answer as unknown as { entry?: Entry; correction?: Preview | null };
    const entry = ruled.entry ?? (answer as unknown as Entry);
    this.shown = { entry, correction: ruled.correction ?? null, path, body: JSON.stringify(body), version };
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
      const to = `/api/v1/games/{game}/${path}` as "/api/v1/games/{game}/rulings";
      return await data(this.game.api.POST(to, { params: { path: { game: this.game.id }, header }, body: body as never }));
    } catch (fault) {
      if (!(fault instanceof Failure)) throw fault;
      this.failure = fault;
      this.shown = null;
      return null;
    } finally {
      this.busy = false;
    }
  }
}

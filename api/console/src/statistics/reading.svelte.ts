// The figures of the open game: read on opening a page, on demand, and after a correction or a change of the language.
import { data } from "../api/client";
import { Failure } from "../api/problems";
import type { Statistics } from "../api/types";
import type { Game } from "../game/game.svelte";
import { speaking } from "../i18n/language.svelte";
import { save } from "../journal/csv";
import { statisticsTexts as t } from "./texts";

export class Reading {
  all = $state.raw<Statistics | null>(null);
  /** What went wrong, in words; empty if nothing did. */
  failed = $state("");
  saving = $state(false);
  #tries = $state(0);

  /** Call it during the creation of a component. `anew` is read: its changes read the figures again. */
  constructor(
    readonly game: Game,
    anew: () => unknown = () => undefined,
  ) {
    $effect(() => {
      void [speaking.now, this.#tries, game.entries.rewrites, anew()];
      let current = true;
      this.failed = "";
      data(game.api.GET("/api/v1/games/{game}/statistics", this.#path)).then(
        (all) => current && (this.all = all),
        (fault: unknown) => current && (this.failed = fault instanceof Failure ? fault.message || t().unread : t().unread),
      );
      return () => (current = false);
    });
  }

  get #path() {
    return { params: { path: { game: this.game.id } } };
  }

  again(): void {
    this.#tries++;
  }

  /** Save the report: one page with all figures. */
  async report(): Promise<void> {
    this.saving = true;
    try {
      const query = { format: "html" } as never;
      const page = await data(this.game.api.GET("/api/v1/games/{game}/export", { params: { ...this.#path.params, query }, parseAs: "blob" }));
      save(page as unknown as Blob, `${this.game.id}.html`);
    } catch (fault) {
      if (!(fault instanceof Failure)) throw fault;
      this.failed = fault.message;
    } finally {
      this.saving = false;
    }
  }
}

// The games that the service offers, in the language of the page.
import { clientFor, data } from "../api/client";
import type { components } from "../api/schema";
import { speaking } from "../i18n/language.svelte";

export class Bookshelf {
  books = $state.raw<components["schemas"]["RulebookSummary"][]>([]);
  /** True while the service does not answer. */
  unread = $state(false);
  #tries = $state(0);

  /** Read the games, again after a change of the language. Call it in an effect. */
  read(): () => void {
    void speaking.now;
    void this.#tries;
    let current = true;
    data(clientFor(null, () => speaking.now).GET("/api/v1/rulebooks")).then(
      ({ rulebooks }) => current && ([this.books, this.unread] = [rulebooks, false]),
      () => current && (this.unread = true),
    );
    return () => (current = false);
  }

  again(): void {
    this.#tries++;
  }

  of(id: string | undefined): components["schemas"]["RulebookSummary"] | undefined {
    return this.books.find((book) => book.id === id);
  }
}

// The messages for a screen reader: one polite and one assertive live region, in the page once.
import { untrack } from "svelte";

class Announcer {
  polite = $state("");
  assertive = $state("");

  /** Say something after the reader's current text. A repeated text gets a space, so that the reader says it again. */
  say(text: string): void {
    // Effects announce: the former text must not make them run again.
    this.polite = untrack(() => this.polite) === text ? `${text} ` : text;
  }

  /** Say something at once: "your turn", "answer now". */
  interrupt(text: string): void {
    this.assertive = untrack(() => this.assertive) === text ? `${text} ` : text;
  }

  /** Say something that holds for a while. Returns the function that takes the text back at the end of the while. */
  during(text: string): () => void {
    this.interrupt(text);
    return () => {
      if (untrack(() => this.assertive).trimEnd() === text) this.assertive = "";
    };
  }
}

export const announcer = new Announcer();

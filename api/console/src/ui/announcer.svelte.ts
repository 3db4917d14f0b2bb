// What a screen reader is told: one polite and one assertive live region, in the page once.
import { untrack } from "svelte";

class Announcer {
  polite = $state("");
  assertive = $state("");

  /** Say something when the reader has finished. The same text twice gets a space, so that it is read again. */
  say(text: string): void {
    // Effects announce: what was said before must not make them run again.
    this.polite = untrack(() => this.polite) === text ? `${text} ` : text;
  }

  /** Say something at once: "your turn", "answer now". */
  interrupt(text: string): void {
    this.assertive = untrack(() => this.assertive) === text ? `${text} ` : text;
  }
}

export const announcer = new Announcer();

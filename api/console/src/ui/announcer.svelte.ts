// What a screen reader is told: one polite and one assertive live region, in the page once.

class Announcer {
  polite = $state("");
  assertive = $state("");

  /** Say something when the reader has finished. The same text twice gets a space, so that it is read again. */
  say(text: string): void {
    this.polite = this.polite === text ? `${text} ` : text;
  }

  /** Say something at once: "your turn", "answer now". */
  interrupt(text: string): void {
    this.assertive = this.assertive === text ? `${text} ` : text;
  }
}

export const announcer = new Announcer();

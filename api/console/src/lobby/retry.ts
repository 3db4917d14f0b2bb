// One Idempotency-Key for one request: it is the same as long as the request is, so that a repeated one happens once.
import { freshKey } from "../api/client";

export class Retry {
  #body = "";
  #key = "";

  keyFor(body: unknown): string {
    const text = JSON.stringify(body);
    if (text !== this.#body) {
      this.#body = text;
      this.#key = freshKey();
    }
    return this.#key;
  }

  /** The request came to its end: the next one is another, even if it asks for the same. */
  done(): void {
    this.#body = "";
  }
}

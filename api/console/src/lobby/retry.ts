// One Idempotency-Key for one request: stable for equal bodies, so that a repeated request happens once.
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

  /** End the request: the next request is new, even with an equal body. */
  done(): void {
    this.#body = "";
  }
}

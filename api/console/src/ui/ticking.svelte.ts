// The present, by the device's clock: one beat for every clock of a page, so that two clocks never differ.
const BEAT_MS = 250;

class Ticking {
  /** In milliseconds. Follows the time while a component asked for beats. */
  present = $state(Date.now());
  #users = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Follow the time. Returns the function that ends it. */
  follow(): () => void {
    this.present = Date.now();
    if (this.#users++ === 0) this.#timer = setInterval(() => (this.present = Date.now()), BEAT_MS);
    return () => {
      if (--this.#users === 0) clearInterval(this.#timer);
    };
  }
}

export const ticking = new Ticking();

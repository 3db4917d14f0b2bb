// The drawings of weaves, loaded when the first of them is shown: no first view waits for them.
import type { Weave } from "./weaves";

class Drawings {
  weaves = $state.raw<Record<string, Weave>>({});
  #asked = false;

  /** Load all weaves, once. Without them the cloth is plain. */
  load(): void {
    if (this.#asked) return;
    this.#asked = true;
    import("./weaves").then(({ weaves }) => (this.weaves = weaves), () => undefined);
  }
}

const drawings = new Drawings();

/** Return a weave; the weave of the house for an unknown name, undefined until the weaves are loaded. */
export function weave(name: string): Weave | undefined {
  drawings.load();
  return drawings.weaves[name] ?? drawings.weaves["tiles"];
}

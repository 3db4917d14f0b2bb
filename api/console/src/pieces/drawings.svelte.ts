// The drawings of icons and weaves, loaded when the first of them is shown: no first view waits for them.
import type { Weave } from "./weaves";

class Drawings {
  icons = $state.raw<Record<string, string>>({});
  weaves = $state.raw<Record<string, Weave>>({});
  #asked = false;

  /** Load all drawings, once. Without them the names stand alone. */
  load(): void {
    if (this.#asked) return;
    this.#asked = true;
    import("./icons").then(({ icons }) => (this.icons = icons), () => undefined);
    import("./weaves").then(({ weaves }) => (this.weaves = weaves), () => undefined);
  }
}

const drawings = new Drawings();

/** Return the path of an icon; undefined for an unknown name, and until the drawings are loaded. */
export function iconPath(name: string | null | undefined): string | undefined {
  drawings.load();
  return name ? drawings.icons[name] : undefined;
}

/** Return a weave; the weave of the house for an unknown name, undefined until the drawings are loaded. */
export function weave(name: string): Weave | undefined {
  drawings.load();
  return drawings.weaves[name] ?? drawings.weaves["tiles"];
}

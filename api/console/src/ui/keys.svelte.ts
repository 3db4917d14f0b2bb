// The keys of a page, in one place, so that `?` can list them. Letters act outside fields only (WCAG 2.1.4).
import { onDestroy } from "svelte";

export interface Key {
  /** The name as in `event.key`, with "Ctrl+" or "Ctrl+Shift+" before; "g d" is g, then d. */
  key: string;
  /** The effect of the key, for the list of keys. */
  does: () => string;
  /** Left out for a key of the list only: its control or the browser reacts itself. */
  run?: (event: KeyboardEvent) => void;
  /**
   * True if the key acts inside fields and over dialogs, too (function keys and Ctrl). Escape closes a dialog first.
   */
  everywhere?: boolean;
}

const OFF = "mabligop-letters";

class Keys {
  all = $state.raw<Key[]>([]);
  /** True if single letters act. */
  letters = $state(localStorage.getItem(OFF) !== "off");
  #prefix: string | null = null;

  constructor() {
    document.addEventListener("keydown", (event) => this.#press(event));
  }

  /** Add keys as long as the calling component is in the page. */
  use(added: Key[]): void {
    this.all = [...this.all, ...added];
    onDestroy(() => (this.all = this.all.filter((key) => !added.includes(key))));
  }

  setLetters(on: boolean): void {
    this.letters = on;
    if (on) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "off");
  }

  #press(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    const inField = isField(event.target);
    const control = event.ctrlKey || event.metaKey;
    const pressed = control
      ? `Ctrl+${event.shiftKey ? "Shift+" : ""}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`
      : event.key;
    const isLetter = !control && pressed.length === 1;
    if (isLetter && (inField || !this.letters)) return;
    const inDialog = document.querySelector("dialog[open]") !== null;
    if (inDialog && pressed === "Escape") return;
    const named = this.#prefix === null ? pressed : `${this.#prefix} ${pressed}`;
    this.#prefix = null;
    const match = this.all.findLast((key) => key.run && key.key === named && (!(inField || inDialog) || key.everywhere));
    if (match) {
      event.preventDefault();
      match.run!(event);
    } else if (isLetter && !inDialog && this.all.some((key) => key.key.startsWith(`${named} `))) this.#prefix = named;
  }
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.matches("input, textarea, select") || target.isContentEditable);
}

export const keys = new Keys();

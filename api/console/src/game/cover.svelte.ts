// The cover of a device's pages: a covered page is drawn from what a spectator reads, so no value can be forgotten.
import { getContext, setContext } from "svelte";
import { announcer } from "../ui/announcer.svelte";
import type { Game } from "./game.svelte";
import type { Credential } from "./session.svelte";

const CONTEXT = Symbol("cover");

export class Cover {
  /** True if the pages are covered (F8). */
  on = $state(false);
  /** True if the device covers its pages alone. */
  alone = $state(false);
  /** True while a sheet over the covered page shows what the owner is to do. */
  looks = $state(false);
  /** The game with the rights of the device, for that sheet alone. */
  own?: Game;
  /** Called on a touch of the cover. */
  touch?: () => void;

  /** The role of the device, and its seat: public also while covered. */
  readonly role: Credential["role"];
  readonly seat: string | null;
  readonly #name: string;

  /** `begins`: the state of a device that was never covered or uncovered. */
  constructor({ game, role, seat }: Credential, begins: boolean) {
    this.role = role;
    this.seat = seat ?? null;
    this.#name = `mabligop-covered:${game}:${role}`;
    const stored = sessionStorage.getItem(this.#name);
    this.on = stored ? stored === "on" : begins;
  }

  set(on: boolean): void {
    this.on = on;
    this.looks = false;
    // A reload shows nothing that was covered.
    sessionStorage.setItem(this.#name, on ? "on" : "off");
    announcer.polite = announcer.assertive = "";
  }

  toggle(): void {
    this.set(!this.on);
    this.touch?.();
  }
}

export function provideCover(cover: Cover): void {
  setContext(CONTEXT, cover);
}

/** Return the cover of the pages. Call it during the creation of a component. */
export function theCover(): Cover {
  return getContext<Cover>(CONTEXT);
}

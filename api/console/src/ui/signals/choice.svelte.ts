// The choice of this device for sounds and vibration, apart for desk, phone and wall. Off until chosen.
import type { Credential } from "../../game/session.svelte";

const STORED = "mabligop-sounds:";

class Choices {
  #changes = $state(0);

  isOn(role: Credential["role"]): boolean {
    void this.#changes;
    return localStorage.getItem(STORED + role) === "on";
  }

  set(role: Credential["role"], on: boolean): void {
    localStorage.setItem(STORED + role, on ? "on" : "off");
    this.#changes++;
  }
}

export const signals = new Choices();

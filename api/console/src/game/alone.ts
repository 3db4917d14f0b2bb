// The choice of a device whether it covers its pages alone.
import type { Cover } from "./cover.svelte";

const STORED = "mabligop-cover:";

/** Tell the choice of this device. Phones cover themselves unless told otherwise. */
export function isAlone(cover: Cover): boolean {
  return (localStorage.getItem(STORED + cover.role) ?? (cover.role === "player" ? "on" : "off")) === "on";
}

/** Choose for this device. */
export function setAlone(cover: Cover, alone: boolean): void {
  cover.alone = alone;
  localStorage.setItem(STORED + cover.role, alone ? "on" : "off");
  if (alone) askForPosition();
}

/** Some browsers tell the position of a device only after a question, which they allow on a touch. */
export function askForPosition(): void {
  const sensor = (globalThis as { DeviceOrientationEvent?: { requestPermission?: () => Promise<unknown> } }).DeviceOrientationEvent;
  sensor?.requestPermission?.().catch(() => undefined);
}

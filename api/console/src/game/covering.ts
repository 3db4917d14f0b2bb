// A device that covers its pages alone: a minute after the last touch, laid face down, or put away.
import { askForPosition, isAlone } from "./alone";
import type { Cover } from "./cover.svelte";

const REST_MS = 60_000;
const TOUCHES = ["pointerdown", "pointermove", "keydown", "wheel"];

/** Tell if a device lies with its screen down, by its rotation in degrees (W3C DeviceOrientation). */
export function isFaceDown(beta: number | null, gamma: number | null): boolean {
  return Math.abs(beta ?? 0) > 150 && Math.abs(gamma ?? 90) < 30;
}

/** Cover the pages as long as `cover.alone` is true. Returns a function that ends the watch. */
export function coverAlone(cover: Cover): () => void {
  cover.alone = isAlone(cover);
  cover.touch = () => cover.alone && askForPosition();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = (): void => {
    if (cover.alone && (!cover.on || cover.looks)) cover.set(true);
  };
  const touch = (): void => {
    clearTimeout(timer);
    timer = setTimeout(close, REST_MS);
  };
  const turn = ({ beta, gamma }: DeviceOrientationEvent): void => {
    if (isFaceDown(beta, gamma)) close();
  };
  const hide = (): void => {
    if (document.visibilityState === "hidden") close();
  };
  for (const kind of TOUCHES) window.addEventListener(kind, touch, { capture: true, passive: true });
  window.addEventListener("deviceorientation", turn);
  document.addEventListener("visibilitychange", hide);
  touch();
  return () => {
    clearTimeout(timer);
    for (const kind of TOUCHES) window.removeEventListener(kind, touch, { capture: true });
    window.removeEventListener("deviceorientation", turn);
    document.removeEventListener("visibilitychange", hide);
  };
}

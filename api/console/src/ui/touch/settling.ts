// A second touch at the same place, within 400 ms of a changed page, does nothing: it was meant for the page before.

const SETTLE_MS = 400;
const NEAR_PX = 24;
/** A touch so long after another is no second one, but a new thought. */
const APART_MS = 2000;

let changedAt = -Infinity;
let last = { x: 0, y: 0, at: -Infinity };

/** Note that the page under the finger is another one: another address, dialog or due step. */
export function pageChanged(): void {
  changedAt = performance.now();
}

function guard(event: MouseEvent): void {
  // Keys have no place.
  if (event.detail === 0) return;
  const at = performance.now();
  const again = changedAt >= last.at && at - changedAt < SETTLE_MS && at - last.at < APART_MS && Math.hypot(event.clientX - last.x, event.clientY - last.y) < NEAR_PX;
  last = { x: event.clientX, y: event.clientY, at };
  if (!again) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

document.addEventListener("click", guard, { capture: true });

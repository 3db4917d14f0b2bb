// The sending of an entry: the same key until an answer comes, and again if the game went on without touching the
// effect.
import { freshKey } from "../api/client";
import { Busy, Failure, Lost, Stale } from "../api/problems";
import { same, type WishPreview, type Wish } from "./wish";

const TRIES = 3;
const WAITS_S = [1, 2, 4, 8, 15];

export type Sent =
  | { how: "entered"; sentence: string }
  /** The game went on, and the effect changed: the banker must look again. */
  | { how: "moved"; preview: WishPreview }
  | { how: "refused"; failure: Failure };

/**
 * Perform a wish at the previewed version. Without an answer, `waits` is called with the key and the request is
 * repeated until an answer comes. After a 412 the wish is previewed again, and sent if the effect is unchanged, three
 * times at most.
 */
export async function send(
  wish: Wish,
  preview: WishPreview,
  waits: (key: string) => void,
  pause: (seconds: number) => Promise<void> = wait,
): Promise<Sent> {
  let key = freshKey();
  let last = preview;
  let stale = 0;
  for (let lost = 0; ; ) {
    try {
      return { how: "entered", sentence: await wish.perform({ key, version: last.version }) };
    } catch (fault) {
      if (!(fault instanceof Failure)) throw fault;
      if (fault instanceof Lost || fault instanceof Busy) {
        waits(key);
        await pause(fault instanceof Busy ? fault.seconds : WAITS_S[Math.min(lost++, WAITS_S.length - 1)]!);
      } else if (fault instanceof Stale) {
        const current = await again(wish);
        if (current instanceof Failure) return { how: "refused", failure: current };
        if (stale++ >= TRIES || !same(current, last)) return { how: "moved", preview: current };
        last = current;
        // The refused request keeps its key: the next request is a new one.
        key = freshKey();
      } else return { how: "refused", failure: fault };
    }
  }
}

async function again(wish: Wish): Promise<WishPreview | Failure> {
  try {
    return await wish.preview(new AbortController().signal);
  } catch (fault) {
    if (fault instanceof Failure) return fault;
    throw fault;
  }
}

function wait(seconds: number): Promise<void> {
  return new Promise((resolved) => setTimeout(resolved, seconds * 1000));
}

// The sound and the vibration for a change of the game. Pure: from two moments to a signal.

export type Sound = "coin" | "bell" | "stamp";

/** A game as a device sees it at a moment. */
export interface Moment {
  /** The seat of the device; null for desk and wall. */
  seat: string | null;
  /** The seat in turn. */
  turn: string | null;
  /** The cash of the device's seat; null without a seat, and while covered. */
  cash: number | null;
  /** The due move of the device's seat. */
  due: string | null;
}

export interface Signal {
  sound: Sound | null;
  /** For `navigator.vibrate`, in milliseconds; null for no vibration. */
  vibration: number[] | null;
}

/** The least time between two sounds, in milliseconds. */
export const APART_MS = 2000;

/** Return the signal for the change from one moment to the next, with the kinds of the new lines. */
export function signalOf(past: Moment, present: Moment, kinds: readonly string[]): Signal {
  const begins = present.turn !== past.turn && present.turn !== null && (present.seat === null || present.turn === present.seat);
  const isAsked = present.due !== null && present.due !== past.due && present.turn !== present.seat;
  const paid = past.cash !== null && present.cash !== null && present.cash > past.cash;
  const sound = kinds.includes("rule") ? "stamp" : begins || isAsked ? "bell" : paid ? "coin" : null;
  return { sound, vibration: present.seat === null ? null : isAsked ? [20, 60, 20] : begins ? [20] : null };
}

/** The gate that lets one sound pass in two seconds. */
export class Gate {
  #last = -Infinity;

  /** Tell if a sound may begin at this time (milliseconds), and count it. */
  passes(time: number): boolean {
    if (time - this.#last < APART_MS) return false;
    this.#last = time;
    return true;
  }
}

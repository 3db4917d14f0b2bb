// Throws that anybody can derive again, as in `ledger/kernel/dice/deriving.py`, the specification to the byte.
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

const ALL = 1n << 64n;

function number(value: number, length: 2 | 8): Uint8Array {
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  if (length === 2) view.setUint16(0, value);
  else view.setBigUint64(0, BigInt(value));
  return bytes;
}

/** Combine values into a key, each value with the name of its owner. */
export function keyOf(values: Record<string, Uint8Array>): Uint8Array {
  const named = Object.entries(values).map(([name, value]) => [utf8ToBytes(name), value] as const);
  named.sort(([a], [b]) => compare(a, b));
  return sha256(concatBytes(...named.flatMap(([name, value]) => [number(name.length, 2), name, number(value.length, 2), value])));
}

function compare(a: Uint8Array, b: Uint8Array): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    if (a[at] !== b[at]) return a[at]! - b[at]!;
  }
  return a.length - b.length;
}

/** A source of numbers for one action of a game. */
export class Derived {
  #block = 0;
  #stream: bigint[] = [];
  readonly #message: Uint8Array;

  constructor(
    readonly key: Uint8Array,
    game: string,
    action: number,
  ) {
    this.#message = concatBytes(utf8ToBytes(game), Uint8Array.of(0), number(action, 8));
  }

  /** Return the next number from a to b, both included. */
  between(a: number, b: number): number {
    const count = BigInt(b - a + 1);
    const accepted = ALL - (ALL % count);
    for (;;) {
      const word = this.#word();
      if (word < accepted) return a + Number(word % count);
    }
  }

  /** Shuffle the list by the next numbers. */
  shuffled<T>(list: readonly T[]): T[] {
    const order = [...list];
    for (let last = order.length - 1; last > 0; last--) {
      const index = this.between(0, last);
      [order[last], order[index]] = [order[index]!, order[last]!];
    }
    return order;
  }

  #word(): bigint {
    if (this.#stream.length === 0) {
      const block = hmac(sha256, this.key, concatBytes(this.#message, number(this.#block++, 8)));
      const view = new DataView(block.buffer, block.byteOffset, block.length);
      this.#stream = [0, 8, 16, 24].map((at) => view.getBigUint64(at));
    }
    return this.#stream.shift()!;
  }
}

// Hash chains, as in `ledger/kernel/dice/chains.py`, the specification to the byte.
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

const DOMAIN = utf8ToBytes("mabligop chain\n");

/** Hash a value a number of times. */
export function hashed(value: Uint8Array, times: number): Uint8Array {
  for (let done = 0; done < times; done++) value = sha256(concatBytes(DOMAIN, value));
  return value;
}

/** Return the value at a position of a chain, from 1 to its length; position 0 is its end. */
export function valueAt(root: Uint8Array, length: number, position: number): Uint8Array {
  if (position < 0 || position > length) throw new RangeError(`a chain of ${length} values has no value ${position}`);
  return hashed(root, length - position);
}

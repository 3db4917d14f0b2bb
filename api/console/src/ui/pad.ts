// The typed text of a number pad: digits, and sums with "+". Pure.

/** The longest text of a pad. */
const LONGEST = 15;
export const ERASE = "⌫";

/** Return the text after a key of the pad: a digit or several zeros, "+", or the key that erases. */
export function pressed(typed: string, key: string): string {
  if (key === ERASE) return typed.slice(0, -1);
  if (key === "+") return typed === "" || typed.endsWith("+") ? typed : `${typed}+`;
  if (typed.length >= LONGEST || (/(^|\+)$/.test(typed) && /^0+$/.test(key))) return typed;
  return typed + key;
}

export function sumOf(typed: string): number {
  return typed.split("+").reduce((sum, term) => sum + Number(term || 0), 0);
}

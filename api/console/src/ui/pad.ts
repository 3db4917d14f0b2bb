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

/** Return the text with an amount more: "100", then 20, is "100+20". Too long a text stays. */
export function added(typed: string, amount: number): string {
  const longer = typed === "" || typed.endsWith("+") ? `${typed}${amount}` : `${typed}+${amount}`;
  return longer.length > LONGEST ? typed : longer;
}

/** Return up to four round amounts for quick sums, all within a purse: 1240 and 956 give 10, 20, 50 and 100. */
export function quickSums(purse: number): number[] {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, 2 * purse))) - 2);
  return [unit, 2 * unit, 5 * unit, 10 * unit].filter((amount) => amount <= purse);
}

export function sumOf(typed: string): number {
  return typed.split("+").reduce((sum, term) => sum + Number(term || 0), 0);
}

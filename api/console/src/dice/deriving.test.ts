// The 10,000 throws of the Python tests.

import { expect, test } from "vitest";
import written from "../trust/made.json?raw";
import { Derived, keyOf } from "./deriving";

interface Thrown {
  values: Record<string, string>;
  game: string;
  action: number;
  thrown: [number, number][];
  shuffled: string;
}

const { dice } = JSON.parse(written) as { dice: Thrown[] };
const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (one) => parseInt(one, 16));

test("both derive the same throws and shuffles", () => {
  let count = 0;
  for (const { values, game, action, thrown, shuffled } of dice) {
    const key = keyOf(Object.fromEntries(Object.entries(values).map(([name, hex]) => [name, bytes(hex)])));
    const source = new Derived(key, game, action);
    for (const [sides, face] of thrown) {
      expect(source.between(1, sides)).toBe(face);
      count++;
    }
    expect(source.shuffled([..."abcdefghij"]).join("")).toBe(shuffled);
  }
  expect(count).toBe(10_000);
});

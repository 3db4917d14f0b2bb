import { expect, it } from "vitest";
import { wordingOf } from "./wording";

const tells = (text: string): boolean => /\d|Prison/.test(text);
const cut = (sentence: string, values: Record<string, string>): string | null =>
  wordingOf(sentence, values, tells)?.map((part) => ("text" in part ? part.text : `[${part.blank}]`)).join("") ?? null;

it("puts a blank in the place of each value", () => {
  expect(cut("Ana gives ₦1,100 to Bob.", { to: "Bob", amount: "₦1,100" })).toBe("Ana gives [amount] to [to].");
  expect(cut("Ana rolls 3, 5.", { dice: "3, 5" })).toBe("Ana rolls [dice].");
});

it("leaves out a result at the end", () => {
  expect(cut("Ana builds a house on Nuketown for ₦50; 2 stand there now.", { title: "Nuketown" })).toBe("Ana builds a house on [title].");
});

it("leaves a sentence alone that tells a result before a value, or a value twice", () => {
  expect(cut("Bob sells a dose on Prison for 100 (die 4).", { dice: "4" })).toBeNull();
  expect(cut("Bob sells it on Comico: the police take it (die 5).", { corner: "Comico", dice: "5" })).toBeNull();
  expect(cut("Ana asks Ana.", { to: "Ana" })).toBeNull();
  expect(cut("Ana ends her turn.", {})).toBeNull();
});

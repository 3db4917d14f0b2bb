import { expect, it } from "vitest";
import type { Move } from "../api/types";
import { fixedIn } from "./fixing";

const move = {
  id: "repay", kind: "repay", params: { how: "cash" },
  free: { amount: { required: true, "x-kind": "amount" }, note: { required: false, "x-kind": "text" } },
  choice: { parameter: "loan", options: [{ value: "87", params: { lender: "bank" }, cost: 300 }, { value: "90", free: { rate: { required: true } } }] },
  cost: 5,
} as unknown as Move;

it("makes the choice that is decided, with all that the option says", () => {
  const fixed = fixedIn(move, { loan: "87" });
  expect(fixed.choice).toBeUndefined();
  expect(fixed).toMatchObject({ params: { how: "cash", loan: "87", lender: "bank" }, cost: 300 });
  expect(Object.keys(fixed.free)).toEqual(["amount", "note"]);
  expect(Object.keys(fixedIn(move, { loan: "90" }).free)).toEqual(["amount", "note", "rate"]);
});

it("asks no more for what is given, and leaves an open choice open", () => {
  const fixed = fixedIn(move, { amount: 40 });
  expect(Object.keys(fixed.free)).toEqual(["note"]);
  expect(fixed.params).toEqual({ how: "cash", amount: 40 });
  expect(fixed.choice).toEqual(move.choice);
});

import { expect, it } from "vitest";
import type { Move } from "../api/types";
import { examplesOf } from "./request";
import { fixedIn } from "./fixing";
import type { Schema } from "./schema";

const schema: Schema = { type: "object", properties: { amount: { type: "integer" }, note: { type: "string" }, loan: { type: "string" } } };

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

it("leaves what may be changed open, beginning with what is given, and an open choice open", () => {
  const fixed = fixedIn(move, { amount: 1, note: "…" });
  expect(Object.keys(fixed.free)).toEqual(["amount", "note"]);
  expect(examplesOf(fixed, undefined, schema)).toEqual({ amount: 1 });
  expect(fixed.choice).toEqual(move.choice);
});

import { expect, it } from "vitest";
import type { Agreement, MoveOption } from "../api/types";
import { isOfferTo, laidFor } from "./offers";

it("finds what others laid for an option, and not what the seat laid itself", () => {
  const laid = (debtor: string, status: string): object => ({ debtor, status, commodity: "coin", amount: 4 });
  const option = { value: "bob", settles: [laid("ana", "laid"), laid("bob", "laid"), laid("bob", "due")] } as unknown as MoveOption;
  expect(laidFor(option, "ana")).toEqual([laid("bob", "laid")]);
  expect(laidFor({ value: "bob" } as MoveOption, "ana")).toEqual([]);
});

it("knows an offer by its consent, which only the other seat can give", () => {
  const offer = { parties: [{ seat: "ana" }, { seat: "bob" }], gives: [{}], next: [{ move: "yes", answer: "accept", seat: "bob" }] } as unknown as Agreement;
  expect([isOfferTo(offer, "bob"), isOfferTo(offer, "ana")]).toEqual([true, false]);
  expect(isOfferTo({ ...offer, gives: [] }, "bob")).toBe(false);
});

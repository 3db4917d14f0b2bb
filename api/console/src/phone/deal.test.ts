import { describe, expect, it } from "vitest";
import type { Schema } from "../forms/schema";
import { paramsOf, shapeOf } from "./deal";

const member = (kind: string): Schema => ({ "x-kind": kind, type: "string" });
const legs = { "x-kind": "legs", type: "array", items: { $ref: "#/$defs/Leg" } } as Schema;
const oneList = {
  properties: { legs, clauses: { "x-kind": "list", type: "array", items: member("text") } },
  $defs: { Leg: { properties: { giver: member("seat"), taker: member("seat"), commodity: member("commodity"), amount: member("amount") } } },
} as unknown as Schema;
const twoLists = {
  properties: { to: member("seat"), give: legs, ask: legs, lift: { "x-kind": "list", items: member("title") } },
  $defs: { Leg: { properties: { commodity: member("commodity"), amount: member("quantity") } } },
} as unknown as Schema;

describe("a deal of two lists", () => {
  it("is written as legs with giver and taker where the game has one list", () => {
    const shape = shapeOf(oneList)!;
    expect(paramsOf(shape, "ana", "bob", [{ commodity: "title:x", amount: 1 }], [{ commodity: "coin", amount: 300 }], ["no rent"])).toEqual({
      legs: [
        { giver: "ana", taker: "bob", commodity: "title:x", amount: 1 },
        { giver: "bob", taker: "ana", commodity: "coin", amount: 300 },
      ],
      clauses: ["no rent"],
    });
  });

  it("is written as two lists and a partner where the game has those", () => {
    const shape = shapeOf(twoLists)!;
    expect(paramsOf(shape, "ana", "bob", [], [{ commodity: "coin", amount: 5 }], [])).toEqual({ give: [], ask: [{ commodity: "coin", amount: 5 }], to: "bob" });
  });

  it("is nothing where a kind has no such lists", () => {
    expect(shapeOf({ properties: { to: member("seat") } } as unknown as Schema)).toBeNull();
  });
});

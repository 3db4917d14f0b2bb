import { describe, expect, it } from "vitest";
import type { Schema } from "../forms/schema";
import { parametersOf, paramsOf, shapeOf } from "./shape";
import type { Terms } from "./trays";

const member = (kind: string): Schema => ({ "x-kind": kind, type: "string" });
const legs = { "x-kind": "legs", type: "array", items: { $ref: "#/$defs/Leg" } } as Schema;
const oneList = {
  properties: { legs, clauses: { "x-kind": "list", type: "array", items: member("text") }, parties: { anyOf: [{ "x-kind": "list", items: member("seat") }, { type: "null" }] } },
  $defs: { Leg: { properties: { giver: member("seat"), taker: member("seat"), commodity: member("commodity"), amount: member("amount") } } },
} as unknown as Schema;
const twoLists = {
  properties: { to: member("seat"), give: legs, ask: legs, lift: { "x-kind": "list", items: member("title") } },
  $defs: { Leg: { properties: { commodity: member("commodity"), amount: member("quantity") } } },
} as unknown as Schema;

const terms = (gives: object, gets: object, promises: string[] = [], lifts: string[] | null = null): Terms => ({ partner: "bob", gives, gets, promises, lifts }) as Terms;

describe("a deal of two trays", () => {
  it("is written as legs with giver and taker where the game has one list", () => {
    const shape = shapeOf(oneList)!;
    expect(paramsOf(shape, "ana", terms({ "title:x": 1, coin: 0 }, { coin: 300 }, ["no rent"]), { legs: {}, clauses: {}, parties: {} })).toEqual({
      legs: [
        { giver: "ana", taker: "bob", commodity: "title:x", amount: 1 },
        { giver: "bob", taker: "ana", commodity: "coin", amount: 300 },
      ],
      clauses: ["no rent"],
    });
  });

  it("names the parties where nothing but a promise tells them", () => {
    const params = paramsOf(shapeOf(oneList)!, "ana", terms({}, {}, ["no rent"]), { legs: {}, clauses: {}, parties: {} });
    expect(params).toEqual({ legs: [], clauses: ["no rent"], parties: ["ana", "bob"] });
  });

  it("is written as two lists and a partner where the game has those", () => {
    const shape = shapeOf(twoLists)!;
    expect(parametersOf(shape)).toEqual(["give", "ask", "to", "lift"]);
    expect(paramsOf(shape, "ana", terms({}, { coin: 5 }, [], ["x"]), { to: {}, give: {}, ask: {}, lift: {} })).toEqual({
      give: [], ask: [{ commodity: "coin", amount: 5 }], to: "bob", lift: ["x"],
    });
  });

  it("sends no parameter that the move does not leave open", () => {
    const params = paramsOf(shapeOf(twoLists)!, "ana", terms({}, { coin: 5 }, ["no rent"], ["x"]), { to: {}, give: {}, ask: {} });
    expect(Object.keys(params)).toEqual(["give", "ask", "to"]);
  });

  it("is nothing where a kind has no such lists", () => {
    expect(shapeOf({ properties: { to: member("seat") } } as unknown as Schema)).toBeNull();
  });
});

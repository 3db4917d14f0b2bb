import { describe, expect, it } from "vitest";
import type { Schema } from "../forms/schema";
import { begunOrder, besideOf, partsOf, purposesOf } from "./sentence";

const order = (op: string, purpose?: [string, number], more: Record<string, Schema> = {}): Schema => ({
  properties: { op: { enum: [op] }, ...more },
  required: ["op", ...Object.keys(more)],
  ...(purpose && { "x-purpose": { id: purpose[0], label: purpose[0].toUpperCase(), order: purpose[1] } }),
});
const schema: Schema = {
  properties: {
    remedies: {
      items: { anyOf: [], discriminator: { propertyName: "op", mapping: { b: "#/$defs/B", a: "#/$defs/A", c: "#/$defs/C", d: "#/$defs/D" } } },
    },
  },
  $defs: {
    A: order("a", ["money", 0], { postings: { items: { type: "object", properties: {} }, minItems: 1 } }),
    B: order("b", ["board", 3]),
    C: order("c", ["money", 0]),
    D: order("d"),
  },
};

describe("an order as a sentence", () => {
  it("has its text and its blanks in turn", () => {
    expect(partsOf({ "x-sentence": "{seat} pays {amount}." })).toEqual([{ blank: "seat" }, { text: " pays " }, { blank: "amount" }, { text: "." }]);
  });

  it("has the members outside of its sentence beside it", () => {
    const fine = { ...order("a", undefined, { seat: {}, amount: {}, reason: {} }), "x-sentence": "{seat} pays." };
    expect(besideOf(fine, partsOf(fine))).toEqual(["amount"]);
    const plain = order("a", undefined, { seat: {} });
    expect([partsOf(plain), besideOf(plain, [])]).toEqual([[], ["seat"]]);
  });

  it("stands under its purpose, in the order of the purposes", () => {
    const { by, purposes } = purposesOf(schema);
    expect(by).toBe("op");
    expect(purposes.map(({ label, orders }) => [label, orders.map(({ name }) => name)])).toEqual([["MONEY", ["a", "c"]], ["BOARD", ["b"]], ["…", ["d"]]]);
  });

  it("begins a movement with the game's money", () => {
    const [money] = purposesOf(schema).purposes;
    expect(begunOrder(money!.orders[0]!, "op", schema, "coin")).toEqual({ op: "a", postings: [{ commodity: "coin" }] });
  });
});

import { describe, expect, it } from "vitest";
import type { Display, Move } from "../api/types";
import type { Schema } from "../forms/schema";
import { facesOf, lotOf, lotParams, stockOf, withThing, type LotForm } from "./lot";
import { formsIn } from "./offers";

const form: LotForm = { thing: "card", face: "lies", faces: ["up", "down"], sum: "coins", of: "coin", zone: "market", seat_zone: "offer", label: { en: "Offer", fr: "Offrir" } };
const schema = {
  properties: {
    card: { anyOf: [{ enum: ["tea", "silk"] }, { type: "null" }] },
    lies: { anyOf: [{ enum: ["up", "down"], "x-labels": { up: { en: "for all", fr: "pour tous" } } }, { type: "null" }] },
  },
} as unknown as Schema;

describe("a lot", () => {
  it("is taken from what is at hand and what lies there already", () => {
    expect(stockOf(form, schema, { coin: 3, tea: 1, house: 2 }, { coin: 2, silk: 1 })).toEqual([
      { commodity: "coin", amount: 5 },
      { commodity: "tea", amount: 1 },
      { commodity: "silk", amount: 1 },
    ]);
  });

  it("has one thing at most, and any sum", () => {
    expect(withThing(form, { coin: 2, tea: 1 }, "silk")).toEqual({ coin: 2, silk: 1 });
    expect(withThing(form, { coin: 2, tea: 1 }, "tea")).toEqual({ coin: 2 });
  });

  it("is sent without a face where no thing lies", () => {
    expect(lotParams(form, { coin: 2, tea: 1 }, "down")).toEqual({ card: "tea", lies: "down", coins: 2 });
    expect(lotParams(form, { coin: 2 }, "down")).toEqual({ coins: 2 });
    expect(lotParams(form, { coin: 0 }, "up")).toBeNull();
  });

  it("begins with what the seat laid itself", () => {
    const zones = [
      { zone: "offer", seat: "ana", items: [{ commodity: "tea", face: "down", amount: 1 }, { commodity: "coin", amount: 2 }] },
      { zone: "offer", seat: "bob", items: [{ veil: "card", face: "down", amount: 1 }] },
    ] as unknown as Display["zones"];
    expect(lotOf(form, zones, "ana")).toEqual({ content: { tea: 1, coin: 2 }, face: "down" });
    expect(lotOf(form, zones, "cid")).toEqual({ content: {}, face: null });
  });

  it("names the ways to lie", () => {
    expect(facesOf(form, schema)).toEqual([{ face: "up", label: { en: "for all", fr: "pour tous" } }, { face: "down", label: null }]);
  });
});

it("makes one form of all moves that lay a lot, in the place of the first", () => {
  const move = (id: string, more: object): Move => ({ id, kind: "lay", params: { x: 1 }, free: {}, label: { en: id, fr: id }, ...more }) as unknown as Move;
  const moves = [move("lay:a", { lot: form, choice: { parameter: "card", options: [] }, cost: 0 }), move("go", { kind: "go" }), move("lay:b", { lot: form, free: { coins: {} }, cost: 1 })];
  expect(formsIn(moves)).toEqual([{ id: "lay:a", kind: "lay", params: {}, free: { coins: {} }, label: form.label, lot: form }, moves[1]]);
});

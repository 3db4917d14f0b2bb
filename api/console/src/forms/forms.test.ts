import { describe, expect, it } from "vitest";
import type { Move } from "../api/types";
import { requestOf, examplesOf, freeOf, narrowed } from "./request";
import { fieldOf, missing, startOf, type Schema } from "./schema";
import { sumOf } from "./sums";

const seat: Schema = { "x-kind": "seat", type: "string", title: "To" };
const root: Schema = {
  type: "object",
  properties: {
    to: seat,
    amount: { "x-kind": "amount", type: "integer", minimum: 1, title: "Amount" },
    note: { anyOf: [{ "x-kind": "text", type: "string", maxLength: 300 }, { type: "null" }], default: null, "x-kind": "text", title: "Note" },
    legs: { "x-kind": "legs", type: "array", items: { $ref: "#/$defs/Leg" }, default: [], title: "Gives" },
    what: {
      anyOf: [{ $ref: "#/$defs/Fine" }, { $ref: "#/$defs/Move" }],
      discriminator: { propertyName: "op", mapping: { fine: "#/$defs/Fine", move: "#/$defs/Move" } },
      title: "What",
    },
  },
  required: ["to", "amount"],
  $defs: {
    Leg: { type: "object", properties: { commodity: { type: "string" }, amount: { type: "integer", default: 1 } }, required: ["commodity"] },
    Fine: { type: "object", properties: { op: { enum: ["fine"] }, amount: { type: "integer" } }, required: ["op", "amount"] },
    Move: { type: "object", properties: { op: { enum: ["move"] }, place: { type: "integer" } }, required: ["op", "place"] },
  },
};

describe("amounts as people write them", () => {
  it.each([
    ["120", 120],
    ["3*40", 120],
    ["100+20-5", 115],
    ["2k", 2000],
    ["1 500", 1500],
    ["-40", -40],
    ["80/2", 40],
  ])("%s", (text, sum) => expect(sumOf(text)).toBe(sum));

  it.each(["", "a", "1.5", "3*", "7/2", "--1", "1+", "99999999999999999999"])("%j is none", (text) => expect(sumOf(text)).toBeNull());
});

describe("what a schema asks for", () => {
  it("finds the field behind a reference and a value that may be null", () => {
    expect(fieldOf(root.properties!.note!, root)).toMatchObject({ kind: "text", nullable: true, title: "Note", shape: { is: "text" } });
    expect(fieldOf({ $ref: "#/$defs/Leg" }, root).shape.is).toBe("object");
  });

  it("begins a variant with the value that tells it apart", () => {
    expect(startOf({ $ref: "#/$defs/Fine" }, root)).toEqual({ op: "fine" });
  });

  it("names what is lacking, down to members of lists and variants", () => {
    expect(missing(root, root, {})).toEqual(["/to", "/amount"]);
    expect(missing(root, root, { to: "ana", amount: 5 })).toEqual([]);
    expect(missing(root, root, { to: "ana", amount: 5, legs: [{ commodity: "money" }, { amount: 2 }] })).toEqual(["/legs/1/commodity"]);
    expect(missing(root, root, { to: "ana", amount: 5, what: { op: "move" } })).toEqual(["/what/place"]);
    expect(missing(root, root, { to: "ana", amount: 5, what: {} })).toEqual(["/what"]);
  });
});

const move = {
  id: "pay", kind: "pay", params: { amount: 40, reason: "rent", claim: "…" },
  free: { amount: { required: true, "x-kind": "amount", minimum: 1, maximum: 60 }, claim: { required: false, "x-kind": "text" } },
  choice: { parameter: "to", options: [{ value: "bob", label: { en: "Bob", fr: "Bob" }, params: { reason: "debt" } }] },
  draws: [{ name: "dice", label: { en: "the dice", fr: "les dés" }, kind: "die", count: 2, sides: 6, parameter: "dice" }],
} as unknown as Move;

describe("an action out of a move", () => {
  const option = move.choice!.options[0]!;
  const cards: Schema = { "x-kind": "list", type: "array", items: { "x-kind": "card", type: "string" } };
  const whole: Schema = {
    type: "object",
    properties: { ...root.properties, dice: { anyOf: [{ type: "array", items: { type: "integer" } }, { type: "null" }] }, cards, dealt: { type: "object", additionalProperties: cards } },
  };
  const drawn = (...draws: object[]): Move => ({ ...move, choice: undefined, params: {}, free: {}, draws }) as unknown as Move;
  const die = move.draws![0]!;

  it("waits for the option and for every die", () => {
    expect(requestOf(move, "ana", undefined, { amount: 40 }, [[5, 3]], whole)).toBeNull();
    expect(requestOf(move, "ana", option, { amount: 40 }, [[5]], whole)).toBeNull();
  });

  it("joins what is fixed, chosen, given and thrown", () => {
    expect(requestOf(move, "ana", option, { amount: 50 }, [[5, 3]], whole)).toEqual({
      kind: "pay", seat: "ana", params: { reason: "debt", to: "bob", amount: 50, dice: [5, 3] },
    });
  });

  it("puts throws for one parameter one after the other", () => {
    expect(requestOf(drawn(die, { ...die, count: 1 }), "ana", undefined, {}, [[5, 3], [6]], whole)?.params).toEqual({ dice: [5, 3, 6] });
  });

  it("asks for cards in the shape of the schema: as many places as are drawn, or a deal to each seat", () => {
    const three = drawn({ ...die, kind: "card", count: 3, parameter: "cards" });
    expect(freeOf(three, undefined, whole)).toEqual({ cards: { required: true } });
    const begun = examplesOf(three, undefined, whole);
    expect(begun).toEqual({ cards: [undefined, undefined, undefined] });
    expect(missing(whole, whole, { to: "bob", amount: 1, ...begun })).toEqual(["/cards/0", "/cards/1", "/cards/2"]);
    expect(examplesOf(drawn({ ...die, kind: "card", count: 8, parameter: "dealt" }), undefined, whole)).toEqual({});
  });

  it("offers every parameter that is left for a draw that names none", () => {
    const { parameter: _, ...nameless } = die;
    expect(Object.keys(freeOf(drawn(nameless), undefined, whole))).toEqual(Object.keys(whole.properties!));
  });

  it("begins with the examples of what is free, not with a text left to people", () => {
    expect(examplesOf(move, option, whole)).toEqual({ amount: 40 });
  });

  it("narrows the kind's schema to what is free here, within the bounds of the moment", () => {
    const schema = narrowed(whole, freeOf(move, option, whole));
    expect(Object.keys(schema.properties!)).toEqual(["amount"]);
    expect(schema.properties!.amount).toMatchObject({ minimum: 1, maximum: 60 });
  });
});

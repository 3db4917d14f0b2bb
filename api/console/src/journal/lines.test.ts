import { describe, expect, it } from "vitest";
import type { Entry, Names } from "../api/types";
import { drawn, flowsOf } from "./line/flows";
import { lineIn, moneyChange, recordedOf, ruleOf, struckOf } from "./lines";

const names = {
  owners: { "player:ana": "ana", "player:bob": "bob" },
  commodities: { coin: { name: "coin", plural: "coins", class: "money" }, hat: { name: "hat", plural: "hats", class: "goods" } },
} as unknown as Names;

function event(text: string, rule = "1.1", postings: object[] = []): Entry["events"][number] {
  return { seq: 1, kind: "told", rule, data: {}, postings, text } as unknown as Entry["events"][number];
}
function line(changes: Partial<Entry>): Entry {
  return { action: 5, number: 5, seat: "ana", status: "effective", sentence: "", events: [], restated: [], effects: [], ...changes } as unknown as Entry;
}
const effect = (account: string, before: number, after: number, commodity = "coin") => ({ account, commodity, before, after });

describe("the change of money of a line", () => {
  it("is that of its seat", () => {
    const effects = [effect("player:bob", 0, 30), effect("player:ana", 100, 70), effect("player:ana", 1, 2, "hat")];
    expect(moneyChange(line({ effects }), names)).toMatchObject({ commodity: "coin", number: -30 });
  });
  it("is that of the account that one asked for", () => {
    const effects = [effect("player:bob", 0, 30), effect("player:ana", 100, 70)];
    expect(moneyChange(line({ effects }), names, "player:bob")?.number).toBe(30);
  });
  it("is that of the only owner whom the banker's line changed", () => {
    const effects = [effect("bank", 0, -50), effect("player:bob", 0, 50)];
    expect(moneyChange(line({ seat: null, effects }), names)?.number).toBe(50);
  });
  it("is none where it would be one of several", () => {
    const effects = [effect("player:ana", 0, 5), effect("player:bob", 0, -5)];
    expect(moneyChange(line({ seat: null, effects }), names)).toBeNull();
  });
});

describe("a restated line", () => {
  const restated = line({
    status: "restated",
    sentence: "Ana rolls 1, 1. Ana moves on.",
    events: [event("Ana rolls 5, 6."), event("Ana moves on.")],
    restated: [event("Ana rolls 1, 1."), event("Ana moves on.")],
  });
  it("says what was recorded and does not count any more", () => {
    expect(recordedOf(restated)).toBe("Ana rolls 5, 6.");
  });
  it("strikes only the part that differs", () => {
    expect(struckOf(restated)).toBe("5, 6.");
  });
  it("says nothing of the kind in force", () => {
    expect(struckOf(line({ sentence: "Ana waits.", events: [event("Ana waits.")] }))).toBe("");
  });
});

it("is known by the rule that moved something", () => {
  const posting = { commodity: "coin", amount: 1, from: "player:ana", to: "bank" };
  expect(ruleOf(line({ events: [event("a", "1.1"), event("b", "2.2", [posting])] }))).toBe("2.2");
  expect(ruleOf(line({ events: [event("a", "1.1"), event("b", "3.3")] }))).toBe("1.1");
  expect(ruleOf(line({}))).toBeNull();
});

it.each([
  ["57", 57],
  ["30.1", "30.1"],
  ["entry", null],
  ["057", null],
  ["30.", null],
  ["", null],
])("the fragment %j names the line %j", (hash, name) => {
  expect(lineIn(hash)).toBe(name);
});

describe("what moved", () => {
  const posting = (from: string, to: string, commodity: string, amount: number) => ({ from, to, commodity, amount });
  it("is summed by commodity and both accounts", () => {
    const events = [event("", "1", [posting("a", "b", "coin", 2), posting("b", "a", "hat", 1)]), event("", "1", [posting("a", "b", "coin", 3)])];
    expect(flowsOf(events, "events")).toEqual([
      { ...posting("a", "b", "coin", 5), of: "events/0/postings/0/amount events/1/postings/0/amount" },
      { ...posting("b", "a", "hat", 1), of: "events/0/postings/1/amount" },
    ]);
  });
  it("is drawn without two accounts or amounts at one place", () => {
    const flows = ["x", "y", "z"].flatMap((from) => [posting(from, "p", "coin", 1), posting(from, "q", "hat", 1)]).map((flow) => ({ ...flow, of: "" }));
    const { sources, targets, ways, height } = drawn(flows, 40);
    for (const side of [sources, targets]) {
      const heights = side.map((one) => one.y).toSorted((one, other) => one - other);
      heights.slice(1).forEach((y, at) => expect(y - heights[at]!).toBeGreaterThanOrEqual(40));
      expect(heights.at(-1)).toBeLessThanOrEqual(height - 20);
    }
    expect(new Set(ways.map((way) => way.row)).size).toBe(flows.length);
  });
});

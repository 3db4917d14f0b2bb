import { expect, it } from "vitest";
import { Gate, signalOf, type Moment } from "./signals";

const phone: Moment = { seat: "ana", turn: "bob", cash: 100, due: null };
const wall: Moment = { seat: null, turn: "bob", cash: null, due: null };
const change = (from: Moment, to: Partial<Moment>, ...kinds: string[]) => signalOf(from, { ...from, ...to }, kinds);

it("rings a bell and shakes once as the turn begins", () => {
  expect(change(phone, { turn: "ana" })).toEqual({ sound: "bell", vibration: [20] });
  expect(change(phone, { turn: "cid" })).toEqual({ sound: null, vibration: null });
  expect(change(phone, { turn: null })).toEqual({ sound: null, vibration: null });
});

it("rings and shakes twice for an answer due in the turn of somebody else", () => {
  expect(change(phone, { due: "answer" })).toEqual({ sound: "bell", vibration: [20, 60, 20] });
  expect(change({ ...phone, turn: "ana" }, { due: "end the turn" })).toEqual({ sound: null, vibration: null });
  expect(change({ ...phone, due: "answer" }, { due: null })).toEqual({ sound: null, vibration: null });
});

it("drops a coin for money that comes, not for money that goes or is covered", () => {
  expect(change(phone, { cash: 120 }).sound).toBe("coin");
  expect(change(phone, { cash: 80 }).sound).toBeNull();
  expect(change({ ...phone, cash: null }, { cash: 120 }).sound).toBeNull();
  expect(change(phone, { cash: null }).sound).toBeNull();
});

it("stamps a ruling, louder than all else", () => {
  expect(change(phone, { cash: 120 }, "transfer", "rule").sound).toBe("stamp");
  expect(change(wall, {}, "rule")).toEqual({ sound: "stamp", vibration: null });
});

it("rings at the wall for each turn, and never shakes it", () => {
  expect(change(wall, { turn: "ana" })).toEqual({ sound: "bell", vibration: null });
});

it("lets one sound pass in two seconds", () => {
  const gate = new Gate();
  expect([0, 1, 1999, 2000, 3999, 4001].map((time) => gate.passes(time))).toEqual([true, false, false, true, false, true]);
});

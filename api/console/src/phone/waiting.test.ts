import { expect, it } from "vitest";
import type { GameState, Move } from "../api/types";
import { countWaiting, duesOf, offersTo } from "./waiting";

const laid = (debtor: string): object => ({ kind: "offer", status: "laid", debtor, commodity: "coin", amount: 2, text: "" });
const accept = {
  id: "accept",
  choice: { parameter: "buyer", options: [{ value: "bob", settles: [laid("bob")] }, { value: "cid", settles: [laid("cid")] }, { value: "dan" }] },
} as unknown as Move;
const end = { id: "end" } as Move;

it("counts what others laid for a seat, and each awaited step once", () => {
  const state = { awaited: [{ seat: "ana", moves: ["accept", "end"] }, { seat: "ana", moves: ["vote"] }, { seat: "bob", moves: ["roll"] }] } as unknown as GameState;
  expect(offersTo("ana", [accept, end])).toEqual([{ move: accept, options: accept.choice!.options.slice(0, 2) }]);
  expect(countWaiting("ana", state, [accept, end])).toBe(3);
  expect(countWaiting("ana", state, [end])).toBe(2);
  expect(countWaiting("bob", state, [])).toBe(1);
  expect(countWaiting("dan", null, [])).toBe(0);
});

it("takes nothing for an offer that the seat laid itself", () => {
  expect(offersTo("bob", [accept])[0]!.options.map(({ value }) => value)).toEqual(["cid"]);
});

it("takes several answers, or one outside the turn, for a question; all else is a step of the turn", () => {
  const moves = ["yes", "no", "roll", "end"].map((id) => ({ id, rank: id === "end" ? "usual" : "due" })) as Move[];
  const state = (...ids: string[]): GameState => ({ awaited: [{ seat: "ana", label: "?", moves: ids }, { seat: "bob", moves: ["roll"] }] }) as unknown as GameState;
  const divided = (turn: string, ...ids: string[]): unknown => {
    const { questions, steps } = duesOf("ana", turn, state(...ids), moves);
    return [questions.map(({ answers }) => answers.map(({ id }) => id)), steps.map(({ id }) => id)];
  };
  expect(divided("ana", "yes", "no")).toEqual([[["yes", "no"]], ["roll"]]);
  expect(divided("ana", "roll")).toEqual([[], ["yes", "no", "roll"]]);
  expect(divided("bob", "roll")).toEqual([[["roll"]], ["yes", "no"]]);
});

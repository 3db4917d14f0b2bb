import { expect, it } from "vitest";
import type { Move, SeatMoves } from "../api/types";
import { isLeftToChance } from "./chance";

const move = (more: Partial<Move>): Move => ({ kind: "roll", params: {}, ...more }) as Move;
const seats = (...moves: Move[]): SeatMoves[] => [{ seat: "ana", moves }, { moves: [] }];

it("is a throw or a draw of the service, as it is offered", () => {
  expect(isLeftToChance(seats(move({ chance: true })), { kind: "roll", seat: "ana", params: {} })).toBe(true);
  expect(isLeftToChance(seats(move({ chance: true })), { kind: "roll", params: { dice: null } })).toBe(true);
  expect(isLeftToChance(seats(move({})), { kind: "roll", seat: "ana" })).toBe(false);
  expect(isLeftToChance(seats(move({ chance: true })), { kind: "roll", seat: "bob" })).toBe(false);
});

it("is asked for with a value of the player's own, or against a rule", () => {
  const bet = seats(move({ chance: true, params: { sum: 5 } }));
  expect(isLeftToChance(bet, { kind: "roll", params: { sum: 5 } })).toBe(true);
  expect(isLeftToChance(bet, { kind: "roll", params: { sum: 6 } })).toBe(false);
  expect(isLeftToChance(bet, { kind: "roll", params: { sum: 5 }, override: { reason: "agreed" } })).toBe(false);
});

it("differs from option to option", () => {
  const options = [{ value: "draw", chance: true, params: { deck: "a" } }, { value: "pay" }] as never;
  const chosen = seats(move({ choice: { parameter: "way", options } }));
  expect(isLeftToChance(chosen, { kind: "roll", params: { way: "draw", deck: "a" } })).toBe(true);
  expect(isLeftToChance(chosen, { kind: "roll", params: { way: "pay" } })).toBe(false);
});

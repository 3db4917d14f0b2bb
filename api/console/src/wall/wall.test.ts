import { expect, test } from "vitest";
import type { Awaited, Board, Entry, GameState, Names, Seat } from "../api/types";
import { allSit, isReachable, matterOf, partsOf, stepsOf } from "./facts";
import { level } from "../middle/fitting";
import { sayingOf } from "./saying";
import { lengthFor, lettersFor } from "./sight";

const awaited = (seat: string, label: string, until?: string): Awaited => ({ seat, label, moves: [], ...(until && { until }) });

test("a step of several seats is one, with the earliest end", () => {
  const steps = stepsOf([awaited("ana", "bid", "2026-01-01T20:05:00Z"), awaited("bob", "roll"), awaited("cleo", "bid", "2026-01-01T20:04:00Z")]);
  expect(steps.map(({ label, seats, until }) => [label, seats, until])).toEqual([["bid", ["ana", "cleo"], "2026-01-01T20:04:00Z"], ["roll", ["bob"], undefined]]);
});

const board = { phases: [{ id: "roll", label: "Roll" }] } as unknown as Board;
const state = (phase: string, notices: string[], status = "play"): GameState =>
  ({ status, phase: { id: phase, label: `the ${phase}` }, display: { notices: notices.map((text) => ({ text })) } }) as unknown as GameState;
const line = (facts: Partial<Entry>): Entry => ({ kind: "throw", status: "effective", draws: {}, sentence: "Ana did it.", seat: "ana", ...facts }) as Entry;
const names = { cards: { "c:1": { name: "Subsidy", text: "The bank pays.", effect: { icon: "coin", text: "+5", label: "receive" } } } } as unknown as Names;

test("what concerns the whole table takes the middle, as long as it lasts", () => {
  expect(matterOf(state("auction", ["a house: 60"]), board, line({}), names)).toEqual({ sort: "stage", icon: "auction", title: "the auction", texts: ["a house: 60"] });
  expect(matterOf(state("roll", ["a house: 60"]), board, line({}), names)).toBeNull();
  expect(matterOf(state("roll", []), board, line({ kind: "open_dispute" }), names)).toMatchObject({ sort: "dispute" });
  expect(matterOf(state("roll", []), board, line({ draws: { deck: ["c:1"] } }), names)).toMatchObject({ sort: "card", name: "Subsidy", effect: "+5" });
  expect(matterOf(state("roll", []), board, line({ draws: { dice: [1, 2] } }), names)).toBeNull();
  expect(matterOf(state("auction", ["a house"], "ended"), board, line({ draws: { deck: ["c:1"] } }), names)).toBeNull();
  expect(matterOf(state("roll", []), board, line({ draws: { deck: ["c:1"] }, status: "voided" }), names)).toBeNull();
});

test("a claim or a statement stands with the line that it contests, and with what it asks for", () => {
  const contested = line({ action: 7 });
  const claim = line({ action: 9, kind: "open_dispute", seat: "bob", params: { claim: "It was six.", actions: [7], edits: [{}] } });
  const statement = line({ action: 10, kind: "add_statement", params: { dispute: "9", text: "It was five." } });
  expect(sayingOf(claim, [contested, claim])).toEqual({ opens: true, text: "It was six.", cited: "Ana did it.", edits: true });
  expect(sayingOf(statement, [contested, claim, statement])).toEqual({ opens: false, text: "It was five.", cited: "Ana did it.", edits: false });
  expect(sayingOf(statement, [statement]).cited).toBeUndefined();
});

test("a long unit is a word beside the number, a sign is part of it", () => {
  expect(["37 victory points", "1 280 M", "₦660", "−5 points", "0"].map(partsOf)).toEqual([["37", " victory points"], ["1 280 M", ""], ["₦660", ""], ["−5", " points"], ["0", ""]]);
});

test("the way in is shown until each seat was here", () => {
  const seats = [{ seat: "ana" }, { seat: "bob" }] as Seat[];
  const presence = { banker: true, spectators: 1, seats: { ana: true, bob: false }, left: {} };
  expect([allSit(null, seats), allSit(presence, seats), allSit({ ...presence, left: { bob: "2026-01-01T20:00:00Z" } }, seats)]).toEqual([false, false, true]);
});

test("a square to scan never leads to the phone itself", () => {
  expect(["localhost", "127.0.0.1", "[::1]", "a.localhost"].map(isReachable)).toEqual([false, false, false, false]);
  expect(["192.168.1.20", "games.example", "[fe80::1]", "127.example"].map(isReachable)).toEqual([true, true, true, true]);
});

test("letters grow with the distance, and shrink on a larger screen", () => {
  const sights: [metres: number, inches: number][] = [[2, 24], [3, 32], [3, 40], [3, 55], [4, 55], [4, 65], [5, 75]];
  expect(sights.map(([metres, inches]) => lettersFor({ metres, inches }))).toEqual([5.44, 6.12, 4.9, 3.56, 4.75, 4.02, 4.35]);
  expect([lettersFor({ metres: 6, inches: 24 }), lettersFor({ metres: 2, inches: 85 })]).toEqual([7, 2]);
  expect(lengthFor({ metres: 3, inches: 40 })).toBe("min(4.9vmin, 2.76vmax)");
});

test("a box goes down to the first level that fits, and no further", () => {
  const box = (heights: number[]): HTMLElement => {
    const dataset: Record<string, string> = {};
    return { dataset, clientHeight: 100, clientWidth: 100, scrollWidth: 100, get scrollHeight() { return heights[Number(dataset["level"])]; } } as unknown as HTMLElement;
  };
  const levelOf = (heights: number[]): string | undefined => {
    const fitted = box(heights);
    level(fitted, 3);
    return fitted.dataset["level"];
  };
  expect([levelOf([90]), levelOf([130, 110, 101, 90]), levelOf([130, 130, 130, 130])]).toEqual(["0", "2", "3"]);
});

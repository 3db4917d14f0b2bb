import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { setAlone } from "./alone";
import { Cover } from "./cover.svelte";
import { coverAlone, isFaceDown } from "./covering";

const credential = { game: "g", rulebook: "r", title: "", token: "g.t" };
const phone = (): Cover => new Cover({ ...credential, role: "player", seat: "ana" }, false);
let end: () => void = () => undefined;

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  localStorage.clear();
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

it("covers a phone a minute after the last touch, and a reload shows nothing", () => {
  const cover = phone();
  end = coverAlone(cover);
  vi.advanceTimersByTime(59_000);
  window.dispatchEvent(new Event("pointerdown"));
  vi.advanceTimersByTime(59_999);
  expect(cover.on).toBe(false);
  vi.advanceTimersByTime(1);
  expect(cover.on).toBe(true);
  expect(phone().on).toBe(true);
  // A sheet over the covered page is put away like the page itself.
  cover.looks = true;
  vi.advanceTimersByTime(59_999);
  window.dispatchEvent(new Event("pointerdown"));
  expect(cover.looks).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(cover.looks).toBe(false);
});

it("leaves a desk, and a phone that was told to, as they are", () => {
  const desk = new Cover({ ...credential, role: "banker" }, false);
  end = coverAlone(desk);
  vi.advanceTimersByTime(120_000);
  expect(desk.on).toBe(false);
  end();
  const cover = phone();
  setAlone(cover, false);
  end = coverAlone(cover);
  vi.advanceTimersByTime(120_000);
  expect(cover.on).toBe(false);
});

it("covers a phone that is laid face down", () => {
  const cover = phone();
  end = coverAlone(cover);
  const turn = (beta: number, gamma: number): boolean => window.dispatchEvent(Object.assign(new Event("deviceorientation"), { beta, gamma }));
  turn(40, 2);
  expect(cover.on).toBe(false);
  turn(-178, 3);
  expect(cover.on).toBe(true);
});

it.each([
  [0, 0, false],
  [90, 0, false],
  [180, 80, false],
  [null, null, false],
  [170, -10, true],
])("reads the rotation %s, %s", (beta, gamma, down) => expect(isFaceDown(beta, gamma)).toBe(down));

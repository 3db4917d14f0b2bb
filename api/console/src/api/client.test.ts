import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { clientFor, data, versionOf } from "./client";
import { health } from "./health.svelte";
import { Lost } from "./problems";

const path = { params: { path: { game: "g1" } } };
let asked: Request[];

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  health.busy = false;
  // A service that takes the request and never answers.
  vi.stubGlobal("fetch", (request: Request, { signal }: { signal: AbortSignal }) => {
    asked.push(request);
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const api = clientFor("secret", () => "en");
const outcome = (wanted: Promise<unknown>): Promise<unknown> => wanted.then(() => "answered", (fault: unknown) => fault);

it.each([
  ["a reading", 5_000, () => data(api.GET("/api/v1/games/{game}/state", path))],
  ["a preview", 5_000, () => data(api.POST("/api/v1/games/{game}/actions", { ...path, body: { kind: "x", params: {}, dry_run: true } as never }))],
  ["an action", 15_000, () => data(api.POST("/api/v1/games/{game}/actions", { ...path, body: { kind: "x", params: {} } as never }))],
  ["figures of a whole game", 15_000, () => data(api.GET("/api/v1/games/{game}/statistics", path))],
])("%s without an answer is lost, and the page says that the service is busy", async (_, ends, ask) => {
  let found: unknown = null;
  void outcome(ask()).then((one) => (found = one));
  await vi.advanceTimersByTimeAsync(ends - 100);
  expect([asked.length, found, health.busy]).toEqual([1, null, false]);
  await vi.advanceTimersByTimeAsync(200);
  expect(found).toBeInstanceOf(Lost);
  expect(health.busy).toBe(true);
  // The next answer shows a service that is not busy.
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}", { headers: { "Content-Type": "application/json" } })));
  await data(api.GET("/api/v1/games/{game}/state", path));
  expect(health.busy).toBe(false);
});

it("reads the version of a game out of an entity tag", () => {
  expect(versionOf(new Response(null, { headers: { ETag: 'W/"57-9f86d081884c-60303ae2-fr"' } }))).toBe(57);
  expect(versionOf(new Response(null, { headers: { ETag: 'W/"57"' } }))).toBe(57);
});

// The sending of an entry, with a service that is late, away, or further on.
import { expect, test, vi } from "vitest";
import { Busy, type Failure, Lost, Refused, Stale } from "../api/problems";
import type { Problem } from "../api/types";
import { send } from "./send";
import { same, together, type WishPreview, type Wish } from "./wish";

const shown = (version: number, sentence = "Ana rolls 5, 3."): WishPreview => ({
  version,
  sentences: [sentence],
  settled: [],
  late: 0,
  ahead: false,
  falls: [],
  needs: [],
  effects: [],
  rules: [],
  warnings: [],
  ways: [],
  accounts: {},
  entry: null,
});
const problem = { detail: "no" } as Problem;
const stale = (): Failure => new Stale(problem, 412);

function wishing(answers: (Failure | string)[], previews: (WishPreview | Failure)[] = []): { wish: Wish; sent: { key: string; version: number }[] } {
  const sent: { key: string; version: number }[] = [];
  const give = async <T>(from: (T | Failure)[]): Promise<T> => {
    const next = from.shift();
    if (next instanceof Error) throw next;
    return next as T;
  };
  const wish: Wish = {
    key: "",
    final: false,
    kind: "roll",
    request: null,
    preview: () => give(previews),
    perform: (how) => (sent.push(how), give(answers)),
  };
  return { wish, sent };
}
const pause = (): Promise<void> => Promise.resolve();

test("it is sent with the version on which it was looked at", async () => {
  const { wish, sent } = wishing(["Ana rolls 5, 3."]);
  expect(await send(wish, shown(7), vi.fn(), pause)).toEqual({ how: "entered", sentence: "Ana rolls 5, 3." });
  expect(sent).toMatchObject([{ version: 7 }]);
});

test("where no answer comes, the same is sent again with the same key until there is one", async () => {
  const { wish, sent } = wishing([new Lost("away"), new Busy(problem, 503, 3), new Lost("away"), "Done."]);
  const waits = vi.fn();
  const pauses: number[] = [];
  expect(await send(wish, shown(7), waits, async (seconds) => void pauses.push(seconds))).toMatchObject({ how: "entered" });
  expect(new Set(sent.map((one) => one.key)).size).toBe(1);
  expect(pauses).toEqual([1, 3, 2]);
  expect(waits).toHaveBeenCalledWith(sent[0]!.key);
});

test("where the game went on beside it, it is sent again on the new version", async () => {
  const { wish, sent } = wishing([stale(), "Done."], [shown(9)]);
  expect(await send(wish, shown(7), vi.fn(), pause)).toMatchObject({ how: "entered" });
  expect(sent.map((one) => one.version)).toEqual([7, 9]);
  expect(sent[0]!.key).not.toBe(sent[1]!.key);
});

test("three times at most", async () => {
  const { wish, sent } = wishing([stale(), stale(), stale(), stale(), "Done."], [shown(8), shown(9), shown(10), shown(11)]);
  expect(await send(wish, shown(7), vi.fn(), pause)).toEqual({ how: "moved", preview: shown(11) });
  expect(sent).toHaveLength(4);
});

test("where the effect is another one now, nothing is sent again", async () => {
  const { wish, sent } = wishing([stale(), "Done."], [shown(8, "Ana rolls 5, 3 and goes to prison.")]);
  expect(await send(wish, shown(7), vi.fn(), pause)).toMatchObject({ how: "moved", preview: { version: 8 } });
  expect(sent).toHaveLength(1);
});

test("a refusal is told, at once or when it is looked at again", async () => {
  const refused = new Refused(problem, 409);
  expect(await send(wishing([refused]).wish, shown(7), vi.fn(), pause)).toEqual({ how: "refused", failure: refused });
  expect(await send(wishing([stale()], [refused]).wish, shown(7), vi.fn(), pause)).toEqual({ how: "refused", failure: refused });
});

test("two looks are the same if sentences and amounts are, whatever the version", () => {
  const effect = { account: "player:ana", commodity: "M", before: 5, after: 3 };
  expect(same(shown(7), shown(9))).toBe(true);
  expect(same({ ...shown(7), effects: [effect] }, { ...shown(7), effects: [{ ...effect, before: 6 }] })).toBe(false);
});

test("effects of several steps are told from before the first to after the last", () => {
  const step = (before: number, after: number): { account: string; commodity: string; before: number; after: number } => ({
    account: "player:ana",
    commodity: "M",
    before,
    after,
  });
  expect(together([step(9, 5), step(5, 7)])).toEqual([step(9, 7)]);
  expect(together([step(9, 5), step(5, 9)])).toEqual([]);
});

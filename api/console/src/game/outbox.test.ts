import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Busy, Gone, Lost, Refused, TooMany } from "../api/problems";
import type { ActionRequest, Entry, Problem } from "../api/types";
import { FRESH_MS, inMemory, MOST, Outbox, type Shelf } from "./outbox.svelte";

const problem = { type: "/problems/rule-broken", title: "", status: 409, detail: "refused", rule: "II.1" } as Problem;
const pay = (amount: number): ActionRequest => ({ kind: "pay", params: { amount } });

/** A service that performs each key once, whatever happens to its answers. */
class Service {
  performed: number[] = [];
  #kept = new Map<string, Entry>();
  /** The fate of the next requests: "ok", a lost answer, no service, a refusal, busy, a dead token. */
  fates: ("ok" | "answer lost" | "gone away" | "refused" | "busy" | "dead")[] = [];

  act = async (asked: ActionRequest, { key }: { key?: string } = {}): Promise<Entry> => {
    const fate = this.fates.shift() ?? "ok";
    if (fate === "gone away") throw new Lost("no network");
    if (fate === "refused") throw new Refused(problem, 409);
    if (fate === "busy") throw new Busy(problem, 503, 2);
    if (fate === "dead") throw new Gone(problem, 401);
    let entry = this.#kept.get(key!);
    if (!entry) {
      this.performed.push(asked.params!.amount as number);
      entry = { action: this.performed.length } as unknown as Entry;
      this.#kept.set(key!, entry);
    }
    if (fate === "answer lost") throw new Lost("timeout");
    return entry;
  };
}

let service: Service;
let shelf: Shelf;
const page = (): Outbox => new Outbox({ id: "g1", act: service.act, credential: { token: "g1.x" } } as never, shelf);

beforeEach(() => {
  vi.useFakeTimers();
  service = new Service();
  shelf = inMemory();
});

afterEach(() => {
  Reflect.deleteProperty(navigator, "locks");
  vi.useRealTimers();
});

describe("actions of a phone", () => {
  it("are performed once for every order of answers, losses and reloads", async () => {
    const fates = ["ok", "answer lost", "gone away", "busy"] as const;
    for (const first of fates)
      for (const second of fates)
        for (const third of fates)
          for (const reload of [false, true]) {
            service = new Service();
            shelf = inMemory();
            service.fates = [first, second, third];
            let outbox = page();
            void outbox.send(pay(20), { label: "pay 20", byItself: true });
            void outbox.send(pay(30), { label: "pay 30", byItself: true });
            await vi.advanceTimersByTimeAsync(0);
            if (reload) {
              outbox = page();
              await outbox.start();
            }
            await vi.advanceTimersByTimeAsync(30_000);
            expect(service.performed).toEqual([20, 30]);
            expect(outbox.waiting).toEqual([]);
            expect(await shelf.all()).toEqual([]);
          }
  });

  it("wait in their order, at most three, and can be taken back", async () => {
    service.fates = Array<"gone away">(50).fill("gone away");
    const outbox = page();
    for (let amount = 1; amount <= MOST; amount++) void outbox.send(pay(amount), { label: `${amount}`, byItself: true });
    expect(() => outbox.send(pay(4), { label: "4" })).toThrow(TooMany);
    await vi.advanceTimersByTimeAsync(10);
    outbox.takeBack(outbox.waiting[1]!.key);
    service.fates = [];
    await vi.advanceTimersByTimeAsync(10_000);
    expect(service.performed).toEqual([1, 3]);
  });

  it("that waited too long are asked about before they go", async () => {
    service.fates = Array<"gone away">(100).fill("gone away");
    const outbox = page();
    void outbox.send(pay(5), { label: "5", byItself: true });
    await vi.advanceTimersByTimeAsync(FRESH_MS + 5000);
    service.fates = [];
    await vi.advanceTimersByTimeAsync(10_000);
    expect(service.performed).toEqual([]);
    expect(outbox.waiting[0]!.status).toBe("ask");
    outbox.confirm(outbox.waiting[0]!.key);
    await vi.advanceTimersByTimeAsync(10);
    expect(service.performed).toEqual([5]);
  });

  it("that are refused say why, hold up no other, and are never sent again", async () => {
    service.fates = ["refused"];
    const outbox = page();
    const answer = outbox.send(pay(1), { label: "1" });
    void outbox.send(pay(2), { label: "2" });
    await expect(answer).rejects.toBeInstanceOf(Refused);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(service.performed).toEqual([2]);
    expect(outbox.waiting.map((one) => [one.label, one.status, one.rule])).toEqual([["1", "refused", "II.1"]]);
    expect(await shelf.all()).toEqual([]);
  });

  it("of a replaced device are erased", async () => {
    service.fates = ["gone away", "dead"];
    const outbox = page();
    void outbox.send(pay(1), { label: "1", byItself: true });
    void outbox.send(pay(2), { label: "2", byItself: true });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(service.performed).toEqual([]);
    expect(outbox.waiting).toEqual([]);
    expect(await shelf.all()).toEqual([]);
  });

  it("give the entry to who sent them", async () => {
    const entry = page().send(pay(9), { label: "9" });
    await vi.advanceTimersByTimeAsync(10);
    expect((await entry).action).toBe(1);
  });

  it("that follow an answer at once do not stay behind", async () => {
    letTabsTakeTurns();
    const outbox = page();
    const both = outbox.send(pay(1), { label: "1" }).then(() => outbox.send(pay(2), { label: "2" }));
    await vi.advanceTimersByTimeAsync(100);
    expect(service.performed).toEqual([1, 2]);
    expect((await both).action).toBe(2);
  });
});

describe("two tabs of one device", () => {
  /** Both tabs read the stored actions, each with objects of its own. */
  async function tabs(): Promise<[Outbox, Outbox]> {
    service.fates = Array<"gone away">(50).fill("gone away");
    const one = page();
    void one.send(pay(1), { label: "1", byItself: true });
    void one.send(pay(2), { label: "2", byItself: true });
    await vi.advanceTimersByTimeAsync(10);
    const other = page();
    await other.start();
    await vi.advanceTimersByTimeAsync(10);
    expect(other.waiting.map((waiting) => waiting.label)).toEqual(["1", "2"]);
    return [one, other];
  }

  for (const turns of [true, false])
    it(`send each action once ${turns ? "in turns" : "where the browser gives no turns"}`, async () => {
      if (turns) letTabsTakeTurns();
      const [one, other] = await tabs();
      service.fates = ["answer lost", "ok", "busy"];
      await vi.advanceTimersByTimeAsync(30_000);
      expect(service.performed).toEqual([1, 2]);
      expect([one.waiting, other.waiting]).toEqual([[], []]);
    });

  it("send nothing that was taken back in one of them", async () => {
    const [one, other] = await tabs();
    one.takeBack(one.waiting[0]!.key);
    await vi.advanceTimersByTimeAsync(10);
    service.fates = [];
    await vi.advanceTimersByTimeAsync(30_000);
    expect(service.performed).toEqual([2]);
    expect(other.waiting).toEqual([]);
  });
});

describe("the device's database", () => {
  it("keeps an action over a reload and forgets it when it is accepted", async () => {
    vi.useRealTimers();
    const open = (): Outbox => new Outbox({ id: "g1", act: service.act, credential: { token: "g1.kept" } } as never);
    service.fates = ["gone away"];
    const first = open();
    void first.send(pay(7), { label: "7", byItself: true });
    await vi.waitUntil(() => first.waiting[0]?.status === "waiting", { timeout: 60_000 });
    const second = open();
    await second.start();
    await second.flush();
    expect(service.performed).toEqual([7]);
    const third = open();
    await third.start();
    expect(third.waiting).toEqual([]);
  });
});

/** The locks of browsers over HTTPS: a lock goes to one tab after another, and its end is reported a little later. */
function letTabsTakeTurns(): void {
  let last: Promise<unknown> = Promise.resolve();
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
  const request = async (_name: string, work: () => Promise<void>): Promise<void> => {
    const mine = last.then(pause).then(work);
    last = mine.catch(() => undefined);
    await mine;
    await pause();
  };
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
}

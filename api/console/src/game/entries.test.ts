import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GameClient } from "../api/client";
import type { ActionName, Entry } from "../api/types";
import { Entries, HELD } from "./entries.svelte";

/** A service with a journal: it answers pages, lines by name, and the audit's inserted lines. */
class Service {
  journal: Entry[] = [];
  inserted: Entry[] = [];
  /** The audit's facts on each correction; a masked correction shows its inserted lines only there. */
  audit: { kind: string; correction: { inserted: string[] } }[] = [];
  asked: string[] = [];

  write(changes: Partial<Entry> = {}): Entry {
    const number = this.journal.length + 1;
    const entry = line(number, changes);
    this.journal.push(entry);
    return entry;
  }

  readonly api = {
    GET: async (path: string, { params }: { params: { query: Record<string, unknown> } }) => {
      const { query } = params;
      this.asked.push(`${path.split("/").at(-1)} ${query.numbers ?? query.cursor ?? query.order ?? query.kind}`);
      if (path.endsWith("/audit")) return answer({ lines: this.audit.filter((one) => one.kind === query.kind) });
      if (query.numbers !== undefined) {
        const names = String(query.numbers).split(",");
        const find = (name: string): Entry | undefined =>
          name.includes(".") ? this.inserted.find((one) => one.action === name) : this.journal[Number(name) - 1];
        return answer({ actions: names.flatMap((name) => find(name) ?? []), next: null });
      }
      const newest = this.journal.toReversed().slice(0, Number(query.limit));
      return answer({ actions: newest, next: this.journal.length > newest.length ? "older" : null });
    },
  };

  open(): Entries {
    return new Entries({ id: "g", api: this.api } as unknown as GameClient);
  }
}

function answer(data: unknown): unknown {
  return { data, response: new Response() };
}

function line(number: number, changes: Partial<Entry> = {}): Entry {
  const plain = { action: number, number, kind: "pay", after: null, status: "effective", sentence: `line ${number}`, events: [] };
  return { ...plain, recorded_at: "2026-11-23T06:00:00Z", ...changes } as unknown as Entry;
}

/** A correction with this many inserted lines, for a viewer who sees all of it. */
function correction(insertions: number, edits = 1): Partial<Entry> {
  const data = { insertions: Array(insertions).fill({}), amendments: [], edits: Array(edits).fill({}) };
  return { kind: "correct", events: [{ kind: "corrected", data }] as unknown as Entry["events"] };
}

function insertion(name: string, after: ActionName): Entry {
  return line(Number(name.split(".")[0]), { action: name, after });
}

const names = (entries: Entries): ActionName[] => entries.lines.map((one) => one.action);

let service: Service;
beforeEach(() => {
  service = new Service();
});
afterEach(() => void vi.useRealTimers());

describe("the lines of the journal", () => {
  it("begin with the newest fifty, and go back as far as one reads", async () => {
    for (let count = 0; count < 120; count++) service.write();
    const entries = service.open();
    await entries.start();
    expect([entries.lines[0]!.number, entries.lines.at(-1)!.number, entries.more]).toEqual([71, 120, true]);
    await entries.older();
    await entries.older();
    expect([entries.lines[0]!.number, entries.lines.length, entries.more]).toEqual([1, 120, false]);
  });

  it("take in what the stream brings, once", async () => {
    service.write();
    const entries = service.open();
    await entries.start();
    const told: number[] = [];
    entries.listen((one) => told.push(one.number));
    const second = service.write();
    entries.add(second);
    entries.add(second);
    expect(names(entries)).toEqual([1, 2]);
    expect(told).toEqual([2]);
  });

  it("read what came between the first page and the beginning of the stream", async () => {
    service.write();
    const entries = service.open();
    await entries.start();
    service.write();
    service.write();
    await entries.reach(3);
    expect(names(entries)).toEqual([1, 2, 3]);
  });

  it("have no gap when a message is missing", async () => {
    service.write();
    const entries = service.open();
    await entries.start();
    service.write();
    entries.add(service.write());
    await vi.waitFor(() => expect(names(entries)).toEqual([1, 2, 3]), { timeout: 60_000 });
  });

  it("begin anew after a long absence", async () => {
    service.write();
    const entries = service.open();
    await entries.start();
    for (let count = 0; count < 300; count++) service.write();
    await entries.reach(301);
    expect([entries.lines[0]!.number, entries.lines.at(-1)!.number]).toEqual([252, 301]);
  });

  it("are never more than some hundred, however long the game and however far back one reads", async () => {
    for (let count = 0; count < 5000; count++) service.write();
    const entries = service.open();
    await entries.start();
    for (let count = 0; count < 30; count++) await entries.older();
    expect(entries.lines.length).toBe(HELD);
    expect([entries.lines[0]!.number, entries.later]).toEqual([3451, true]);
    // A new line is not appended behind a gap …
    entries.add(service.write());
    expect(entries.lines.at(-1)!.number).toBe(3451 + HELD - 1);
    // … but read on the way back to the end.
    for (let count = 0; count < 30; count++) await entries.newer();
    expect([entries.lines.at(-1)!.number, entries.later, entries.lines.length]).toEqual([5001, false, HELD]);
    expect(entries.more).toBe(true);
  });

  it("lead back to the newest at once", async () => {
    for (let count = 0; count < 2000; count++) service.write();
    const entries = service.open();
    await entries.start();
    for (let count = 0; count < 20; count++) await entries.older();
    expect(entries.later).toBe(true);
    await entries.toEnd();
    expect([entries.lines.at(-1)!.number, entries.later]).toEqual([2000, false]);
  });

  it("stay bounded while the game goes on", async () => {
    service.write();
    const entries = service.open();
    await entries.start();
    for (let count = 0; count < 2000; count++) entries.add(service.write());
    expect(entries.lines.length).toBeLessThanOrEqual(HELD + 50);
    expect(entries.lines.at(-1)!.number).toBe(2001);
  });
});

describe("lines that a correction changed", () => {
  it("are fetched again, and marked for two seconds", async () => {
    vi.useFakeTimers();
    for (let count = 0; count < 3; count++) service.write();
    const entries = service.open();
    await entries.start();
    service.journal[1] = line(2, { status: "restated", sentence: "it was otherwise" });
    await entries.rewritten([2]);
    expect(entries.lines[1]!.sentence).toBe("it was otherwise");
    expect([...entries.changed]).toEqual([2]);
    vi.advanceTimersByTime(2000);
    expect(entries.changed.size).toBe(0);
  });

  it("are not fetched where they are not held", async () => {
    for (let count = 0; count < 120; count++) service.write();
    const entries = service.open();
    await entries.start();
    service.asked = [];
    await entries.rewritten([3, 100]);
    expect(service.asked).toEqual(["actions 100"]);
  });

  it("stand, when inserted, right after the line that they follow", async () => {
    for (let count = 0; count < 8; count++) service.write();
    const entries = service.open();
    await entries.start();
    service.inserted = [insertion("9.1", 7), insertion("9.2", 7), insertion("10.1", "9.1"), insertion("11.1", 7)];
    entries.add(service.write(correction(2)));
    await entries.rewritten(["9.1", "9.2", "10.1", "11.1"]);
    expect(names(entries)).toEqual([1, 2, 3, 4, 5, 6, 7, "9.1", "10.1", "9.2", "11.1", 8, 9]);
  });

  it("are found when the page is opened later", async () => {
    for (let count = 0; count < 3; count++) service.write();
    service.write(correction(1));
    service.inserted = [insertion("4.1", 2)];
    const entries = service.open();
    await entries.start();
    expect(names(entries)).toEqual([1, 2, "4.1", 3, 4]);
  });

  it("are found by one who does not see all of the correction", async () => {
    for (let count = 0; count < 3; count++) service.write();
    service.write(correction(0, 0));
    service.inserted = [insertion("4.2", 2)];
    service.audit = [{ kind: "correct", correction: { inserted: ["4.2"] } }];
    const entries = service.open();
    await entries.start();
    expect(names(entries)).toEqual([1, 2, "4.2", 3, 4]);
  });

  it("wait, when inserted far back, until one reads there", async () => {
    for (let count = 0; count < 99; count++) service.write();
    service.write(correction(1));
    service.inserted = [insertion("100.1", 20)];
    const entries = service.open();
    await entries.start();
    expect(names(entries)).not.toContain("100.1");
    await entries.older();
    const at = names(entries).indexOf("100.1");
    expect(names(entries)[at - 1]).toBe(20);
  });

  it("go when they are not there any more", async () => {
    service.write();
    service.write(correction(1));
    service.inserted = [insertion("2.1", 1)];
    const entries = service.open();
    await entries.start();
    service.inserted = [];
    await entries.rewritten(["2.1"]);
    expect(names(entries)).toEqual([1, 2]);
  });
});

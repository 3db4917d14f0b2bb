import { describe, expect, it } from "vitest";
import type { Entry } from "../api/types";
import { rowsOf, type Turn } from "./fold";

const line = (number: number, given: Partial<Entry> = {}): Entry =>
  ({ action: number, number, kind: "build", seat: "ana", params: { title: "rue" }, status: "effective", after: null, events: [], effects: [], restated: [], ...given }) as unknown as Entry;
const turns: Record<number, Turn> = { 1: { seat: null, round: 0 }, 2: { seat: "ana", round: 1 }, 3: { seat: "ana", round: 1 }, 4: { seat: "ana", round: 1 }, 5: { seat: "bob", round: 1 } };
const shape = (lines: readonly Entry[], ...more: [ReadonlySet<string | number>?, ((line: Entry) => boolean)?]): string =>
  rowsOf(lines, (entry) => turns[entry.number], ...more)
    .map(({ line, run, inner, head }) => `${head ? `${head.seat}: ` : ""}${inner ? ">" : ""}${run.length > 1 ? `${run[0]!.action}-` : ""}${line.action}`)
    .join(" ");

describe("the rows of the ledger", () => {
  const lines = [line(1, { kind: "start", seat: null }), line(2), line(3), line(4), line(5, { seat: "bob" })];

  it("fold what is alike, under the turn", () => {
    expect(shape(lines)).toBe("1 ana: 2-4 bob: 5");
    expect(shape(lines.toReversed())).toBe("bob: 5 ana: 2-4 1");
  });
  it("unfold, and leave alone what was picked", () => {
    expect(shape(lines, new Set([2]))).toBe("1 ana: 2-4 >2 >3 >4 bob: 5");
    expect(shape(lines, new Set(), (entry) => entry.number === 3)).toBe("1 ana: 2 3 4 bob: 5");
  });
  it("keep apart what differs, was corrected, or is hidden", () => {
    expect(shape([line(2), line(3, { params: { title: "bar" } })])).toBe("ana: 2 3");
    expect(shape([line(2), line(3, { status: "voided" })])).toBe("ana: 2 3");
    expect(shape([line(2, { params: null }), line(3, { params: null })])).toBe("ana: 2 3");
    expect(shape([line(2), line(4)])).toBe("ana: 2 4");
  });
  it("wait for turns that are not known yet", () => {
    expect(rowsOf(lines, () => undefined).every((row) => row.head === null)).toBe(true);
  });
});

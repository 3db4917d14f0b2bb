import { describe, expect, it } from "vitest";
import { patched } from "./patch";

describe("JSON Merge Patch", () => {
  // RFC 7396, appendix A.
  it.each([
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [["a", "b"], ["c", "d"], ["c", "d"]],
    [{ a: "b" }, ["c"], ["c"]],
    [{ a: "foo" }, null, null],
    [{ a: "foo" }, "bar", "bar"],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b" }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])("%j with %j is %j", (target, patch, result) => {
    expect(patched<unknown>(target, patch)).toEqual(result);
  });

  it("keeps what did not change as the same object, and the target as it was", () => {
    const before = { seats: [{ seat: "ana" }], standings: { ana: { cash: 100 } } };
    const after = patched(before, { standings: { ana: { cash: 80 } } });
    expect(after.seats).toBe(before.seats);
    expect(before.standings.ana.cash).toBe(100);
    expect(after.standings.ana.cash).toBe(80);
  });
});

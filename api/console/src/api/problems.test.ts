import { describe, expect, it } from "vitest";
import { Busy, failureOf, Gone, Lost, Refused, Stale } from "./problems";

const problem = { type: "/problems/rule-broken", title: "", status: 409, detail: "Ana holds 40 and cannot spend 120" };

describe("what a page does about an answer", () => {
  it.each([
    [400, Refused],
    [401, Gone],
    [403, Refused],
    [404, Refused],
    [409, Refused],
    [412, Stale],
    [422, Refused],
    [429, Busy],
    [500, Lost],
    [503, Busy],
  ])("%i is %o", (status, kind) => {
    const failure = failureOf(new Response(null, { status, headers: { "Retry-After": "7" } }), { ...problem, status });
    expect(failure).toBeInstanceOf(kind);
    expect(failure.message).toBe(problem.detail);
    if (failure instanceof Busy) expect(failure.seconds).toBe(7);
  });

  it("takes a proxy's page for no answer", () => {
    expect(failureOf(new Response(null, { status: 403 }), "<html>")).toBeInstanceOf(Lost);
  });
});

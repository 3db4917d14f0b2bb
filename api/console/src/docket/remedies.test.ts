import { describe, expect, it } from "vitest";
import { correcting, rulingOf } from "./remedies";

const edits = [{ op: "drop", action: 7 }];

describe("a ruling", () => {
  it("dismisses where it orders nothing", () => {
    expect(rulingOf({ finding: "It stands" }, [])).toEqual({ finding: "It stands", remedies: [{ op: "dismiss" }] });
  });

  it("corrects the history before it orders anything else", () => {
    const fine = { op: "fine", seat: "ana", amount: 50 };
    const body = rulingOf({ finding: "She knew", remedies: [fine] }, [{ edits, reason: "It was mortgaged" }]);
    expect(body.remedies).toEqual([{ op: "correct", edits, cascade: "restate", reason: "It was mortgaged" }, fine]);
  });

  it("gives no reason where the quarrel is private, and none that is too long", () => {
    expect(correcting({ edits })).not.toHaveProperty("reason");
    expect((correcting({ edits, reason: "a".repeat(4000) }).reason as string).length).toBe(2000);
  });

  it("keeps the cascade of a draft", () => {
    expect(correcting({ edits, cascade: "keep" }).cascade).toBe("keep");
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import type { Need } from "../api/types";
import type { Credential } from "../game/session.svelte";
import { Draft } from "./draft.svelte";

const banker = { game: "g1", role: "banker", token: "t" } as Credential;
const game = (version = 220, credential = banker): ConstructorParameters<typeof Draft>[0] => ({ id: "g1", credential, version });

/** "A Chance card is missing after 216." The edit that takes the card is complete but for the card. */
function need(edit: Record<string, unknown>, values_at: string, count = 1): Need {
  return { after: 216, kind: "draw", draw: "cards", name: "Chance", label: { en: "Chance", fr: "Chance" }, deck: "chance", count, seat: "ana", why: "", voids: true, edit, values_at };
}

beforeEach(() => sessionStorage.clear());

describe("the draft of a correction", () => {
  it("gathers edits in the shape that the service takes", () => {
    const draft = new Draft(game());
    draft.drop(217);
    draft.replace(216, { dice: [1, 1] });
    draft.amend(200);
    expect(draft.sent).toEqual([
      { op: "drop", action: 217 },
      { op: "replace", action: 216, params: { dice: [1, 1] } },
      { op: "amend", action: 200 },
    ]);
    expect(draft.complete).toBe(true);
  });

  it("takes the last word about a line, and forgets the earlier one", () => {
    const draft = new Draft(game());
    draft.drop(216);
    draft.replace(216, { dice: [1, 1] });
    expect(draft.sent).toEqual([{ op: "replace", action: 216, params: { dice: [1, 1] } }]);
    expect(draft.of(216)).toBe("replace");
  });

  it("sends nothing of an edit that is not complete", () => {
    const draft = new Draft(game());
    draft.drop(217);
    draft.insertAfter(220);
    draft.replace(216);
    expect(draft.complete).toBe(false);
    expect(draft.sent).toEqual([{ op: "drop", action: 217 }]);
    const [, insert] = draft.edits;
    if (insert?.op !== "insert") throw new Error("no insertion");
    draft.change(insert.id, { kind: "pay", seat: "bruno", params: { to: "ana", amount: 20 }, ready: true });
    expect(draft.sent[1]).toEqual({
      op: "insert",
      after: 220,
      action: { kind: "pay", seat: "bruno", params: { to: "ana", amount: 20 } },
    });
  });

  it("lies in the tab's storage, for its credential alone", () => {
    const draft = new Draft(game());
    draft.drop(217);
    draft.say("mistyped");
    draft.choose("keep");
    const again = new Draft(game());
    expect([again.sent, again.reason, again.cascade]).toEqual([[{ op: "drop", action: 217 }], "mistyped", "keep"]);
    expect(new Draft(game(220, { ...banker, role: "player", seat: "ana" })).count).toBe(0);
    again.clear();
    expect(sessionStorage.length).toBe(0);
  });

  it("begins empty where the storage holds something else", () => {
    sessionStorage.setItem("mabligop-draft:g1:banker:", "{");
    expect(new Draft(game()).count).toBe(0);
  });

  it("is stale when the journal went on, until it is looked at again", () => {
    const opened = { ...game(220) };
    const draft = new Draft(opened);
    draft.drop(217);
    expect(draft.stale).toBe(false);
    opened.version = 221;
    expect(draft.stale).toBe(true);
    draft.looked(221);
    expect(draft.stale).toBe(false);
  });

  it("puts a card that was missing into the edit of the same line", () => {
    const draft = new Draft(game());
    draft.replace(216, { dice: [1, 1] });
    draft.fill(need({ op: "replace", action: 216, params: { dice: [1, 1], draws: [null] } }, "/params/draws/0"), ["lucky_03"]);
    expect(draft.sent).toEqual([{ op: "replace", action: 216, params: { dice: [1, 1], draws: ["lucky_03"] } }]);
  });

  it("adds an edit for a card that a later line lacks", () => {
    const draft = new Draft(game());
    draft.drop(217);
    draft.fill(need({ op: "replace", action: 218, params: { card: null } }, "/params/card"), ["lucky_03"]);
    expect(draft.sent[1]).toEqual({ op: "replace", action: 218, params: { card: "lucky_03" } });
  });

  it("puts dice into the insertion that they were thrown for, of two at one place", () => {
    const draft = new Draft(game());
    draft.take(
      [
        { op: "insert", after: 220, action: { kind: "visit", seat: "ana", params: { target: "bruno" } } },
        { op: "insert", after: 220, action: { kind: "visit", seat: "ana", params: { target: "chloe" } } },
      ],
      "",
    );
    const edit = { op: "insert", after: 220, action: { kind: "visit", seat: "ana", params: { target: "chloe", dice: [null, null] } } };
    draft.fill(need(edit, "/action/params/dice/0", 2), [3, 4]);
    expect(draft.sent.map(({ action }) => (action as { params: unknown }).params)).toEqual([
      { target: "bruno" },
      { target: "chloe", dice: [3, 4] },
    ]);
  });

  it("takes over what a dispute asks for, after what is drafted already", () => {
    const draft = new Draft(game());
    draft.drop(217);
    draft.take([{ op: "rewind", action: 210 }, { op: "insert", after: "30.1", action: { kind: "pay", params: {} } }], "It was mortgaged.");
    expect(draft.sent).toHaveLength(3);
    expect(draft.reason).toBe("It was mortgaged.");
  });
});

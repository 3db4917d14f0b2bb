import { expect, it } from "vitest";
import type { Preview } from "../api/types";
import { treeOf } from "./tree";

const line = (action: number | string, more: object = {}) => ({
  action, number: Math.trunc(Number(action)), kind: "pay", seat: "ana", sentence: `line ${action}`, cause: 1, because: null, ...more,
});
const preview = (parts: object): Preview =>
  ({ causes: [], undone: [], restored: [], restated: [], voided: [], inserted: [], ...parts }) as unknown as Preview;

it("puts each line under the cause that it comes from, in the order of the history", () => {
  const tree = treeOf(
    preview({
      causes: [
        { cause: 1, edit: 0, action: 216, text: "Ana stands elsewhere.", follows: ["216.1", 217, 218] },
        { cause: 2, edit: 1, action: 224, text: "Bruno pays no rent.", follows: [230] },
      ],
      restated: [line(216, { was: "1+2" }), line(230, { was: "line 230" })],
      voided: [line(218, { because: 217, why: { rule: "V.C.1", text: "no title" } }), line(217, { because: 216, why: { rule: "V.A.2", text: "not there" } })],
      inserted: [line("216.1", { by: "system" })],
      undone: [line(224)],
    }),
  );
  expect(tree.map(({ action, own, follows }) => [action, own.map((one) => one.mark), follows.map((one) => `${one.mark} ${one.action}`)])).toEqual([
    [216, ["restated"], ["inserted 216.1", "voided 217", "voided 218"]],
    [224, ["undone"], ["restated 230"]],
  ]);
  expect(tree[0]!.own[0]!.was).toBe("1+2");
  expect(tree[1]!.follows[0]!.was).toBeUndefined();
});

it("shows a line once, and what comes from no cause, too", () => {
  const tree = treeOf(
    preview({
      causes: [
        { cause: 1, edit: 0, action: 1, text: "", follows: [3] },
        { cause: 2, edit: 1, action: 2, text: "", follows: [3] },
      ],
      voided: [line(3, { why: { rule: "", text: "" } })],
      inserted: [line("9.1", { by: "banker" })],
    }),
  );
  expect(tree.map((branch) => branch.follows.map((one) => one.action))).toEqual([["9.1"], [3], []]);
});

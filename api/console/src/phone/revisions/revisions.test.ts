import { expect, it } from "vitest";
import type { Entry } from "../../api/types";
import { revisionsOf } from "./revisions";

const owners = { "player:ana": "ana", "player:bob": "bob" };
const effect = (account: string, before: number, after: number): object => ({ account, commodity: "coin", before, after });
const line = (number: number, effects: object[], data: object = { insertions: [], amendments: [] }): Entry =>
  ({ number, action: number, effects, events: [{ data }] }) as unknown as Entry;

it("finds what corrections changed for their reader, since the last dismissed one", () => {
  const lines = [
    line(4, [effect("player:ana", 9, 5)]),
    line(5, [effect("player:ana", 5, 8), effect("player:bob", 3, 0)]),
    line(6, [effect("player:ana", 8, 2)], {}),
    line(7, [effect("player:bob", 0, 3), effect("player:ana", 2, 2)]),
    line(8, [effect("player:ana", 2, 6)]),
  ];
  const revisions = revisionsOf(lines, owners, "ana", 4);
  expect(revisions.map((revision) => revision.line.number)).toEqual([5, 8]);
  expect(revisions[0]!.effects).toEqual([effect("player:ana", 5, 8)]);
  expect(revisionsOf(lines, owners, "ana", 8)).toEqual([]);
  const fine = line(9, [effect("player:ana", 6, 1)], { ruling: "9", amount: 5 });
  expect(revisionsOf([...lines, fine], owners, "ana", 8)).toEqual([{ line: fine, effects: [effect("player:ana", 6, 1)] }]);
});

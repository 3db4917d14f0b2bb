import { describe, expect, it } from "vitest";
import type { Statistics } from "../../api/types";
import { facesOf, greatest, incomesOf, matrixOf, rentsOf } from "./sums";

const flows = {
  parties: [],
  purposes: [{ id: "rent", name: "rents" }, { id: "fee", name: "fees" }, { id: "salary", name: "salaries" }],
  goods: [],
  money: [
    { from: "ana", to: "bob", purpose: "rent", amount: 20, times: 2 },
    { from: "ana", to: "bob", purpose: "salary", amount: 5, times: 1 },
    { from: "bob", to: "bank", purpose: "fee", amount: 900, times: 1 },
    { from: "bank", to: "ana", purpose: "salary", amount: 30, times: 1 },
  ],
} as Statistics["flows"];

describe("the sums of payments", () => {
  it("add up the purposes between two, and name their fields", () => {
    expect(matrixOf(flows, ["ana", "bob"])).toEqual([
      [{ amount: 0, times: 0, of: "" }, { amount: 25, times: 3, of: "statistics/flows/money/0/amount statistics/flows/money/1/amount" }],
      [{ amount: 0, times: 0, of: "" }, { amount: 0, times: 0, of: "" }],
    ]);
  });

  it("count for a purpose what players received, not what the bank did", () => {
    const incomes = incomesOf(flows, ["ana", "bob"]);
    expect(incomes.map(({ id, total, seats }) => [id, total.amount, seats.map(({ amount }) => amount)])).toEqual([
      ["salary", 35, [30, 5]],
      ["rent", 20, [0, 20]],
    ]);
    expect(incomes[0]!.total.of).toBe("statistics/flows/money/1/amount statistics/flows/money/3/amount");
  });
});

describe("the other sums", () => {
  it("name the places with rent, the most first", () => {
    const estates = [{ id: "a", rent: 0 }, { id: "b", rent: 5 }, { id: "c", rent: 9 }] as Statistics["estates"];
    expect(rentsOf(estates).map(({ id, of }) => [id, of])).toEqual([["c", "statistics/estates/2"], ["b", "statistics/estates/1"]]);
  });

  it("count the faces of all, and find the greatest only if there is any", () => {
    expect(facesOf({ sides: 2, seats: [{ faces: [1, 2] }, { faces: [3, 4] }] } as Statistics["dice"][number])).toEqual([4, 6]);
    expect(greatest([1, 3, 2], (number) => number)).toBe(3);
    expect(greatest([0, 0], (number) => number)).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import type { Move, Obligation, SeatMoves } from "../api/types";
import { debtsFor, settlementsOf, sumsOf } from "./debts";

const owed = (text: string, members: Partial<Obligation>): Obligation => ({ text, kind: "debt", label: "", about: "", rule: "", follows: "", status: "due", amount: 5, ...members }) as Obligation;
const loan = owed("loan", { debtor: "ana", creditor: "bank", status: "open" });
const rent = owed("rent", { debtor: "bob", creditor: "player:ana" });
const fine = owed("fine", { debtor: "ana", creditor: "bank" });
const act = owed("answer", { debtor: "ana" });
delete act.amount;
const bid = owed("bid", { debtor: "ana", status: "laid" });
const owners = { "player:ana": "ana", "player:bob": "bob" };

describe("the list of debts", () => {
  it("has the seat's own ahead, due ones first, and no acts or deposits", () => {
    expect(debtsFor([bid, rent, loan, act, fine], "ana", owners)).toEqual([fine, loan, rent]);
    expect(debtsFor([loan, rent], "bob", owners)).toEqual([rent, loan]);
    expect(debtsFor([loan, rent], "cleo", owners)).toEqual([rent, loan]);
  });
});

describe("the sums of a seat", () => {
  it("count what it owes and what is owed to it, of one commodity, with their fields", () => {
    const sums = sumsOf([{ ...loan, commodity: "gold" }, { ...rent, commodity: "gold" }, { ...fine, commodity: "gold" }, { ...bid, commodity: "gold" }, { ...rent, commodity: "tea" }], "gold", owners);
    expect(Object.fromEntries(sums)).toEqual({
      ana: { owes: { amount: 10, of: "obligations/0/amount obligations/2/amount" }, owed: { amount: 5, of: "obligations/1/amount" } },
      bob: { owes: { amount: 5, of: "obligations/1/amount" }, owed: { amount: 0, of: "" } },
    });
  });
});

describe("a settlement", () => {
  const pay = { id: "p", kind: "pay", params: {}, free: {}, choice: { parameter: "loan", options: [
    { value: "3", settles: [fine] }, { value: "7", settles: [loan], free: { amount: { "x-kind": "amount", required: false } } },
  ] } } as unknown as Move;
  const claim = { id: "c", kind: "claim", params: {}, free: {}, settles: [rent] } as unknown as Move;
  const moves: SeatMoves[] = [{ moves: [] }, { seat: "ana", moves: [pay, claim] }];

  it("has its choice made, and tells a part from the whole", () => {
    const [settlement] = settlementsOf(loan, moves);
    expect(settlement).toMatchObject({ seat: "ana", pays: true, partly: true, move: { params: { loan: "7" } } });
    expect(settlement!.move.choice).toBeUndefined();
    expect(settlementsOf(fine, moves)[0]).toMatchObject({ partly: false, move: { params: { loan: "3" } } });
  });

  it("may be the creditor's move, and no payment", () => {
    expect(settlementsOf(rent, moves)).toMatchObject([{ seat: "ana", pays: false }]);
    expect(settlementsOf(bid, moves)).toEqual([]);
  });
});

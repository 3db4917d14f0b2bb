// The money of a seat by purpose. Pure.
import type { Statistics } from "../api/types";

type Flows = Statistics["flows"];

/** A sum of payments, with the fields of the API that make it. */
interface Sum {
  amount: number;
  of: string;
}

export interface Purpose {
  id: string;
  name: string;
  received: Sum;
  given: Sum;
}

/** Sum what a seat received and gave for each purpose, the largest purpose first; purposes without payments are left out. */
export function purposesOf(flows: Flows, seat: string): Purpose[] {
  const sum = (id: string, side: "from" | "to"): Sum => {
    const parts = flows.money.flatMap((flow, at) => (flow.purpose === id && flow[side] === seat ? [{ flow, of: `statistics/flows/money/${at}/amount` }] : []));
    return { amount: parts.reduce((total, { flow }) => total + flow.amount, 0), of: parts.map(({ of }) => of).join(" ") };
  };
  return flows.purposes
    .map(({ id, name }) => ({ id, name, received: sum(id, "to"), given: sum(id, "from") }))
    .filter(({ received, given }) => received.of || given.of)
    .toSorted((first, second) => second.received.amount + second.given.amount - first.received.amount - first.given.amount);
}

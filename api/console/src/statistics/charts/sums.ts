// The sums that the charts of a game show, each with the fields of the API that make it. Pure functions.
import { rollup, sum } from "d3-array";
import type { Statistics } from "../../api/types";

type Flows = Statistics["flows"];
type Flow = Flows["money"][number];

export interface Sum {
  amount: number;
  times: number;
  /** The fields of the API whose sum this is. */
  of: string;
}

const NOTHING: Sum = { amount: 0, times: 0, of: "" };

/** Sum the payments by a key. */
function sumsBy(flows: Flows, key: (flow: Flow) => string): Map<string, Sum> {
  const numbered = flows.money.map((flow, at) => ({ flow, of: `statistics/flows/money/${at}/amount` }));
  return rollup(
    numbered,
    (part) => ({ amount: sum(part, ({ flow }) => flow.amount), times: sum(part, ({ flow }) => flow.times), of: part.map(({ of }) => of).join(" ") }),
    ({ flow }) => key(flow),
  );
}

/** Return the payments from each party (a row) to each party (a column). */
export function matrixOf(flows: Flows, from: readonly string[], to: readonly string[] = from): Sum[][] {
  const sums = sumsBy(flows, (flow) => `${flow.from} ${flow.to}`);
  return from.map((payer) => to.map((payee) => sums.get(`${payer} ${payee}`) ?? NOTHING));
}

export interface Income {
  id: string;
  name: string;
  /** For each seat: the money it received. */
  seats: Sum[];
  total: Sum;
}

/** Return the money received by seats, by its purpose, the largest first. */
export function incomesOf(flows: Flows, seats: readonly string[]): Income[] {
  const received = new Set(seats);
  const sums = sumsBy(flows, (flow) => `${flow.purpose} ${flow.to}`);
  const totals = sumsBy(flows, (flow) => (received.has(flow.to) ? flow.purpose : ""));
  return flows.purposes
    .map(({ id, name }) => ({ id, name, seats: seats.map((seat) => sums.get(`${id} ${seat}`) ?? NOTHING), total: totals.get(id) ?? NOTHING }))
    .filter(({ total }) => total.amount > 0)
    .toSorted((first, second) => second.total.amount - first.total.amount);
}

/** Return the places that brought rent, the largest first, each with its index in the API's list. */
export function rentsOf(estates: Statistics["estates"]) {
  return estates
    .map((estate, at) => ({ ...estate, of: `statistics/estates/${at}` }))
    .filter(({ rent }) => rent > 0)
    .toSorted((first, second) => second.rent - first.rent);
}

/** Return how often each face fell, for the whole table. */
export function facesOf(dice: Statistics["dice"][number]): number[] {
  return Array.from({ length: dice.sides }, (_, face) => sum(dice.seats, ({ faces }) => faces[face]!));
}

/** Return the greatest of a list by a number; undefined without any above nothing. */
export function greatest<T>(all: readonly T[], number: (item: T) => number): T | undefined {
  const best = all.reduce<T | undefined>((found, item) => (found === undefined || number(item) > number(found) ? item : found), undefined);
  return best !== undefined && number(best) > 0 ? best : undefined;
}

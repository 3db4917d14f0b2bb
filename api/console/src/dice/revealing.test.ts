// The chains of the Python tests; and a device that reveals the values for a throw, and no more.
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { beforeEach, expect, test } from "vitest";
import written from "../trust/made.json?raw";
import { hashed, valueAt } from "./chains";
import { Revealing, type Odd, type ValueRequest } from "./revealing";

const { chains } = JSON.parse(written) as { chains: { root: string; length: number; values: string[] }[] };

test("both have the same chains", () => {
  for (const { root, length, values } of chains) {
    expect(values.map((_, place) => bytesToHex(valueAt(hexToBytes(root), length, place)))).toEqual(values);
    expect(() => valueAt(hexToBytes(root), length, length + 1)).toThrow();
  }
});

/** A service that takes chains and values, and announces requests. */
class Service {
  dice = { throws: 0, action: 0, chains: {} as Record<string, { end: string; length: number; action: number; throws: number }>, absent: [], version: 1 };
  revealed: { throw: number; value: string }[] = [];
  /** The throw of the last entry with a throw. */
  told = 0;
  odd: Odd[] = [];

  get game() {
    const answer = <T>(found: T) => Promise.resolve({ data: found, response: new Response() });
    return {
      id: "g1",
      me: "ana",
      api: {
        GET: (path: string) => answer(path.endsWith("/dice") ? this.dice : { chance: { throw: { number: this.told } } }),
        POST: (path: string, { body }: { body: never }) => {
          if (path.endsWith("/commitments")) this.dice.chains = { ana: { ...(body as { end: string; length: number }), action: 2, throws: this.dice.throws } };
          else this.revealed.push(body);
          return answer(this.dice);
        },
      },
    };
  }

  device(): Revealing {
    return new Revealing(this.game as never, (one) => this.odd.push(one));
  }

  wanted(number: number, place: number): ValueRequest {
    return { throw: number, after: 7, seats: { ana: { end: this.dice.chains.ana!.end, place } } };
  }

  made(number: number): void {
    this.dice.throws = this.told = number;
    this.dice.action = number + 10;
  }
}

let service: Service;
beforeEach(() => {
  localStorage.clear();
  service = new Service();
});

test("a device commits once, and reveals value after value", async () => {
  const device = service.device();
  await device.begin();
  const { end } = service.dice.chains.ana!;
  await service.device().begin();
  expect(service.dice.chains.ana!.end).toBe(end);
  for (const number of [1, 2]) {
    await device.answer(service.wanted(number, number));
    service.made(number);
  }
  expect(service.revealed.map((one) => one.throw)).toEqual([1, 2]);
  expect(service.revealed.map(({ value }, at) => bytesToHex(hashed(hexToBytes(value), at + 1)))).toEqual([end, end]);
});

test("a device whose chain was replaced commits to another one", async () => {
  const device = service.device();
  await device.begin();
  const { end } = service.dice.chains.ana!;
  service.dice.chains.ana = { end: "f".repeat(64), length: 5, action: 3, throws: 0 };
  await device.begin();
  expect([end, "f".repeat(64)]).not.toContain(service.dice.chains.ana.end);
});

test("it reveals no value before the throws in between were made", async () => {
  const device = service.device();
  await device.begin();
  await device.answer(service.wanted(5, 5));
  await device.answer(service.wanted(1, 2));
  service.dice.throws = 4;
  await device.answer(service.wanted(5, 5));
  expect(service.revealed).toEqual([]);
  expect(service.odd.map((one) => one.what)).toEqual(["kept", "kept", "kept"]);
  service.made(4);
  await device.answer(service.wanted(5, 5));
  expect(service.revealed.map((one) => one.throw)).toEqual([5]);
});

test("it answers again what it has answered, and nothing for the chain of another device", async () => {
  const device = service.device();
  await device.begin();
  await device.answer(service.wanted(1, 1));
  await device.answer(service.wanted(1, 1));
  await device.answer({ throw: 1, after: 7, seats: { ana: { end: "0".repeat(64), place: 1 }, bob: { end: "1".repeat(64), place: 1 } } });
  expect(new Set(service.revealed.map((one) => one.value)).size).toBe(1);
  expect(service.revealed.length).toBe(2);
});

test("it tells when a value that was taken is left out, or was asked for at another moment", async () => {
  const device = service.device();
  await device.begin();
  await device.answer(service.wanted(1, 1));
  device.see({ chance: { throw: { number: 1, after: 7, values: { bob: "" }, missing: ["ana"] } } } as never);
  service.made(1);
  await device.answer(service.wanted(2, 2));
  device.see({ chance: { throw: { number: 2, after: 8, values: { ana: "" } } } } as never);
  expect(service.odd).toEqual([
    { throw: 1, what: "left" },
    { throw: 2, what: "other" },
  ]);
});

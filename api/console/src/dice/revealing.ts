// This device's part in shared throws: it commits its seat to hash chains, and reveals a value whenever a throw needs one.
//
// A value is revealed only for the next throw: whoever knows a later value of a chain knows the earlier ones. So before a
// chain skips a place, the journal must show that the throws in between were made.
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { data } from "../api/client";
import type { Entry } from "../api/types";
import type { Game } from "../game/game.svelte";
import type { components } from "../api/schema";
import { valueAt } from "./chains";

type Dice = components["schemas"]["SharedDice"];
export type ValueRequest = components["schemas"]["Wanted"];

/** A chain of this device: how many throws there were before it, and the last place that was revealed. */
interface OwnChain {
  root: string;
  length: number;
  floor: number;
  known: number;
}

/** What is not as it should be: kept back, left out although it was taken, or told otherwise. */
export interface Odd {
  throw: number;
  what: "kept" | "left" | "other";
}

const LENGTH = 1000;
const FEW = 10;
const PREFIX = "mabligop-dice:";

export class Revealing {
  /** For which throws a value was taken, and after which action it was asked for. */
  readonly #sent = new Map<number, number>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    readonly game: Game,
    readonly tell: (odd: Odd) => void,
  ) {}

  /** Commit to a chain unless the newest one of the seat is from here, and reveal what is wanted already. */
  begin(): Promise<unknown> {
    return this.#inTurn(async () => {
      const dice = await this.#readDice();
      const newest = dice.chains[this.#seat];
      const chain = newest && this.#chains()[newest.end];
      if (!chain || chain.length - chain.known < FEW) await this.#commit(dice);
      if (dice.wanted) await this.#reveal(dice.wanted);
    });
  }

  /** Reveal the value for a throw that is wanted. */
  answer(request: ValueRequest): Promise<unknown> {
    return this.#inTurn(() => this.#reveal(request));
  }

  /** Compare what a line tells of its throw with what was revealed for it. */
  see(line: Entry): void {
    const thrown = line.chance?.throw;
    const expected = thrown && !thrown.place ? this.#sent.get(thrown.number) : undefined;
    if (!thrown || expected === undefined) return;
    this.#sent.delete(thrown.number);
    if (!(this.#seat in (thrown.values ?? {}))) this.tell({ throw: thrown.number, what: "left" });
    else if (thrown.after !== expected) this.tell({ throw: thrown.number, what: "other" });
  }

  get #seat(): string {
    return this.game.me ?? "";
  }

  #inTurn(work: () => Promise<unknown>): Promise<unknown> {
    // A connection that is lost: the next message or the next beginning tries again.
    return (this.#queue = this.#queue.then(work).catch(() => undefined));
  }

  async #reveal(request: ValueRequest): Promise<void> {
    const link = request.seats[this.#seat];
    const chain = link && this.#chains()[link.end];
    if (!link || !chain) return;
    if (link.place > chain.known) {
      if (!(await this.#isNext(request.throw, link.place, chain))) return this.tell({ throw: request.throw, what: "kept" });
      // Before anything is sent: a chain must not be used from its start again.
      this.#keep(link.end, { ...chain, known: link.place });
    }
    const value = bytesToHex(valueAt(hexToBytes(chain.root), chain.length, link.place));
    await data(this.game.api.POST("/api/v1/games/{game}/dice/values", { ...this.#path, body: { throw: request.throw, value } }));
    this.#sent.set(request.throw, request.after);
    if (chain.length - link.place < FEW) await this.#commit(await this.#readDice());
  }

  /** Whether a place may be revealed: the throws before it were made, as the journal shows. */
  async #isNext(number: number, position: number, chain: OwnChain): Promise<boolean> {
    if (position > number - chain.floor) return false;
    const dice = await this.#readDice();
    if (dice.throws !== number - 1) return false;
    if (number === 1) return true;
    const last = await data(
      this.game.api.GET("/api/v1/games/{game}/actions/{action}", { params: { path: { game: this.game.id, action: String(dice.action) } } }),
    );
    return (last as unknown as Entry).chance?.throw?.number === number - 1;
  }

  async #commit(dice: Dice): Promise<void> {
    // A chain that another device has replaced is never committed to again: this one is new.
    const root = crypto.getRandomValues(new Uint8Array(32));
    const end = bytesToHex(valueAt(root, LENGTH, 0));
    this.#keep(end, { root: bytesToHex(root), length: LENGTH, floor: dice.throws, known: 0 });
    await data(this.game.api.POST("/api/v1/games/{game}/dice/commitments", { ...this.#path, body: { end, length: LENGTH } }));
  }

  async #readDice(): Promise<Dice> {
    return await data(this.game.api.GET("/api/v1/games/{game}/dice", this.#path));
  }

  get #path() {
    return { params: { path: { game: this.game.id } } };
  }

  get #storageKey(): string {
    return `${PREFIX}${this.game.id}:${this.#seat}`;
  }

  #chains(): Record<string, OwnChain> {
    try {
      return JSON.parse(localStorage.getItem(this.#storageKey) ?? "{}") as Record<string, OwnChain>;
    } catch {
      return {};
    }
  }

  #keep(end: string, chain: OwnChain): void {
    localStorage.setItem(this.#storageKey, JSON.stringify({ ...this.#chains(), [end]: chain }));
  }
}

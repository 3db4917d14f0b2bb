// This device's part in shared throws: commit the seat to hash chains, and reveal a value for each throw that needs a
// value.
//
// A value is revealed only for the next throw: a later value of a chain gives away the earlier ones. So before a chain
// skips a position, the journal must show the throws in between.
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { data } from "../api/client";
import type { Entry } from "../api/types";
import type { Game } from "../game/game.svelte";
import type { components } from "../api/schema";
import { valueAt } from "./chains";

type Dice = components["schemas"]["SharedDice"];
export type ValueRequest = components["schemas"]["Wanted"];

/** A chain of this device: the number of throws before the chain, and the last revealed position. */
interface OwnChain {
  root: string;
  length: number;
  floor: number;
  known: number;
}

/** An irregularity: a value kept back, a value left out after it was accepted, or another throw than announced. */
export interface Odd {
  throw: number;
  what: "kept" | "left" | "other";
}

const LENGTH = 1000;
const FEW = 10;
const PREFIX = "mabligop-dice:";

export class Revealing {
  /** The throws with an accepted value, each with the action before its request. */
  readonly #sent = new Map<number, number>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    readonly game: Game,
    readonly tell: (odd: Odd) => void,
  ) {}

  /**
   * Commit to a chain unless the seat's newest chain is from this device, and reveal the value that is already wanted.
   */
  begin(): Promise<unknown> {
    return this.#inTurn(async () => {
      const dice = await this.#readDice();
      const newest = dice.chains[this.#seat];
      const chain = newest && this.#chains()[newest.end];
      if (!chain || chain.length - chain.known < FEW) await this.#commit(dice);
      if (dice.wanted) await this.#reveal(dice.wanted);
    });
  }

  /** Reveal the value for a requested throw. */
  answer(request: ValueRequest): Promise<unknown> {
    return this.#inTurn(() => this.#reveal(request));
  }

  /** Compare the throw of a line with the revealed value. */
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
    // After a lost connection the next message or the next beginning tries again.
    return (this.#queue = this.#queue.then(work).catch(() => undefined));
  }

  async #reveal(request: ValueRequest): Promise<void> {
    const link = request.seats[this.#seat];
    const chain = link && this.#chains()[link.end];
    if (!link || !chain) return;
    if (link.place > chain.known) {
      if (!(await this.#isNext(request.throw, link.place, chain))) return this.tell({ throw: request.throw, what: "kept" });
      // Stored before anything is sent: a chain must never be used again from its start.
      this.#keep(link.end, { ...chain, known: link.place });
    }
    const value = bytesToHex(valueAt(hexToBytes(chain.root), chain.length, link.place));
    await data(this.game.api.POST("/api/v1/games/{game}/dice/values", { ...this.#path, body: { throw: request.throw, value } }));
    this.#sent.set(request.throw, request.after);
    if (chain.length - link.place < FEW) await this.#commit(await this.#readDice());
  }

  /** Tell if a position may be revealed: the journal must show the throws before it. */
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
    // A chain replaced by another device is never committed again: this chain is new.
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

// This device's knowledge of a game's log: the first received key, the last seen checkpoint, and the verified lines.
// Each newer checkpoint must continue the previous one; otherwise the journal was changed after this device saw it.
import { SvelteMap } from "svelte/reactivity";
import { data } from "../api/client";
import { Failure } from "../api/problems";
import type { Entry } from "../api/types";
import type { Game } from "../game/game.svelte";
import { BadNote, checkpointOf, decoded, leadsTo, verifierOf, type Checkpoint } from "./notes";
import { receiptOf, requireConsistency, WrongProof, type Receipt } from "./proofs";

/** The stored facts about a log. */
interface StoredLog {
  key: string;
  checkpoint: string | null;
}

/** The fault, with the stored checkpoint and the new one. */
export interface Alarm {
  what: "key" | "journal";
  why: string;
  before: string;
  now: string;
  /** Another key: the key of the service now, and if its log continues the stored checkpoint; null without one. */
  other?: { key: string; continues: boolean | null };
}

export type Line = { state: "wait" } | { state: "good"; receipt: Receipt } | { state: "bad"; why: string };

const REST_MS = 15_000;
const PREFIX = "mabligop-log:";

export class Witness {
  alarm = $state.raw<Alarm | null>(null);
  /** The verified lines, by their numbers in the journal. */
  readonly lines = new SvelteMap<number, Line>();
  #queue: Promise<unknown> = Promise.resolve();
  #seenSize = 0;
  #next: ReturnType<typeof setTimeout> | undefined;
  #rested = 0;

  constructor(readonly game: Game) {}

  /** The first key received by this device; null before any answer. */
  get key(): string | null {
    return this.#stored()?.key ?? null;
  }

  /** Look at the newest checkpoint, at once or after a rest since the last look. */
  look(version: number): void {
    if (version <= this.#seenSize || this.#next !== undefined || this.alarm) return;
    const wait = Math.max(0, this.#rested + REST_MS - Date.now());
    this.#next = setTimeout(() => {
      this.#next = undefined;
      this.#rested = Date.now();
      void this.#inTurn(() => this.#observe());
    }, wait);
  }

  stop(): void {
    clearTimeout(this.#next);
  }

  /** Verify a line: its content must be in the signed log. */
  verify(line: Entry): void {
    const number = line.receipt.number;
    if (this.lines.has(number)) return;
    this.lines.set(number, { state: "wait" });
    void this.#inTurn(async () => {
      try {
        this.lines.set(number, { state: "good", receipt: await this.#receipt(number, line.receipt.leaf) });
      } catch (fault) {
        // A lost connection says nothing of the journal.
        if (fault instanceof BadNote || fault instanceof WrongProof) this.lines.set(number, { state: "bad", why: fault.message });
        else this.lines.delete(number);
      }
    });
  }

  #inTurn(work: () => Promise<unknown>): Promise<unknown> {
    return (this.#queue = this.#queue.then(work).catch(() => undefined));
  }

  async #receipt(number: number, leaf: string): Promise<Receipt> {
    const { key } = await this.#pinned();
    const written = await this.#text("/api/v1/games/{game}/proofs/{number}", { number });
    let receipt: Receipt;
    try {
      receipt = receiptOf(written, verifierOf(key));
    } catch (fault) {
      // The checkpoint may lead to a new key.
      await this.#observe();
      const followed = (await this.#pinned()).key;
      if (followed === key) throw fault;
      receipt = receiptOf(written, verifierOf(followed));
    }
    const hashed = Array.from(receipt.attested.leaf, (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (receipt.number !== number || hashed !== leaf) throw new WrongProof("the line that is shown is not the one in the log");
    await this.#follow(receipt.note);
    if (this.alarm) throw new WrongProof(this.alarm.why);
    return receipt;
  }

  async #observe(): Promise<void> {
    const stored = await this.#pinned();
    try {
      await this.#follow(await this.#text("/api/v1/games/{game}/checkpoint", {}));
    } catch (fault) {
      if (!(fault instanceof Failure) || !fault.problem.type.endsWith("/journal-not-as-signed")) throw fault;
      this.alarm = { what: "journal", why: fault.problem.detail, before: stored.checkpoint ?? "", now: "" };
    }
  }

  /** Take a newer checkpoint if it continues the stored one; else raise the alarm. */
  async #follow(note: string): Promise<void> {
    const stored = await this.#pinned();
    try {
      const { newer, key } = await this.#signed(note, stored.key);
      this.#seenSize = Math.max(this.#seenSize, newer.size);
      if (stored.checkpoint !== null) {
        const older = checkpointOf(stored.checkpoint, verifierOf(stored.key));
        if (newer.size < older.size) {
          // Another answer may have overtaken this answer: ask the service about the longer log.
          const again = checkpointOf(await this.#text("/api/v1/games/{game}/checkpoint", {}), verifierOf(key));
          if (again.size < older.size) throw new WrongProof(`the log has ${again.size} lines, and had ${older.size}`);
          return;
        }
        await this.#requireGrowth(older, newer);
      }
      this.#keep({ key, checkpoint: note });
    } catch (fault) {
      if (!(fault instanceof BadNote || fault instanceof WrongProof)) throw fault;
      const alarm: Alarm = { what: fault instanceof BadNote ? "key" : "journal", why: fault.message, before: stored.checkpoint ?? "", now: note };
      if (alarm.what === "key") alarm.other = await this.#other(note, stored);
      this.alarm = alarm;
    }
  }

  /** Read a checkpoint signed by a known key, or by a new key to which changes of the key lead. */
  async #signed(note: string, known: string): Promise<{ newer: Checkpoint; key: string }> {
    try {
      return { newer: checkpointOf(note, verifierOf(known)), key: known };
    } catch (fault) {
      const log = await this.#readLog();
      if (!(fault instanceof BadNote) || !leadsTo(verifierOf(known), log.successions, verifierOf(log.key))) throw fault;
      return { newer: checkpointOf(note, verifierOf(log.key)), key: log.key };
    }
  }

  async #requireGrowth(older: Checkpoint, newer: Checkpoint): Promise<void> {
    requireConsistency(older, newer, older.size === newer.size ? [] : await this.#hashes({ from: older.size, to: newer.size }));
  }

  /** Look at a log under a key that nothing vouches for: does it continue the stored checkpoint? */
  async #other(note: string, stored: StoredLog): Promise<Alarm["other"]> {
    const { key } = await this.#readLog();
    try {
      const newer = checkpointOf(note, verifierOf(key));
      if (stored.checkpoint === null) return { key, continues: null };
      // The service has a new name, too.
      await this.#requireGrowth({ ...checkpointOf(stored.checkpoint, verifierOf(stored.key)), origin: newer.origin }, newer);
      return { key, continues: true };
    } catch (fault) {
      if (fault instanceof BadNote || fault instanceof WrongProof || fault instanceof Failure) return { key, continues: false };
      throw fault;
    }
  }

  /** Trust the new key from now on: the reader has compared the key with its owner. */
  trust(): void {
    if (!this.alarm?.other) return;
    this.#keep({ key: this.alarm.other.key, checkpoint: this.alarm.now });
    this.alarm = null;
    this.lines.clear();
  }

  async #hashes(query: { from: number; to: number }): Promise<Uint8Array[]> {
    const answer = await data(
      this.game.api.GET("/api/v1/games/{game}/proofs/consistency", { params: { path: { game: this.game.id }, query } }),
    );
    return answer.hashes.map((text) => {
      const hash = decoded(text);
      if (hash?.length !== 32) throw new WrongProof("this is no proof");
      return hash;
    });
  }

  /** Return the stored facts. The first time they are the key that came with the token. */
  async #pinned(): Promise<StoredLog> {
    const stored = this.#stored();
    if (stored) return stored;
    const log = this.game.credential.log ?? (await this.#readLog());
    return this.#keep({ key: log.key, checkpoint: null });
  }

  /** Read the key of the log today, and the changes of the key. */
  async #readLog(): Promise<{ key: string; successions: string[] }> {
    return (await data(this.game.api.GET("/api/v1/me", {}))).log;
  }

  async #text(path: "/api/v1/games/{game}/checkpoint" | "/api/v1/games/{game}/proofs/{number}", parameters: { number?: number }): Promise<string> {
    return String(
      await data(
        this.game.api.GET(path as "/api/v1/games/{game}/checkpoint", {
          params: { path: { game: this.game.id, ...parameters } },
          parseAs: "text",
        }),
      ),
    );
  }

  #stored(): StoredLog | null {
    try {
      const stored = JSON.parse(localStorage.getItem(PREFIX + this.game.id) ?? "null") as StoredLog | null;
      return stored && typeof stored.key === "string" ? stored : null;
    } catch {
      return null;
    }
  }

  #keep(stored: StoredLog): StoredLog {
    // A replaced device has forgotten the game, also for a late answer.
    if (this.game.link !== "closed") localStorage.setItem(PREFIX + this.game.id, JSON.stringify(stored));
    return stored;
  }
}

const all = new WeakMap<Game, Witness>();

/** Return the witness of a game on this device. */
export function witnessOf(game: Game): Witness {
  const witness = all.get(game) ?? new Witness(game);
  all.set(game, witness);
  return witness;
}

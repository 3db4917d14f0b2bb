// This device's knowledge of a game's log: the first received key, the last seen checkpoint, and the verified lines.
// Each newer checkpoint must continue the previous one; otherwise the journal was changed after this device saw it.
import { SvelteMap } from "svelte/reactivity";
import { data } from "../api/client";
import { Failure } from "../api/problems";
import type { Entry } from "../api/types";
import type { Game } from "../game/game.svelte";
import { BadNote, checkpointOf, decoded, verifierOf } from "./notes";
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
    const stored = await this.#pinned();
    const receipt = receiptOf(await this.#text("/api/v1/games/{game}/proofs/{number}", { number }), verifierOf(stored.key));
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
    const key = verifierOf(stored.key);
    try {
      const newer = checkpointOf(note, key);
      this.#seenSize = Math.max(this.#seenSize, newer.size);
      if (stored.checkpoint !== null) {
        const older = checkpointOf(stored.checkpoint, key);
        if (newer.size < older.size) {
          // Another answer may have overtaken this answer: ask the service about the longer log.
          const again = checkpointOf(await this.#text("/api/v1/games/{game}/checkpoint", {}), key);
          if (again.size < older.size) throw new WrongProof(`the log has ${again.size} lines, and had ${older.size}`);
          return;
        }
        const range = { from: older.size, to: newer.size };
        const hashes = older.size === newer.size ? [] : await this.#hashes(range);
        requireConsistency(older, newer, hashes);
      }
      this.#keep({ key: stored.key, checkpoint: note });
    } catch (fault) {
      if (!(fault instanceof BadNote || fault instanceof WrongProof)) throw fault;
      const subject = fault instanceof BadNote ? "key" : "journal";
      this.alarm = { what: subject, why: fault.message, before: stored.checkpoint ?? "", now: note };
    }
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
    const log = this.game.credential.log ?? (await this.#readLogKey());
    return this.#keep({ key: log.key, checkpoint: null });
  }

  /** Read the key for a token from before tokens came with keys. */
  async #readLogKey(): Promise<{ key: string }> {
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

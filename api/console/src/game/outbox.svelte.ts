// Actions under way or waiting for the service. Each has its key from the moment it was confirmed, so it is never
// performed twice: the same body with the same key goes until an answer comes.
import { createStore, del, entries, set, type UseStore } from "idb-keyval";
import { freshKey } from "../api/client";
import { Busy, Failure, Gone, Refused, Stale } from "../api/problems";
import type { ActionRequest, Entry } from "../api/types";
import type { Game } from "./game.svelte";

/** At most so many wait; a further one is refused at the device. */
export const MOST = 3;
/** After so long the player is asked again. */
export const FRESH_MS = 60_000;
/** What neither was due nor is a payment is asked about sooner: the table may have gone on. */
export const BRIEF_MS = 10_000;
const AGAIN_MS = 3000;

export interface Waiting {
  key: string;
  asked: ActionRequest;
  /** What it is, for people. */
  label: string;
  /** When it was confirmed (milliseconds of the device's clock). */
  at: number;
  /** Whether it goes by itself while it is fresh: what was due, and payments. */
  byItself: boolean;
  /** Its place: they are sent one after another. */
  place: number;
  status: "sending" | "waiting" | "ask" | "refused";
  /** What the service said against it. */
  refused?: string;
  rule?: string;
}

export class TooMany extends Error {}

/** What keeps waiting actions over a reload: IndexedDB, or memory where there is none. */
export interface Shelf {
  all(): Promise<Waiting[]>;
  put(waiting: Waiting): Promise<void>;
  remove(key: string): Promise<void>;
}

export class Outbox {
  waiting = $state<Waiting[]>([]);

  #shelf: Shelf;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | null = null;
  #again = false;
  /** The keys that the shelf is known to have: one that is missing there later was settled by another tab. */
  #storedKeys = new Set<string>();
  #answers = new Map<string, { resolve: (entry: Entry) => void; reject: (fault: unknown) => void }>();

  constructor(
    private readonly game: Pick<Game, "id" | "act" | "credential">,
    shelf?: Shelf,
  ) {
    this.#shelf = shelf ?? shelfOf(game.credential.token);
  }

  /** Read what an earlier page left. Old ones are asked about; fresh ones go. */
  async start(): Promise<void> {
    const stored = (await this.#shelf.all().catch(() => [])).toSorted((a, b) => a.place - b.place);
    for (const message of stored) this.#storedKeys.add(message.key);
    const keys = new Set(this.waiting.map((message) => message.key));
    this.waiting = [...stored.filter((message) => !keys.has(message.key)).map((message) => ({ ...message, status: this.#stands(message) })), ...this.waiting];
    void this.flush();
  }

  /**
   * Send an action as soon as possible. The promise is kept when it is accepted and broken when it is refused; it stays
   * open while the service cannot be reached. Throws TooMany.
   */
  send(request: ActionRequest, { label, byItself = false }: { label: string; byItself?: boolean }): Promise<Entry> {
    if (this.waiting.filter((message) => message.status !== "refused").length >= MOST) throw new TooMany();
    const message: Waiting = {
      key: freshKey(),
      asked: JSON.parse(JSON.stringify(request)) as ActionRequest,
      label,
      at: Date.now(),
      byItself,
      place: Math.max(0, ...this.waiting.map((queued) => queued.place)) + 1,
      status: "sending",
    };
    this.waiting = [...this.waiting, message];
    const answer = new Promise<Entry>((resolve, reject) => this.#answers.set(message.key, { resolve, reject }));
    answer.catch(() => undefined);
    // It is kept before it is sent: a page that ends in between sends it again with the same key.
    void this.#shelf
      .put(message)
      .then(() => this.#storedKeys.add(message.key))
      .catch(() => undefined)
      .then(() => this.flush());
    return answer;
  }

  /** Take one back. What is under way may have been accepted already: then the journal shows it. */
  takeBack(key: string): void {
    this.#drop(key, new DOMException("taken back", "AbortError"));
  }

  /** Send one that was asked about. */
  confirm(key: string): void {
    this.#change(key, { status: "waiting", at: Date.now() });
    void this.flush();
  }

  /** Send what waits, in order. Runs once at a time, in one tab at a time. */
  flush(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  /** What is asked for while the last one ends is done, too: nothing stays behind until the next occasion. */
  async #run(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false;
        await this.#exclusively(() => this.#sendAll());
      }
    } finally {
      this.#running = null;
    }
  }

  /** Erase everything: the device's key opens nothing any more. */
  async erase(): Promise<void> {
    clearTimeout(this.#timer);
    for (const message of this.waiting) this.#drop(message.key, new DOMException("replaced", "AbortError"));
    for (const message of await this.#shelf.all().catch(() => [])) await this.#shelf.remove(message.key);
  }

  async #sendAll(): Promise<void> {
    clearTimeout(this.#timer);
    for (;;) {
      await this.#compare();
      const message = this.waiting.find((next) => next.status !== "refused");
      if (!message || message.status === "ask") return;
      if (this.#stands(message) === "ask") return this.#change(message.key, { status: "ask" });
      this.#change(message.key, { status: "sending" });
      try {
        const entry = await this.game.act(message.asked, { key: message.key });
        this.#accepted(message.key, entry);
      } catch (fault) {
        if (!this.#failed(message, fault)) return;
      }
    }
  }

  /** Leave out what another tab sent or took back. */
  async #compare(): Promise<void> {
    // Known before the shelf is read: what is put there meanwhile is missing in the answer without being settled.
    const storedKeys = new Set(this.#storedKeys);
    const stored = await this.#shelf.all().catch(() => null);
    if (stored === null) return;
    const keys = new Set(stored.map((message) => message.key));
    for (const message of this.waiting)
      if (message.status !== "refused" && storedKeys.has(message.key) && !keys.has(message.key)) this.#drop(message.key, new DOMException("settled in another tab", "AbortError"));
  }

  /** Returns whether the next one may be tried at once. */
  #failed(message: Waiting, fault: unknown): boolean {
    if (fault instanceof Refused || fault instanceof Stale) {
      this.#change(message.key, { status: "refused", refused: fault.message, ...(fault.problem.rule && { rule: fault.problem.rule }) });
      void this.#shelf.remove(message.key);
      this.#answers.get(message.key)?.reject(fault);
      this.#answers.delete(message.key);
      return true;
    }
    if (fault instanceof Gone) {
      void this.erase();
      return false;
    }
    if (!(fault instanceof Failure)) throw fault;
    this.#change(message.key, { status: "waiting" });
    const pause = fault instanceof Busy ? fault.seconds * 1000 : AGAIN_MS;
    this.#timer = setTimeout(() => void this.flush(), pause);
    return false;
  }

  #stands(message: Waiting): Waiting["status"] {
    if (message.status === "ask" || message.status === "refused") return message.status;
    return Date.now() - message.at > (message.byItself ? FRESH_MS : BRIEF_MS) ? "ask" : "waiting";
  }

  #accepted(key: string, entry: Entry): void {
    this.waiting = this.waiting.filter((message) => message.key !== key);
    void this.#shelf.remove(key);
    this.#answers.get(key)?.resolve(entry);
    this.#answers.delete(key);
  }

  #drop(key: string, why: unknown): void {
    this.waiting = this.waiting.filter((message) => message.key !== key);
    void this.#shelf.remove(key);
    this.#answers.get(key)?.reject(why);
    this.#answers.delete(key);
  }

  #change(key: string, changes: Partial<Waiting>): void {
    this.waiting = this.waiting.map((message) => (message.key === key ? { ...message, ...changes } : message));
  }

  /** Two tabs of one device share the shelf: only one sends at a time, where the browser can tell. */
  async #exclusively(work: () => Promise<void>): Promise<void> {
    if (!("locks" in navigator) || !navigator.locks) return work();
    await navigator.locks.request(`mabligop-outbox:${this.game.id}`, work);
  }
}

function shelfOf(token: string): Shelf {
  if (!("indexedDB" in globalThis)) return inMemory();
  // The database is opened at the first use. Where the browser refuses it, actions last as long as the page.
  const store: UseStore = createStore(`mabligop-outbox:${token.split(".")[0]}:${digest(token)}`, "waiting");
  return {
    all: async () => (await entries<string, Waiting>(store)).map(([, message]) => message),
    put: async (message) => set(message.key, $state.snapshot(message), store),
    remove: async (key) => del(key, store).catch(() => undefined),
  };
}

/** A short mark of a token for the name of its store, from which nobody learns the token (FNV-1a, 32 bits). */
function digest(token: string): string {
  let hash = 0x811c9dc5;
  for (const letter of token) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0;
  return hash.toString(16);
}

export function inMemory(): Shelf {
  const stored = new Map<string, Waiting>();
  return {
    all: async () => [...stored.values()],
    put: async (message) => void stored.set(message.key, { ...message }),
    remove: async (key) => void stored.delete(key),
  };
}

const outboxes = new WeakMap<Game, Outbox>();

/** The outbox of an open game. */
export function theOutbox(game: Game): Outbox {
  let outbox = outboxes.get(game);
  if (!outbox) {
    outbox = new Outbox(game);
    outboxes.set(game, outbox);
    void outbox.start();
  }
  return outbox;
}

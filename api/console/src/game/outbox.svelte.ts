// Actions under way or waiting for the service. Each action has a key from its confirmation on and is never performed
// twice: the same body with the same key is sent until an answer comes.
import { createStore, del, entries, set, type UseStore } from "idb-keyval";
import { freshKey } from "../api/client";
import { Busy, Failure, Gone, Refused, Stale, TooMany } from "../api/problems";
import type { ActionRequest, Entry } from "../api/types";
import type { Game } from "./game.svelte";

/** The maximum of waiting actions; a further action is refused on the device. */
export const MOST = 3;
/** The age at which the player is asked again. */
export const FRESH_MS = 60_000;
/** The age for actions that were neither due nor payments: the table may have gone on. */
export const BRIEF_MS = 10_000;
const AGAIN_MS = 3000;

export interface Waiting {
  key: string;
  asked: ActionRequest;
  /** The label, for people. */
  label: string;
  /** The time of confirmation (milliseconds of the device's clock). */
  at: number;
  /** True if the action is sent without a question while fresh: due actions, and payments. */
  byItself: boolean;
  /** The position in the queue: actions are sent one after another. */
  place: number;
  status: "sending" | "waiting" | "ask" | "refused";
  /** The refusal of the service. */
  refused?: string;
  rule?: string;
}

/** The storage of waiting actions over a reload: IndexedDB, or memory without IndexedDB. */
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
  /** The keys known to be on the shelf: a key missing there later was settled by another tab. */
  #storedKeys = new Set<string>();
  #answers = new Map<string, { resolve: (entry: Entry) => void; reject: (fault: unknown) => void }>();

  constructor(
    private readonly game: Pick<Game, "id" | "act" | "credential">,
    shelf?: Shelf,
  ) {
    this.#shelf = shelf ?? shelfOf(game.credential.token);
  }

  /** Read the actions left by an earlier page. Old actions become questions; fresh actions are sent. */
  async start(): Promise<void> {
    const stored = (await this.#shelf.all().catch(() => [])).toSorted((a, b) => a.place - b.place);
    for (const message of stored) this.#storedKeys.add(message.key);
    const keys = new Set(this.waiting.map((message) => message.key));
    this.waiting = [...stored.filter((message) => !keys.has(message.key)).map((message) => ({ ...message, status: this.#stands(message) })), ...this.waiting];
    void this.flush();
  }

  /**
   * Send an action as soon as possible. The promise resolves with acceptance and rejects with refusal; it stays open
   * while the service cannot be reached. Throws TooMany.
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
    // Stored before sending: a page that ends in between sends the action again with the same key.
    void this.#shelf
      .put(message)
      .then(() => this.#storedKeys.add(message.key))
      .catch(() => undefined)
      .then(() => this.flush());
    return answer;
  }

  /** Take an action back. An action under way may already be accepted: then the journal shows it. */
  takeBack(key: string): void {
    this.#drop(key, new DOMException("taken back", "AbortError"));
  }

  /** Send an action after its question. */
  confirm(key: string): void {
    this.#change(key, { status: "waiting", at: Date.now() });
    void this.flush();
  }

  /** Send the waiting actions, in order. Runs once at a time, in one tab at a time. */
  flush(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  /** Run again for requests made at the end of a run: nothing waits until the next occasion. */
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

  /** Drop actions that another tab sent or took back. */
  async #compare(): Promise<void> {
    // Copied before the shelf is read: an action put on the shelf meanwhile is missing in the answer without being
    // settled.
    const storedKeys = new Set(this.#storedKeys);
    const stored = await this.#shelf.all().catch(() => null);
    if (stored === null) return;
    const keys = new Set(stored.map((message) => message.key));
    for (const message of this.waiting)
      if (message.status !== "refused" && storedKeys.has(message.key) && !keys.has(message.key)) this.#drop(message.key, new DOMException("settled in another tab", "AbortError"));
  }

  /** Handle a failure. Returns true if the next action may be tried at once. */
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

  /** Run in one tab at a time, if the browser has locks: two tabs of one device share the shelf. */
  async #exclusively(work: () => Promise<void>): Promise<void> {
    if (!("locks" in navigator) || !navigator.locks) return work();
    await navigator.locks.request(`mabligop-outbox:${this.game.id}`, work);
  }
}

function shelfOf(token: string): Shelf {
  if (!("indexedDB" in globalThis)) return inMemory();
  // The database is opened at the first use. If the browser refuses, actions last as long as the page.
  const store: UseStore = createStore(`mabligop-outbox:${token.split(".")[0]}:${digest(token)}`, "waiting");
  return {
    all: async () => (await entries<string, Waiting>(store)).map(([, message]) => message),
    put: async (message) => set(message.key, $state.snapshot(message), store),
    remove: async (key) => del(key, store).catch(() => undefined),
  };
}

/** Hash a token into a short name for its store that does not give the token away (FNV-1a, 32 bits). */
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

/** Return the outbox of an open game. */
export function theOutbox(game: Game): Outbox {
  let outbox = outboxes.get(game);
  if (!outbox) {
    outbox = new Outbox(game);
    outboxes.set(game, outbox);
    void outbox.start();
  }
  return outbox;
}

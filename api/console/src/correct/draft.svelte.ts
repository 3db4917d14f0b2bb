// The draft of a correction: edits gathered on any page, and sent together from the workbench. The draft lies in this
// tab's storage, by game and credential, never in the address.
import { untrack } from "svelte";
import type { ActionName, Need } from "../api/types";
import type { Game } from "../game/game.svelte";
import { filled } from "../api/needs";
import { asDrafted, asSent, CASCADES, isComplete, withDraw, type Cascade, type DraftEdit, type InsertEdit, type ReplaceEdit } from "./edits";

const PREFIX = "mabligop-draft:";

type Opened = Pick<Game, "id" | "credential" | "version">;

interface StoredDraft {
  edits: DraftEdit[];
  reason: string;
  cascade: Cascade;
  seen: number;
}

export class Draft {
  edits = $state.raw<DraftEdit[]>([]);
  reason = $state("");
  cascade = $state<Cascade>("restate");
  /** The version of the game at the last look at the draft: by an edit, or by its preview. */
  seen = $state(0);

  #next = 1;

  constructor(private readonly game: Opened) {
    const stored = this.#read();
    if (stored) ({ edits: this.edits, reason: this.reason, cascade: this.cascade, seen: this.seen } = stored);
    this.#next = Math.max(0, ...this.edits.map((edit) => edit.id)) + 1;
  }

  count = $derived(this.edits.length);
  complete = $derived(this.edits.length > 0 && this.edits.every(isComplete));
  /** The edits as sent to the service. */
  sent = $derived(this.edits.filter(isComplete).map(asSent));

  /** True if the journal went on since the last look at the draft. */
  get stale(): boolean {
    return this.edits.length > 0 && this.seen > 0 && this.game.version > this.seen;
  }

  /** Mark the line as never happened. */
  drop(action: ActionName): void {
    this.#put({ id: this.#next++, op: "drop", action });
  }

  /** Replace the line. Without `params` the line's own parameters are the start. */
  replace(action: ActionName, params?: Record<string, unknown>): void {
    this.#put({ id: this.#next++, op: "replace", action, params: params ?? null, ready: params !== undefined });
  }

  /** Insert a missing action after the line. */
  insertAfter(line: ActionName, kind: string | null = null): void {
    this.#change([...this.edits, { id: this.#next++, op: "insert", after: line, kind, seat: null, params: {}, ready: false }]);
  }

  /** Replace an earlier correction by the edits. */
  amend(action: number): void {
    this.#put({ id: this.#next++, op: "amend", action });
  }

  /** Add edits in their sent form: the edits that a dispute asks for. */
  take(edits: readonly Record<string, unknown>[], reason: string): void {
    const drafted = edits.map((edit) => asDrafted(edit, this.#next++)).filter((edit) => edit !== null);
    this.#change([...this.edits, ...drafted]);
    if (!this.reason) this.say(reason);
  }

  /** Change an edit. Equal values change nothing. */
  change(id: number, part: Partial<ReplaceEdit> | Partial<InsertEdit>): void {
    const edit = untrack(() => this.edits).find((candidate) => candidate.id === id);
    if (!edit || Object.entries(part).every(([name, value]) => same(edit[name as keyof DraftEdit], value))) return;
    this.#change(untrack(() => this.edits).map((old) => (old.id === id ? ({ ...old, ...part } as DraftEdit) : old)));
  }

  remove(id: number): void {
    this.#change(this.edits.filter((edit) => edit.id !== id));
  }

  /** Fill in a throw or a draw that the corrected history needs. */
  fill(need: Need, values: readonly (number | string | null)[]): void {
    const taking = asDrafted(filled(need.edit, need.values_at, values), this.#next++);
    if (taking) this.#change(withDraw(this.edits, taking));
  }

  say(reason: string): void {
    this.reason = reason;
    this.#keep();
  }

  choose(cascade: Cascade): void {
    this.cascade = cascade;
    this.#keep();
  }

  /** Record the version of the preview on the banker's screen. */
  looked(version: number): void {
    this.seen = version;
    this.#keep();
  }

  /** Return the draft's operation on a line, or null. */
  of(action: ActionName): DraftEdit["op"] | null {
    return this.edits.find((edit) => edit.op !== "insert" && edit.action === action)?.op ?? null;
  }

  clear(): void {
    this.edits = [];
    this.reason = "";
    this.cascade = "restate";
    this.seen = 0;
    this.#keep();
  }

  /** One line is dropped or replaced once: the last word counts. */
  #put(edit: DraftEdit): void {
    const same = (earlier: DraftEdit): boolean =>
      edit.op === "amend" ? earlier.op === "amend" : earlier.op !== "insert" && edit.op !== "insert" && earlier.action === edit.action;
    this.#change([...this.edits.filter((earlier) => !same(earlier)), edit]);
  }

  #change(edits: DraftEdit[]): void {
    this.edits = edits;
    if (this.seen === 0) this.seen = untrack(() => this.game.version);
    if (edits.length === 0) this.seen = 0;
    this.#keep();
  }

  get #name(): string {
    const { role, seat } = this.game.credential;
    return `${PREFIX}${this.game.id}:${role}:${seat ?? ""}`;
  }

  #keep(): void {
    try {
      const { edits, reason, cascade, seen: version } = this;
      if (edits.length === 0 && reason === "") sessionStorage.removeItem(this.#name);
      else sessionStorage.setItem(this.#name, JSON.stringify({ edits, reason, cascade, seen: version } satisfies StoredDraft));
    } catch {
      // Without a storage the draft lasts as long as the page.
    }
  }

  #read(): StoredDraft | null {
    try {
      const stored = JSON.parse(sessionStorage.getItem(this.#name) ?? "null") as Partial<StoredDraft> | null;
      if (!stored || !Array.isArray(stored.edits)) return null;
      const cascade = CASCADES.find((candidate) => candidate === stored.cascade) ?? "restate";
      return { edits: stored.edits, reason: String(stored.reason ?? ""), cascade, seen: Number(stored.seen) || 0 };
    } catch {
      return null;
    }
  }
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

const drafts = new WeakMap<Opened, Draft>();

/** Return the draft of an open game, shared by all parts of the page. */
export function theDraft(game: Opened): Draft {
  let draft = drafts.get(game);
  if (!draft) {
    // The draft outlives its first component: its derived values must not end with that component.
    $effect.root(() => {
      draft = new Draft(game);
    });
    drafts.set(game, draft!);
  }
  return draft!;
}

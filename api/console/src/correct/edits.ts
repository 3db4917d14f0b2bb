// The edits of a draft as plain data: storage, completeness.
import type { ActionName } from "../api/types";

type Params = Record<string, unknown>;

export interface DropEdit {
  id: number;
  op: "drop";
  action: ActionName;
}
export interface ReplaceEdit {
  id: number;
  op: "replace";
  action: ActionName;
  /** Null until the parameters of the line are read. */
  params: Params | null;
  ready: boolean;
}
export interface InsertEdit {
  id: number;
  op: "insert";
  after: ActionName;
  kind: string | null;
  seat: string | null;
  params: Params;
  ready: boolean;
}
/** An earlier correction, replaced by the other edits. */
export interface AmendEdit {
  id: number;
  op: "amend";
  action: number;
}
export interface RewindEdit {
  id: number;
  op: "rewind";
  action: ActionName;
}
export type DraftEdit = DropEdit | ReplaceEdit | InsertEdit | AmendEdit | RewindEdit;
export type Cascade = "restate" | "keep" | "refuse";
export const CASCADES: readonly Cascade[] = ["restate", "keep", "refuse"];

/** Tell if an edit can be sent. */
export function isComplete(edit: DraftEdit): boolean {
  if (edit.op === "replace") return edit.params !== null && edit.ready;
  if (edit.op === "insert") return edit.kind !== null && edit.ready;
  return true;
}

/** Return the edit as `POST …/corrections` takes it. */
export function asSent(edit: DraftEdit): Params {
  if (edit.op === "replace") return { op: edit.op, action: edit.action, params: edit.params ?? {} };
  if (edit.op !== "insert") return { op: edit.op, action: edit.action };
  const { kind, seat, params, after: line } = edit;
  return { op: "insert", after: line, action: { kind, params, ...(seat !== null && { seat }) } };
}

/** Turn the edit of a request, or of a dispute, into an edit of the draft. */
export function asDrafted(sent: Params, id: number): DraftEdit | null {
  const action = sent.action as ActionName;
  if (sent.op === "drop" || sent.op === "rewind") return { id, op: sent.op, action };
  if (sent.op === "amend") return { id, op: "amend", action: Number(action) };
  if (sent.op === "replace") return { id, op: "replace", action, params: (sent.params ?? {}) as Params, ready: true };
  if (sent.op !== "insert") return null;
  const { kind, seat, params } = sent.action as { kind: string; seat?: string | null; params?: Params };
  return { id, op: "insert", after: sent.after as ActionName, kind, seat: seat ?? null, params: params ?? {}, ready: true };
}

/** Add an edit that takes a draw: in place of an edit of the same action, else after the others. */
export function withDraw(edits: readonly DraftEdit[], taking: DraftEdit): DraftEdit[] {
  const same = edits.findIndex((edit) => isOfSame(edit, taking));
  if (same < 0) return [...edits, taking];
  return edits.map((edit, at) => (at === same ? { ...taking, id: edit.id } : edit));
}

function isOfSame(edit: DraftEdit, taking: DraftEdit): boolean {
  if (edit.op === "replace" && taking.op === "replace") return edit.action === taking.action;
  if (edit.op !== "insert" || taking.op !== "insert") return false;
  if (edit.after !== taking.after || edit.kind !== taking.kind || (taking.seat ?? edit.seat) !== (edit.seat ?? taking.seat)) return false;
  // Several actions may be inserted after one line: all given parameters must agree.
  return Object.entries(edit.params).every(
    ([name, value]) => isDraw(name) || JSON.stringify(value) === JSON.stringify(taking.params[name]),
  );
}

function isDraw(parameter: string): boolean {
  return ["draws", "drawn", "dice", "die", "card", "cards"].includes(parameter);
}

// Faults of a refused request, at the fields of a form.
import { Failure } from "../api/problems";
import type { Need } from "../api/types";

export interface Fault {
  pointer?: string | null;
  detail: string;
}

/**
 * Return the faults of an answer, with pointers from the form's root: "/params/amount" under "/params" is "/amount".
 */
export function faultsOf(failure: unknown, prefix = ""): Fault[] {
  if (!(failure instanceof Failure)) return [];
  const { errors, pointer, detail } = failure.problem;
  const all: Fault[] = errors ?? (pointer ? [{ pointer, detail }] : []);
  return all.map((fault) => ({ ...fault, pointer: fault.pointer?.startsWith(`${prefix}/`) ? fault.pointer.slice(prefix.length) : null }));
}

/** Return the dice and cards that a refused action misses. */
export function needsOf(failure: unknown): readonly Need[] {
  return failure instanceof Failure ? ((failure.problem as { needs?: Need[] }).needs ?? []) : [];
}

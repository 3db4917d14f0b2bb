// Faults of a refused request, at the fields of a form.
import { Failure } from "../api/problems";

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

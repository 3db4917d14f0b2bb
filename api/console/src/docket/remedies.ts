// A ruling as it is sent: what the form holds, with the corrections that are taken from elsewhere. Pure.
type Body = Record<string, unknown>;

/** A correction that a ruling may order whole: as a player asked for it, or as the workbench has it. */
export interface CorrectionOrder {
  edits: readonly Body[];
  /** What the lines will say; without it the finding is not told to those who may not know of the quarrel. */
  reason?: string;
  cascade?: string;
}

const LONGEST_REASON = 2000;

/** The remedy that makes a correction. */
export function correcting({ edits, reason, cascade = "restate" }: CorrectionOrder): Body {
  return { op: "correct", edits, cascade, ...(reason && { reason: reason.slice(0, LONGEST_REASON) }) };
}

/** The body of a ruling: corrections first, then the other remedies in their order; without any it dismisses. */
export function rulingOf(form: Body, corrections: readonly CorrectionOrder[]): Body {
  const others = Array.isArray(form.remedies) ? (form.remedies as Body[]) : [];
  const remedies = [...corrections.map(correcting), ...others];
  return { ...form, remedies: remedies.length > 0 ? remedies : [{ op: "dismiss" }] };
}

// A ruling as sent: the content of the form, with corrections from elsewhere. Pure.
type Body = Record<string, unknown>;

/** A whole correction for a ruling to order: a player's request, or the workbench's draft. */
export interface CorrectionOrder {
  edits: readonly Body[];
  /** The reason in the lines; without a reason the finding stays hidden from viewers outside the quarrel. */
  reason?: string;
  cascade?: string;
}

const LONGEST_REASON = 2000;

/** Build the remedy that makes a correction. */
export function correcting({ edits, reason, cascade = "restate" }: CorrectionOrder): Body {
  return { op: "correct", edits, cascade, ...(reason && { reason: reason.slice(0, LONGEST_REASON) }) };
}

/**
 * Build the body of a ruling: corrections first, then the other remedies in their order; without remedies the ruling
 * dismisses.
 */
export function rulingOf(form: Body, corrections: readonly CorrectionOrder[]): Body {
  const others = Array.isArray(form.remedies) ? (form.remedies as Body[]) : [];
  const remedies = [...corrections.map(correcting), ...others];
  return { ...form, remedies: remedies.length > 0 ? remedies : [{ op: "dismiss" }] };
}

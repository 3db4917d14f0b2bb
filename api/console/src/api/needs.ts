// Missing dice and cards of an action or an edit: their values go to the place that the service names. Pure.

/**
 * Put the values of a missing draw into the action or edit that takes them: at a JSON Pointer (RFC 6901) and after it in
 * its list. Null leaves a value missing.
 */
export function filled(taking: Record<string, unknown>, pointer: string, values: readonly (number | string | null)[]): Record<string, unknown> {
  const edit = structuredClone(taking);
  if (!pointer.startsWith("/")) return edit;
  const path = pointer.slice(1).split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = path.pop()!;
  let inside: unknown = edit;
  for (const part of path) inside = (inside as Record<string, unknown>)[part];
  if (Array.isArray(inside)) values.forEach((value, at) => ((inside as unknown[])[Number(last) + at] = value));
  else (inside as Record<string, unknown>)[last] = values[0];
  return edit;
}

// JSON Merge Patch (RFC 7396): unchanged parts stay the same objects, so that pages redraw only changes.

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Apply the patch to the target. Neither is changed. */
export function patched<T>(target: T, patch: unknown): T {
  return merge(target as Json, patch as Json) as T;
}

function merge(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: Record<string, Json> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = merge(Object.hasOwn(result, name) ? result[name]! : null, value);
  }
  return result;
}

function isObject(value: Json): value is { [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

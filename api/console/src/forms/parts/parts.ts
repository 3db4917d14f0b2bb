// A choice in parts: first what, then where. The service says what each part may be. Pure functions.
import { fieldOf, type Schema } from "../schema";

/** The kinds of objects with a form of their own. */
const WHOLE = new Set(["legs", "edits", "remedies", "postings", "players", "settings", "new_action"]);

/** Tell if the values of a parameter hang together: an object, or a list of objects. */
export function isInParts(schema: Schema, name: string): boolean {
  const member = schema.properties?.[name];
  if (!member) return false;
  const { shape, kind } = fieldOf(member, schema);
  if (WHOLE.has(kind)) return false;
  const inner = shape.is === "list" ? fieldOf(shape.item, schema).shape : shape;
  return inner.is === "object" || inner.is === "union";
}

/** Write decided parameters as parts, in the order of the schema, as far as they precede the first asked parameter. */
export function decided(schema: Schema, params: Record<string, unknown>, asked: readonly string[]): string[] {
  const names = Object.keys(schema.properties ?? {});
  const first = Math.min(...asked.map((name) => names.indexOf(name)).filter((at) => at >= 0), names.length);
  return names.slice(0, first).flatMap((name) => (name in params ? [`/${name}=${JSON.stringify(params[name])}`] : []));
}

/** Return the title of a part by its JSON Pointer: "Groups, 2 · Tokens". */
export function titleAt(root: Schema, pointer: string): string {
  const titles: string[] = [];
  let schema: Schema | undefined = root;
  for (const step of pointer.split("/").slice(1)) {
    if (!schema) break;
    const { shape } = fieldOf(schema, root);
    if (shape.is === "list" || shape.is === "tuple") {
      schema = shape.is === "list" ? shape.item : shape.items[Number(step)];
      if (Number(step) > 0) titles.push(`${titles.pop() ?? ""}, ${Number(step) + 1}`);
      continue;
    }
    if (shape.is === "map") {
      schema = shape.item;
      continue;
    }
    schema = membersOf(schema, root)[step];
    const title = schema ? fieldOf(schema, root).title : "";
    if (title) titles.push(title);
  }
  return titles.length > 1 ? `${titles[0]} · ${titles.at(-1)!}` : (titles[0] ?? "");
}

/** Return the members of an object; of a union, those of all its variants. */
function membersOf(schema: Schema, root: Schema): Record<string, Schema> {
  const { shape } = fieldOf(schema, root);
  if (shape.is === "union") return Object.assign({}, ...shape.variants.map((variant) => variant.schema.properties ?? {})) as Record<string, Schema>;
  return shape.is === "object" ? Object.fromEntries(shape.properties) : {};
}

/** Return the schema of a value at a JSON Pointer, for a part with a free value. */
export function schemaAt(root: Schema, pointer: string): Schema | undefined {
  let schema: Schema | undefined = root;
  for (const step of pointer.split("/").slice(1)) {
    if (!schema) return undefined;
    const { shape } = fieldOf(schema, root);
    if (shape.is === "list") schema = shape.item;
    else if (shape.is === "tuple") schema = shape.items[Number(step)];
    else if (shape.is === "map") schema = shape.item;
    else schema = membersOf(schema, root)[step];
  }
  return schema;
}

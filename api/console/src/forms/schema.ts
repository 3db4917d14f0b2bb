// JSON Schemas of the API as fields of a form. Pure functions: the field of a schema, and its missing values.
import type { Phrase } from "../api/types";

export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: (string | number)[];
  anyOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema | false;
  prefixItems?: Schema[];
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  "x-kind"?: string;
  "x-labels"?: Record<string, Phrase>;
  "x-collection"?: string;
  "x-group"?: string;
  "x-order"?: number;
  "x-advanced"?: boolean;
  "x-first"?: boolean;
  "x-unit"?: string;
  /** An order of a ruling as a sentence with blanks: "{seat} pays {amount}." */
  "x-sentence"?: string;
  "x-purpose"?: { id: string; label: string; order: number };
}

export interface Variant {
  name: string;
  schema: Schema;
}

/** The shape of a field, whatever its subject. `kind` is its `x-kind`. */
export type Shape =
  | { is: "object"; properties: [string, Schema][]; required: readonly string[] }
  | { is: "list"; item: Schema; fewest: number; most: number }
  | { is: "tuple"; items: Schema[] }
  | { is: "map"; key: Schema; item: Schema; most: number }
  | { is: "union"; by: string; variants: Variant[] }
  | { is: "flag" }
  | { is: "enum"; values: (string | number)[]; labels: Record<string, Phrase> }
  | { is: "number"; from?: number; to?: number }
  | { is: "text"; long: boolean; most?: number; pattern?: string }
  /** A whole number or a text: the name of an action, a good, a die or a card. */
  | { is: "name" }
  | { is: "params" };

export interface Field {
  shape: Shape;
  kind: string;
  /** May be left out as `null`. */
  nullable: boolean;
  title: string;
  description: string;
  /** The service's default for a missing value; undefined without a default. */
  fallback: unknown;
  collection?: string;
  /** The deck of a card. */
  group?: string;
  /** The unit of a number: "seconds", "percent" … */
  unit?: string;
}

/** Resolve a reference, with the members beside the reference. */
export function resolved(schema: Schema, root: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  const target = root.$defs?.[$ref.split("/").at(-1)!];
  return target ? { ...resolved(target, root), ...beside } : beside;
}

/** Return the field of a schema. */
export function fieldOf(source: Schema, root: Schema): Field {
  const schema = resolved(source, root);
  const open = (schema.anyOf ?? []).map((branch) => resolved(branch, root));
  const nullable = open.some((branch) => branch.type === "null");
  const branches = open.filter((branch) => branch.type !== "null");
  const inner = branches.length === 1 ? fieldOf(branches[0]!, root) : undefined;
  const collection = schema["x-collection"] ?? inner?.collection;
  const group = schema["x-group"] ?? inner?.group;
  return {
    shape: inner?.shape ?? shapeOf({ ...schema, ...(open.length > 0 && { anyOf: branches }) }, root),
    kind: schema["x-kind"] ?? inner?.kind ?? "",
    nullable: nullable || (inner?.nullable ?? false),
    title: schema.title ?? inner?.title ?? "",
    description: schema.description ?? inner?.description ?? "",
    fallback: schema.default ?? undefined,
    ...(collection !== undefined && { collection }),
    ...(group !== undefined && { group }),
    ...(schema["x-unit"] !== undefined && { unit: schema["x-unit"] }),
  };
}

function shapeOf(schema: Schema, root: Schema): Shape {
  const { discriminator, anyOf } = schema;
  if (discriminator) {
    const variants = Object.entries(discriminator.mapping).map(([name, $ref]) => ({ name, schema: resolved({ $ref }, root) }));
    return { is: "union", by: discriminator.propertyName, variants };
  }
  if (anyOf && anyOf.length > 1) return { is: "name" };
  if (schema.properties) {
    return { is: "object", properties: Object.entries(schema.properties), required: schema.required ?? [] };
  }
  if (schema.prefixItems) return { is: "tuple", items: schema.prefixItems };
  if (schema.items) {
    return { is: "list", item: schema.items, fewest: schema.minItems ?? 0, most: schema.maxItems ?? 1000 };
  }
  if (typeof schema.additionalProperties === "object") {
    return { is: "map", key: schema.propertyNames ?? {}, item: schema.additionalProperties, most: schema.maxItems ?? 100 };
  }
  if (schema.enum) return { is: "enum", values: schema.enum, labels: schema["x-labels"] ?? {} };
  if (schema.type === "boolean") return { is: "flag" };
  if (schema.type === "integer") return { is: "number", ...bounds(schema) };
  if (schema.type === "object") return { is: "params" };
  const limit = schema.maxLength;
  // A pattern that forbids line breaks asks for one line.
  return { is: "text", long: (limit ?? 0) > 200 && schema.pattern === undefined, ...textBounds(schema) };
}

function bounds({ minimum, maximum }: Schema): { from?: number; to?: number } {
  return { ...(minimum !== undefined && { from: minimum }), ...(maximum !== undefined && { to: maximum }) };
}

function textBounds({ maxLength, pattern }: Schema): { most?: number; pattern?: string } {
  return { ...(maxLength !== undefined && { most: maxLength }), ...(pattern !== undefined && { pattern }) };
}

/** Find the variant of a value of a union; none before a choice. */
export function variantOf(shape: Shape & { is: "union" }, value: unknown): Variant | undefined {
  const name = isObject(value) ? value[shape.by] : undefined;
  return shape.variants.find((variant) => variant.name === name);
}

/** Return the name of a variant: the label of its only value, or its title. */
export function labelOf(variant: Variant, by: string): Phrase {
  const label = variant.schema.properties?.[by]?.["x-labels"]?.[variant.name];
  const title = variant.schema.title ?? variant.name;
  return label ?? { en: title, fr: title };
}

/** Return the start value of a new member or item; undefined: no value. */
export function startOf(schema: Schema, root: Schema): unknown {
  const { shape } = fieldOf(schema, root);
  if (shape.is === "flag") return false;
  if (shape.is === "list") return Array.from({ length: Math.min(shape.fewest, 1) }, () => startOf(shape.item, root));
  if (shape.is === "tuple") return shape.items.map((item) => startOf(item, root));
  if (shape.is === "map" || shape.is === "params") return {};
  if (shape.is === "enum" && shape.values.length === 1) return shape.values[0];
  if (shape.is === "object") return startOfObject(shape, root);
  return undefined;
}

/** Return the start value of a variant of a union. */
export function begunAs(variant: Variant, by: string, root: Schema): Record<string, unknown> {
  const begun = startOf(variant.schema, root);
  return { ...(isObject(begun) ? begun : {}), [by]: variant.name };
}

/** Return the required members of a new object with their start values. */
export function startOfObject(shape: Shape & { is: "object" }, root: Schema): Record<string, unknown> {
  const begun = shape.properties
    .filter(([name]) => shape.required.includes(name))
    .map(([name, schema]) => [name, startOf(schema, root)] as const);
  return Object.fromEntries(begun.filter(([, value]) => value !== undefined));
}

/** Find missing required values: JSON pointers. */
export function missing(schema: Schema, root: Schema, value: unknown, at = "", only?: readonly string[]): string[] {
  const { shape, nullable } = fieldOf(schema, root);
  if (value === undefined || value === null) return nullable && value === null ? [] : [at];
  if (shape.is === "object") return missingMembers(shape, root, value, at, only);
  if (shape.is === "list" && Array.isArray(value)) {
    const within = value.flatMap((item, index) => missing(shape.item, root, item, `${at}/${index}`));
    return value.length < shape.fewest ? [at, ...within] : within;
  }
  if (shape.is === "tuple") {
    const all = Array.isArray(value) ? value : [];
    return shape.items.flatMap((item, index) => missing(item, root, all[index], `${at}/${index}`));
  }
  if (shape.is === "map" && isObject(value)) {
    return Object.entries(value).flatMap(([key, item]) => missing(shape.item, root, item, `${at}/${escaped(key)}`));
  }
  if (shape.is === "union") {
    const variant = variantOf(shape, value);
    return variant ? missing(variant.schema, root, value, at) : [at];
  }
  return shape.is === "text" && value === "" ? [at] : [];
}

function missingMembers(shape: Shape & { is: "object" }, root: Schema, value: unknown, at: string, only?: readonly string[]): string[] {
  const members = isObject(value) ? value : {};
  return shape.properties
    .filter(([name]) => !only || only.includes(name))
    .filter(([name]) => shape.required.includes(name) || (members[name] !== undefined && members[name] !== null))
    .flatMap(([name, schema]) => missing(schema, root, members[name], `${at}/${escaped(name)}`));
}

/** Escape a member's name for a JSON pointer (RFC 6901). */
export function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

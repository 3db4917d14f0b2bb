// Files of keys, and the browser's ability to store them.
import { session, type Credential } from "../game/session.svelte";

/** Tell if the browser stores data: a private window or a setting may forbid it. */
export function keepsKeys(): boolean {
  try {
    localStorage.setItem("mabligop-try", "1");
    localStorage.removeItem("mabligop-try");
    return true;
  } catch {
    return false;
  }
}

/** Return all keys of this device as the text of a file. */
export function keysAsText(): string {
  return JSON.stringify({ mabligop: "keys", keys: session.games().flat() }, null, 2);
}

/** Store the keys of a file. Returns their number; 0 for other files. */
export function keepKeys(text: string): number {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return 0;
  }
  const keys = isRecord(content) && Array.isArray(content.keys) ? content.keys.filter(isCredential) : [];
  for (const key of keys) session.keep(key);
  return keys.length;
}

const TABLE = "mabligop-table";

/** The last game on this device, and its players. */
export interface Table {
  rulebook: string;
  names: string[];
}

export function keepTable(table: Table): void {
  localStorage.setItem(TABLE, JSON.stringify(table));
}

export function lastTable(): Table | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(TABLE) ?? "null");
    if (!isRecord(stored) || typeof stored.rulebook !== "string" || !Array.isArray(stored.names)) return null;
    return { rulebook: stored.rulebook, names: stored.names.filter((name) => typeof name === "string") };
  } catch {
    return null;
  }
}

function isCredential(value: unknown): value is Credential {
  if (!isRecord(value)) return false;
  const texts = ["game", "token", "rulebook", "title"].every((name) => typeof value[name] === "string" && value[name] !== "");
  const seated = value.role === "player" ? typeof value.seat === "string" : value.role === "banker" || value.role === "spectator";
  // A token names its game: a key placed beside another game opens nothing.
  return texts && seated && (value.token as string).startsWith(`${value.game as string}.`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

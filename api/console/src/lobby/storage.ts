// Files of keys, and whether this browser keeps anything.
import { session, type Credential } from "../game/session.svelte";

/** Whether what is written stays: a private window or a setting may forbid it. */
export function keepsKeys(): boolean {
  try {
    localStorage.setItem("mabligop-try", "1");
    localStorage.removeItem("mabligop-try");
    return true;
  } catch {
    return false;
  }
}

/** All keys of this device as the text of a file. */
export function keysAsText(): string {
  return JSON.stringify({ mabligop: "keys", keys: session.games().flat() }, null, 2);
}

/** Keep the keys of such a file. Gives how many there were; 0 if it is no such file. */
export function keepKeys(text: string): number {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return 0;
  }
  const keys = isRecord(found) && Array.isArray(found.keys) ? found.keys.filter(isCredential) : [];
  for (const key of keys) session.keep(key);
  return keys.length;
}

const TABLE = "mabligop-table";

/** What was played last on this device, and by whom. */
export interface Table {
  rulebook: string;
  names: string[];
}

export function keepTable(table: Table): void {
  localStorage.setItem(TABLE, JSON.stringify(table));
}

export function lastTable(): Table | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(TABLE) ?? "null");
    if (!isRecord(kept) || typeof kept.rulebook !== "string" || !Array.isArray(kept.names)) return null;
    return { rulebook: kept.rulebook, names: kept.names.filter((name) => typeof name === "string") };
  } catch {
    return null;
  }
}

function isCredential(one: unknown): one is Credential {
  if (!isRecord(one)) return false;
  const texts = ["game", "token", "rulebook", "title"].every((name) => typeof one[name] === "string" && one[name] !== "");
  const seated = one.role === "player" ? typeof one.seat === "string" : one.role === "banker" || one.role === "spectator";
  // A token names its game: a key that was put beside another game opens nothing.
  return texts && seated && (one.token as string).startsWith(`${one.game as string}.`);
}

function isRecord(one: unknown): one is Record<string, unknown> {
  return typeof one === "object" && one !== null && !Array.isArray(one);
}

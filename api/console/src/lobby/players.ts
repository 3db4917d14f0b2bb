// Seats of a new game: their ids come from the players' names.

/** Words that the service keeps for those who are no players. */
const KEPT = ["banker", "system", "spectator"];

/** An id for each name: "Chloé" → "chloe"; a second Ana is "ana2". Ids never change after a game was made. */
export function idsOf(names: readonly string[]): string[] {
  const used = new Set<string>(KEPT);
  return names.map((name, at) => {
    const plain = plainOf(name) || `seat${at + 1}`;
    let id = plain;
    for (let number = 2; used.has(id); number++) id = `${plain}${number}`;
    used.add(id);
    return id;
  });
}

function plainOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 30);
  // An id begins with a letter, so that it is never read as a number.
  return /^[a-z]/.test(plain) ? plain : plain && `s_${plain}`;
}

/** Two names that nobody could tell apart. */
export function hasTwins(names: readonly string[]): boolean {
  const plain = names.map((name) => name.trim().toLocaleLowerCase()).filter(Boolean);
  return new Set(plain).size < plain.length;
}

// The seats of a new game: ids from the players' names.

/** The length of the longest id. */
const LONGEST = 20;

/** Words reserved by the service for others than players. */
const KEPT = ["banker", "system", "spectator", "bank", "all", "none"];

/**
 * Build an id for each name: "Chloé" → "chloe"; a second Ana is "ana2". Ids never change after the creation of a game.
 */
export function idsOf(names: readonly string[]): string[] {
  const used = new Set<string>(KEPT);
  return names.map((name, at) => {
    const plain = plainOf(name) || `seat${at + 1}`;
    let id = plain;
    for (let number = 2; used.has(id); number++) id = `${plain.slice(0, LONGEST - String(number).length)}${number}`;
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
    .replace(/^_+|_+$/g, "");
  // An id begins with a letter, so that no id reads as a number.
  return (/^[a-z]/.test(plain) ? plain : plain && `s_${plain}`).slice(0, LONGEST);
}

/** Give each name the letter of its token, as the service will: its first free letter, else the next one of the alphabet. */
export function lettersOf(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    const latin = name.normalize("NFKD").toUpperCase().replace(/[^A-Z]/g, "");
    const letter = name.trim() === "" ? "" : ([...latin, ...ALPHABET].find((candidate) => !used.has(candidate)) ?? "?");
    used.add(letter);
    return letter;
  });
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

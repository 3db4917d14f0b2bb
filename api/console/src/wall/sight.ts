// How large the letters of a wall are: capitals of twenty minutes of arc, from a distance, on a screen of a diagonal.

export interface Sight {
  metres: number;
  inches: number;
}
export const DISTANCES = [1.5, 2, 2.5, 3, 3.5, 4, 5, 6] as const;
export const DIAGONALS = [24, 27, 32, 40, 43, 50, 55, 65, 75, 85] as const;
const NAME = "mabligop-wall";
const USUAL: Sight = { metres: 3, inches: 40 };
/** Hundredths of the height of a screen of 16 : 9, for a capital of 0.716 of a letter, of 20′. */
const SHARE = 65.3;
/** Larger letters leave no room, smaller ones are no letters of a wall. */
const [LEAST, MOST] = [2, 7];

/** Return the size of a letter in hundredths of the shorter side of the screen. */
export function lettersFor({ metres, inches }: Sight): number {
  return Math.min(MOST, Math.max(LEAST, Math.round((SHARE * metres * 100) / inches) / 100));
}

/** Return the size as a length of CSS: on an upright or a nearly square screen as large as its longer side allows. */
export function lengthFor(sight: Sight): string {
  const letters = lettersFor(sight);
  return `min(${letters}vmin, ${Number(((letters * 9) / 16).toFixed(2))}vmax)`;
}

/** Read the sight that somebody chose on this device. */
export function storedSight(): Sight {
  try {
    const { metres, inches } = JSON.parse(localStorage.getItem(NAME) ?? "{}") as Partial<Sight>;
    return Number(metres) > 0 && Number(inches) > 0 ? { metres: Number(metres), inches: Number(inches) } : USUAL;
  } catch {
    return USUAL;
  }
}

export function storeSight(sight: Sight): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(sight));
  } catch {
    // Without a storage the choice lasts as long as the page.
  }
}

/** Give the page the letters of a wall. Returns the function that takes them away. */
export function enlarge(sight: Sight): () => void {
  const { style } = document.documentElement;
  style.fontSize = lengthFor(sight);
  return () => (style.fontSize = "");
}

// Quotations, and French names behind "de" and "à". Loaded with the pages that use them.
import { speaking } from "./language.svelte";

/** Return somebody's own words in quotation marks. */
export function quoted(text: string): string {
  return speaking.now === "fr" ? `«\u00a0${text}\u00a0»` : `“${text}”`;
}

/** Return a French name behind "de": "de Bob", "d'Ana", "du mur". */
export function de(name: string): string {
  if (name.startsWith("le ")) return `du ${name.slice(3)}`;
  if (name.startsWith("les ")) return `des ${name.slice(4)}`;
  return /^[aeiouœæ]/i.test(name.normalize("NFD")) ? `d'${name}` : `de ${name}`;
}

/** Return a French name behind "à": "à Ana", "au banquier". */
export function au(name: string): string {
  return name.startsWith("le ") ? `au ${name.slice(3)}` : name.startsWith("les ") ? `aux ${name.slice(4)}` : `à ${name}`;
}

// The language of the page. Texts stand beside their pages, each file with `en` and `fr`.
import type { Language, Phrase } from "../api/types";

const KEPT = "mabligop-language";

class Speaking {
  now = $state<Language>(first());

  set(language: Language): void {
    this.now = language;
    document.documentElement.lang = language;
    try {
      localStorage.setItem(KEPT, language);
    } catch {
      // Without a storage the choice lasts as long as the page.
    }
  }
}

function first(): Language {
  try {
    const stored = localStorage.getItem(KEPT);
    if (stored === "en" || stored === "fr") return stored;
  } catch {
    // No storage: the browser's language.
  }
  return navigator.language.startsWith("fr") ? "fr" : "en";
}

export const speaking = new Speaking();
document.documentElement.lang = speaking.now;

/**
 * Combine texts in both languages; the French have the shape of the English. `const t = texts(en, fr)`; then
 * `t().title` is read in markup and follows a switch.
 */
export function texts<T>(en: T, fr: NoInfer<Loose<T>>): () => Loose<T> {
  let french: Loose<T> | undefined;
  return () => (speaking.now === "fr" ? (french ??= typeset(fr)) : (en as Loose<T>));
}

/** Return French texts with the spaces that keep a sign with its word: "Pourquoi ?", "12 %", "« Sièges »". */
function typeset<T>(part: T): T {
  if (typeof part === "string") return part.replace(/ (?=[:;!?%»])|(?<=«) /g, "\u00a0") as T;
  if (typeof part === "function") return ((...values: unknown[]) => typeset(part(...values) as string)) as T;
  if (Array.isArray(part)) return part.map(typeset) as T;
  if (!part || typeof part !== "object") return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, typeset(value)])) as T;
}

/** The same shape with any text in place of the English texts. */
type Loose<T> = T extends string
  ? string
  : T extends (...parameters: infer A) => string
    ? (...parameters: A) => string
    : { [K in keyof T]: Loose<T[K]> };

/** Return the text of an API phrase in the page's language. */
export function translate(phrase: Phrase): string {
  return phrase[speaking.now];
}

/** Format a whole number with the language's separators. */
export function figure(number: number): string {
  return new Intl.NumberFormat(speaking.now).format(number);
}

/** Return a count with its noun: "1 line", "21 lines"; none is singular in French. */
export function counted(count: number, singular: string, plural: string): string {
  const isSingular = speaking.now === "fr" ? count < 2 : count === 1;
  return `${figure(count)} ${isSingular ? singular : plural}`;
}

/** Return a text behind its label: "Ana: roll", "Ana : lancer". */
export function labelled(label: string, text: string): string {
  return `${label}${speaking.now === "fr" ? "\u00a0" : ""}: ${text}`;
}

/** Format the time of day of an instant (RFC 3339), in the device's time zone. */
export function timeOf(instant: string): string {
  return new Intl.DateTimeFormat(speaking.now, { hour: "2-digit", minute: "2-digit" }).format(new Date(instant));
}

/** Format date and time of an instant. */
export function dateOf(instant: string): string {
  return new Intl.DateTimeFormat(speaking.now, { dateStyle: "medium", timeStyle: "short" }).format(new Date(instant));
}

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
  return () => (speaking.now === "fr" ? fr : (en as Loose<T>));
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

/** Format the time of day of an instant (RFC 3339), in the device's time zone. */
export function timeOf(instant: string): string {
  return new Intl.DateTimeFormat(speaking.now, { hour: "2-digit", minute: "2-digit" }).format(new Date(instant));
}

/** Format date and time of an instant. */
export function dateOf(instant: string): string {
  return new Intl.DateTimeFormat(speaking.now, { dateStyle: "medium", timeStyle: "short" }).format(new Date(instant));
}

// Every text of the pages, in both languages: words of the glossary, no words of the code, French as it is written.
import { afterAll, describe, expect, test } from "vitest";
import glossary from "./glossary.json";
import { counted, labelled, speaking } from "./language.svelte";
import { au, de, quoted } from "./quoting";

const files = import.meta.glob<Record<string, unknown>>(["../**/texts.ts", "../**/*Texts.ts", "!../**/*.test.ts"], { eager: true });
const LANGUAGES = ["en", "fr"] as const;
type Language = (typeof LANGUAGES)[number];

const COUNTS = [0, 1, 2, 21];

/** What parameters of texts are: counts, names, lists of names, figures by name. */
const VALUES = [...COUNTS, "Ana", "le mur", ["Ana"], { restated: 0, voided: 1, inserted: 2 }];

/** Yield each text of a part with its place; of a function the texts for every value that it can take. */
function* textsOf(part: unknown, place: string): Generator<[string, string]> {
  if (typeof part === "string") yield [place, part];
  else if (typeof part === "function") {
    const results = VALUES.flatMap((value) => written(part as (...values: unknown[]) => unknown, value));
    if (results.length === 0) throw new Error(`${place} takes none of the values`);
    for (const text of new Set(results)) yield [place, text];
  } else if (part && typeof part === "object") for (const [name, inner] of Object.entries(part)) yield* textsOf(inner, `${place}.${name}`);
}

function written(part: (...values: unknown[]) => unknown, value: unknown): string[] {
  try {
    const text = String(part(...Array.from({ length: Math.max(1, part.length, 3) }, () => value)));
    return /NaN|object Object/.test(text) && typeof value !== "number" ? [] : [text];
  } catch {
    return [];
  }
}

function all(language: Language): [string, string][] {
  speaking.set(language);
  return Object.entries(files).flatMap(([file, members]) =>
    Object.entries(members).flatMap(([name, member]) =>
      name.endsWith("exts") && typeof member === "function" ? [...textsOf((member as () => unknown)(), `${file} ${name}`)] : [],
    ),
  );
}

const texts = { en: all("en"), fr: all("fr") };
afterAll(() => speaking.set("en"));

const among = (words: readonly string[]): RegExp => new RegExp(`(?<![\\p{L}\\p{N}'-])(${words.join("|")})(?![\\p{L}\\p{N}])`, "iu");
/** Texts around a sum, a date or a seat: no name of a thing stands there. */
const FIGURES = /\.(between|joined|created|lead|openUntil|until|ownedBy|has|pays?|turn|forkWhy|full|fewer):/;
const faults = (language: Language, wrong: (text: string) => boolean): string[] =>
  texts[language].filter(([, text]) => wrong(text)).map(([place, text]) => `${place}: ${text}`).filter((fault) => !FIGURES.test(fault) || !/Ana|le mur/.test(fault));

/** Small words that occur in the one language alone. */
const ONLY = {
  en: among(["the", "and", "is", "are", "of", "with", "this", "that", "you", "your", "was", "nothing", "which"]),
  fr: among(["le", "les", "des", "est", "sont", "avec", "vous", "votre", "cette", "rien", "une", "pas"]),
};

describe.each(LANGUAGES)("%s", (language) => {
  test("there are texts", () => expect(texts[language].length).toBeGreaterThan(700));

  test("no word of the code", () =>
    expect(faults(language, (text) => /\b(null|undefined|None|NaN|object Object|JSON|\w+_\w+)\b/.test(text))).toEqual([]));

  test.each(Object.entries(glossary))("one word for %s", (_, term) => {
    const forbidden = term.not[language];
    expect(forbidden.length === 0 ? [] : faults(language, (text) => among(forbidden).test(text))).toEqual([]);
  });

  test("no word of the other language", () =>
    expect(faults(language, (text) => ONLY[language === "en" ? "fr" : "en"].test(text.replaceAll("le mur", "")))).toEqual([]));
});

describe("French as it is written", () => {
  test("a space that does not break stands before : ; ! ? % » and behind «", () =>
    expect(faults("fr", (text) => /[^\s\u00a0\d!?][;!?»](\s|$)|\p{L}:(\s|$)| [:;!?%»]|«[^\u00a0]/u.test(text))).toEqual([]));

  test("quotation marks are « and »", () => expect(faults("fr", (text) => /[“”"]/.test(text))).toEqual([]));

  test("de, que and the like are shortened before a vowel", () =>
    expect(faults("fr", (text) => /(?<![\p{L}'-])(de|que|le|la|je|ne|se) [aeiouâéèêîô]/iu.test(text))).toEqual([]));

  test("à and le are one word", () => expect(faults("fr", (text) => /(?<!\p{L})(à|de) le mur/iu.test(text))).toEqual([]));
});

describe("helpers of texts", () => {
  test.each([
    ["en", ["0 lines", "1 line", "2 lines", "21 lines", "1,240 lines"]],
    ["fr", ["0 line", "1 line", "2 lines", "21 lines", "1\u202f240 lines"]],
  ] as const)("counts in %s", (language, expected) => {
    speaking.set(language);
    expect([...COUNTS, 1240].map((count) => counted(count, "line", "lines"))).toEqual(expected);
  });

  test("names behind de and à", () => {
    expect(["Bob", "Ana", "Élodie", "le mur", "les autres", "la banque"].map(de)).toEqual(["de Bob", "d'Ana", "d'Élodie", "du mur", "des autres", "de la banque"]);
    expect(["Bob", "le mur", "les autres", "la banque"].map(au)).toEqual(["à Bob", "au mur", "aux autres", "à la banque"]);
  });

  test("labels and quotations", () => {
    speaking.set("en");
    expect([labelled("Ana", "roll"), quoted("no rent")]).toEqual(["Ana: roll", "“no rent”"]);
    speaking.set("fr");
    expect([labelled("Ana", "lancer"), quoted("sans loyer")]).toEqual(["Ana\u00a0: lancer", "«\u00a0sans loyer\u00a0»"]);
  });
});

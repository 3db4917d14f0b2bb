// Finding rules in the register.
import type { Rule } from "../api/types";

/** A text without accents and capitals, to compare it. */
export function folded(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** The rules of a category that have every word in number, title or text; a whole number alone finds that rule first. */
export function matching(rules: readonly Rule[], words: string, category: string): Rule[] {
  const terms = folded(words).split(/\s+/).filter(Boolean);
  const matches = rules.filter((rule) => {
    if (category !== "" && rule.category !== category) return false;
    const text = folded(`${rule.id} ${rule.title} ${rule.requires} ${rule.decision}`);
    return terms.every((word) => text.includes(word));
  });
  const exact = matches.findIndex((rule) => folded(rule.id) === terms.join(" "));
  return exact > 0 ? [matches[exact]!, ...matches.toSpliced(exact, 1)] : matches;
}

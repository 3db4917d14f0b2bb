// The search in the register of rules.
import type { Rule } from "../api/types";

/** Fold a text for comparison: without accents and capitals. */
export function folded(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** Find the rules of a category with every word in number, title or text; an exact number comes first. */
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

// Amounts as people write them: "120", "3*40", "1k", "100+20".

/** Compute the whole number of a sum; null if the text is no sum. */
export function sumOf(text: string): number | null {
  const plain = text.replace(/[\s\u00a0\u202f_'’]/g, "").replace(/−/g, "-").replace(/×/g, "*");
  const match = /^(-?)(.+?)(k?)$/i.exec(plain);
  if (!match) return null;
  const terms = match[2]!.split(/(?=[+-])/);
  let total = 0;
  for (const [at, term] of terms.entries()) {
    const sign = term.startsWith("-") || (at === 0 && match[1] === "-") ? -1 : 1;
    const product = productOf(term.replace(/^[+-]/, ""));
    if (product === null || (at === 0 && /^[+-]/.test(term))) return null;
    total += sign * product;
  }
  if (match[3]) total *= 1000;
  return Number.isSafeInteger(total) ? total : null;
}

function productOf(term: string): number | null {
  if (!/^\d+([*/]\d+)*$/.test(term)) return null;
  const [first, ...factors] = term.split(/(?=[*/])/);
  let product = Number(first);
  for (const factor of factors) {
    const number = Number(factor.slice(1));
    product = factor.startsWith("*") ? product * number : product / number;
  }
  return Number.isFinite(product) ? product : null;
}

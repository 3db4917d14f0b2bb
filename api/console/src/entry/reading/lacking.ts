// The missing values of a complete action: dice and cards that the service asks for in a preview. Pure.
import { filled as filledEdit } from "../../api/needs";
import type { ActionRequest } from "../../api/types";
import { throwOf, wordsOf, type Item } from "./lexer";
import { cardsNamed } from "./match";
import { index } from "./naming";
import type { Filled, Lack, Scene, Want } from "./scene";

/** Fill the missing values of an action from the items; null if an item is left over or fits nothing. */
export function fillNeeds(
  request: ActionRequest,
  lacks: Lack[],
  items: Item[],
  scene: Scene,
): { request: ActionRequest; wants: Want[]; filled: Filled[] } | null {
  const lack = lacks[0];
  if (lack === undefined) return null;
  const values: (number | string)[] = [];
  const filled: Filled[] = [];
  let at = 0;
  while (at < items.length && values.length < lack.count) {
    const item = items[at]!;
    if (item.kind === "plus") {
      at++;
      continue;
    }
    const dice = item.kind === "number" && lack.kind === "die" ? throwOf(item.norm, lack.count - values.length, 99) : null;
    if (dice) {
      values.push(...dice);
      filled.push({ kind: "dice", text: dice.join(" "), value: dice });
      at++;
      continue;
    }
    const card = cardAt(items, at, lack, scene);
    if (card === null) return null;
    values.push(card.id);
    filled.push({ kind: "name", text: index(scene.names, "card").get(card.id)?.[0] ?? card.id, value: card.id });
    at = card.to;
  }
  if (at < items.length && values.length < lack.count) return null;
  const wants = values.length < lack.count ? [{ kind: lack.kind === "die" ? "dice" : "cards", word: lack.label, given: values.length }] : [];
  if (values.length === 0) return { request, wants, filled };
  const whole = { ...request, params: filledEdit(lack.edit, lack.at, values).params as Record<string, unknown> };
  const further = wants.length === 0 ? scene.needs?.[JSON.stringify(whole)] : undefined;
  if (further === undefined) return at < items.length ? null : { request: whole, wants, filled };
  const remainder = fillNeeds(whole, further, items.slice(at), scene);
  return remainder && { ...remainder, filled: [...filled, ...remainder.filled] };
}

function cardAt(items: Item[], at: number, lack: Lack, scene: Scene): { id: string; to: number } | null {
  for (let to = Math.min(items.length, at + 6); to > at; to--) {
    const typed = items.slice(at, to).flatMap((item) => wordsOf(item.norm));
    const matches = typed.length > 0 ? cardsNamed(scene, typed, lack.deck) : [];
    if (matches.length > 0) return { id: matches[0]!, to };
  }
  return null;
}

// What the keys x, d, e, i do with the line that is focused or pointed at.
import type { Entry } from "../api/types";
import type { Game } from "../game/game.svelte";
import type { View } from "../game/view.svelte";
import { announcer } from "../ui/announcer.svelte";
import { keys } from "../ui/keys.svelte";
import { journalTexts as t } from "./texts";

/** Add the keys as long as the calling component is in the page. `target` gives the line that they are about. */
export function lineKeys(game: Game, view: View, target: () => Entry | undefined): void {
  const pick = (): void => {
    const line = target();
    if (!line) return;
    view.pick(line.action);
    announcer.say(view.picked.has(line.action) ? t().picked(line.action) : t().unpicked(line.action));
  };
  if (!game.isBanker) return;
  keys.use([{ key: "x", does: () => t().pick, run: pick }]);
}

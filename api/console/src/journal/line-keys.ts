// The keys x, d, e, i on the focused or pointed line: they build a correction's draft.
import { correctedBy } from "../game/places";
import type { Entry } from "../api/types";
import { theDraft } from "../correct/draft.svelte";
import type { Game } from "../game/game.svelte";
import type { View } from "../game/view.svelte";
import { pathOf, router } from "../router.svelte";
import { announcer } from "../ui/announcer.svelte";
import { keys } from "../ui/keys.svelte";
import { deskJournalTexts } from "./deskTexts";

/** Replace a line in the draft, and go there. A correction is amended. */
export function correctLine(game: Game, line: Entry): void {
  const draft = theDraft(game);
  if (correctedBy(line) !== null && typeof line.action === "number") draft.amend(line.action);
  else draft.replace(line.action);
  router.go(pathOf(game.id, "correct"));
}

/** Add the keys as long as the calling component is in the page. `target` gives their line. */
export function lineKeys(game: Game, view: View, target: () => Entry | undefined): void {
  if (!game.isBanker) return;
  const draft = theDraft(game);
  const on = (run: (line: Entry) => void) => (): void => {
    const line = target();
    if (line) run(line);
  };
  keys.use([
    {
      key: "x",
      does: () => deskJournalTexts().pick,
      run: on((line) => {
        view.pick(line.action);
        announcer.say(view.picked.has(line.action) ? deskJournalTexts().picked(line.action) : deskJournalTexts().unpicked(line.action));
      }),
    },
    {
      key: "d",
      does: () => deskJournalTexts().drop,
      run: on((line) => {
        draft.drop(line.action);
        announcer.say(deskJournalTexts().dropped(line.action));
      }),
    },
    { key: "e", does: () => deskJournalTexts().edit, run: on((line) => correctLine(game, line)) },
    {
      key: "i",
      does: () => deskJournalTexts().insert,
      run: on((line) => {
        draft.insertAfter(line.action);
        router.go(pathOf(game.id, "correct"));
      }),
    },
  ]);
}

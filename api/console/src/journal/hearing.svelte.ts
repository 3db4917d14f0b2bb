// The announcements of the game for a screen reader: new lines politely, the player's turn at once.
import { onMount } from "svelte";
import type { Entry } from "../api/types";
import type { Game } from "../game/game.svelte";
import type { View } from "../game/view.svelte";
import { translate } from "../i18n/language.svelte";
import { announcer } from "../ui/announcer.svelte";
import { journalTexts as t } from "./texts";

const TOGETHER_MS = 1000;
const MOST = 3;

/** Sum up the lines of a second: their sentences, or their number and the last sentence. */
export function summedUp(lines: readonly Entry[], sentenceOf: (line: Entry) => string): string {
  if (lines.length <= MOST) return lines.map(sentenceOf).join(" ");
  return t().more(lines.length, sentenceOf(lines.at(-1)!));
}

/** Announce new lines, and moves due from the player, as long as the calling component is in the page. */
export function hear(game: Game, view: View): void {
  // Covered lines are not read out either.
  const sentenceOf = (line: Entry): string =>
    view.covered ? t().newLine(line.action) : line.sentence;
  onMount(() => {
    let lines: Entry[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = game.entries.listen((line) => {
      lines.push(line);
      timer ??= setTimeout(() => {
        announcer.say(summedUp(lines, sentenceOf));
        lines = [];
        timer = undefined;
      }, TOGETHER_MS);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  });

  const due = $derived(game.me === null ? undefined : game.due.find((candidate) => candidate.seat === game.me)?.move);
  const dueId = $derived(due ? due.id : null);
  let previous: string | null | undefined;
  // The move is no longer due: nothing in the page says so any more.
  let takeBack: (() => void) | undefined;
  $effect(() => {
    // A move due at the opening of the page is there to read; later due moves are announced.
    const [current, move] = [dueId, due];
    if (game.state === null) return;
    if (current === previous) return;
    takeBack?.();
    takeBack = previous !== undefined && move ? announcer.during(t().yourTurn(translate(move.label))) : undefined;
    previous = current;
  });
}

// Commands without effect on the game: show another page, another moment, or cover the page.
import type { Game } from "../game/game.svelte";
import { accountOf, moneyOf } from "../game/names";
import { frameTexts } from "../frame/texts";
import type { View } from "../game/view.svelte";
import { pages } from "../pages";
import { pathOf, router } from "../router.svelte";
import { keys } from "../ui/keys.svelte";
import type { Command } from "./reading/commands";
import { plain } from "./reading/lexer";

/** Carry out such a command. Returns false for any other command. */
export function obey(command: Command, game: Game, view: View): boolean {
  if (command.does === "go") {
    toDesk(game);
    void view.pin(/^\d+$/.test(command.line) ? Number(command.line) : command.line);
  } else if (command.does === "open") {
    const page = pageNamed(command.page);
    if (page === undefined) return false;
    router.go(pathOf(game.id, page));
    // The keys of the page act outside fields only.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  } else if (command.does === "where") {
    const square = game.state?.display.tokens.find((token) => token.seat === command.seat)?.place;
    if (square === undefined) return false;
    view.now();
    toDesk(game);
    view.sought = square;
  } else if (command.does === "find") router.go(pathOf(game.id, "journal", { q: command.words }));
  else if (command.does === "why") {
    const money = moneyOf(game.names);
    const account = accountOf(game.state, game.names, command.seat);
    router.go(pathOf(game.id, "why", { account, ...(money !== null && { commodity: money }) }));
  } else if (command.does === "cover") press("F8");
  else if (command.does === "help") press("?");
  else return false;
  return true;
}

function press(key: string): void {
  keys.all.find((candidate) => candidate.key === key)?.run?.(new KeyboardEvent("keydown", { key }));
}

/** Find a page of the banker by the beginning of its name. */
export function pageNamed(word: string): string | undefined {
  const named = Object.entries(frameTexts().names).filter(([page]) => pages[page]?.roles.includes("banker"));
  return named.find(([page, name]) => page.startsWith(word) || plain(name).startsWith(word))?.[0];
}

/** Go to the desk, the only page with the board. */
function toDesk(game: Game): void {
  if (router.route.page !== "desk") router.go(pathOf(game.id, "desk"));
}

/** Open a line of the journal over the page. */
export function openLine(action: string): void {
  router.go(`${location.pathname}${location.search}#${action}`);
}

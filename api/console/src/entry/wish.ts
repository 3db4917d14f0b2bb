// The wish of Enter: an action, an undo, a correction. Each wish can be previewed, and performed with one key twice.
import { data } from "../api/client";
import { isAhead } from "../api/problems";
import type { ActionRequest, Effect, Entry, Preview, Way } from "../api/types";
import { isLeftToChance } from "../game/chance";
import type { Game } from "../game/game.svelte";

/** The preview before Enter. */
export interface WishPreview {
  /** The version of the game behind the preview. */
  version: number;
  sentences: string[];
  /** The steps of the game that would come first, so that the action fits. */
  settled: string[];
  /** The number of steps that would come first because their time is over. */
  late: number;
  /** True if the service throws or draws with the action: the result is unknown before. */
  ahead: boolean;
  /** Actions that would no longer count. */
  falls: string[];
  needs: string[];
  effects: Effect[];
  rules: string[];
  warnings: string[];
  ways: Way[];
  /** Names for the effects, if new. */
  accounts: Record<string, string>;
  /** The entry of the dry run, if the wish is an action. */
  entry: Entry | null;
}

const EMPTY: WishPreview = { version: 0, sentences: [], settled: [], late: 0, ahead: false, falls: [], needs: [], effects: [], rules: [], warnings: [], ways: [], accounts: {}, entry: null };

export interface Wish {
  /** The key of the wish: equal wishes have equal keys. */
  key: string;
  /** True if the action asks for confirmation. */
  final: boolean;
  kind: string;
  /** The action, if the wish is one: its key stores the service's needs. */
  request: ActionRequest | null;
  preview(signal: AbortSignal): Promise<WishPreview>;
  perform(how: { key: string; version: number }): Promise<string>;
}

export function actionWish(game: Game, request: ActionRequest, final: boolean): Wish {
  return {
    key: JSON.stringify(request),
    final,
    kind: request.kind,
    request,
    preview: async (signal) => {
      const ahead = { ...EMPTY, version: game.version, ahead: true };
      if (isLeftToChance(game.moves, request)) return ahead;
      try {
        return shownOf(await game.preview(request, signal));
      } catch (fault) {
        if (!isAhead(fault)) throw fault;
        return { ...ahead, version: game.version };
      }
    },
    perform: async (how) => (await game.act(request, how)).sentence,
  };
}

/** Build the undo of the newest action in force, or the redo of the last undone action. */
export function undoWish(game: Game, direction: "undo" | "redo", reason: string, action?: number): Wish {
  const body = { reason, cascade: "restate" as const, ...(action !== undefined && { action }) };
  return correcting(game, direction, JSON.stringify([direction, body]), body);
}

export function correctionWish(game: Game, edits: Record<string, unknown>[], reason: string): Wish {
  const body = { edits, reason, cascade: "restate" as const };
  return correcting(game, "corrections", JSON.stringify(["corrections", body]), body);
}

function correcting(game: Game, door: "undo" | "redo" | "corrections", name: string, body: object): Wish {
  const ask = (extra: object, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<unknown> =>
    data(
      game.api.POST(`/api/v1/games/{game}/${door}`, {
        params: { path: { game: game.id }, header: headers as never },
        body: { ...body, ...extra } as never,
        ...(signal && { signal }),
      }),
    );
  return {
    key: name,
    final: false,
    kind: door,
    request: null,
    preview: async (signal) => correctionShown((await ask({ dry_run: true }, {}, signal)) as Preview),
    perform: async ({ key, version }) => {
      const entry = (await ask({}, { "Idempotency-Key": key, "If-Match": `W/"${version}"` })) as Partial<Entry>;
      return entry.sentence ?? "";
    },
  };
}

/** Build the preview of a dry run, with the steps settled before the entry. */
export function shownOf({ entry, version }: { entry: Entry; version: number }): WishPreview {
  const settled = (entry as { settled?: Entry[] }).settled ?? [];
  const all = [...settled, entry];
  return {
    ...EMPTY,
    version,
    sentences: [entry.sentence],
    settled: settled.map((line) => line.sentence),
    late: entry.number - version - settled.length - 1,
    effects: together(all.flatMap((line) => line.effects)),
    rules: [...new Set(entry.events.flatMap((event) => (event.rule ? [event.rule] : [])))],
    warnings: all.flatMap((line) => line.warnings.map((warning) => warning.text)),
    ways: all.flatMap((line) => line.path),
    accounts: Object.assign({}, ...all.map((line) => line.names.accounts)) as Record<string, string>,
    entry,
  };
}

function correctionShown(preview: Preview): WishPreview {
  return {
    ...EMPTY,
    version: preview.version,
    sentences: [...preview.restated.map((line) => line.sentence), ...preview.restored.map((line) => line.sentence), ...preview.changes].slice(0, 5),
    falls: [...preview.undone.map((line) => line.sentence), ...preview.restated.map((line) => line.was), ...preview.voided.map((line) => line.sentence)],
    needs: preview.needs.map((need) => need.why),
    effects: Object.entries(preview.holdings).flatMap(([account, changes]) =>
      Object.entries(changes).map(([commodity, { before, after }]) => ({ account, commodity, before, after })),
    ),
    rules: [...new Set(preview.voided.flatMap((line) => (line.why.rule ? [line.why.rule] : [])))],
    warnings: preview.warnings.map((warning) => warning.text),
  };
}

/** Combine the effects of several entries: before the first, after the last. */
export function together(effects: readonly Effect[]): Effect[] {
  const all = new Map<string, Effect>();
  for (const effect of effects) {
    const name = `${effect.account} ${effect.commodity}`;
    const earlier = all.get(name);
    all.set(name, earlier ? { ...earlier, after: effect.after } : effect);
  }
  return [...all.values()].filter((effect) => effect.before !== effect.after);
}

/** Tell if two previews agree: then the game went on without touching this action. */
export function same(a: WishPreview, b: WishPreview): boolean {
  const textOf = ({ sentences, settled, late, ahead, falls, needs, effects, warnings }: WishPreview): string =>
    JSON.stringify([sentences, settled, late, ahead, falls, needs, effects, warnings]);
  return textOf(a) === textOf(b);
}

/** Tell if an effect is missing in an earlier preview, or was another there. */
export function isOther(effect: Effect, earlier: readonly Effect[]): boolean {
  return !earlier.some(
    ({ account, commodity, before, after }) =>
      account === effect.account && commodity === effect.commodity && before === effect.before && after === effect.after,
  );
}

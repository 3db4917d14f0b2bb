// What Enter would do: an action, an undo, a correction. Each can be looked at before, and done with the same key twice.
import { data } from "../api/client";
import type { ActionRequest, Effect, Entry, Preview, Way } from "../api/types";
import type { Game } from "../game/game.svelte";

/** What is shown before Enter. */
export interface WishPreview {
  /** The version of the game that it was worked out on. */
  version: number;
  sentences: string[];
  /** What time would bring first. */
  settled: string[];
  /** Actions that would count no more. */
  falls: string[];
  needs: string[];
  effects: Effect[];
  rules: string[];
  warnings: string[];
  ways: Way[];
  /** Names for what the effects are about, if they are new. */
  accounts: Record<string, string>;
}

export interface Wish {
  /** The same wish keeps its key. */
  key: string;
  /** An action that asks for confirmation. */
  final: boolean;
  kind: string;
  /** The action, where it is one: its key is what the service's needs are kept under. */
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
    preview: async (signal) => shownOf(await game.preview(request, signal)),
    perform: async (how) => (await game.act(request, how)).sentence,
  };
}

/** The undo of the newest action in force, or the redo of what was undone last. */
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

/** An entry of a dry run, with what the service settles before it. */
export function shownOf({ entry, version }: { entry: Entry; version: number }): WishPreview {
  const settled = (entry as { settled?: Entry[] }).settled ?? [];
  const all = [...settled, entry];
  return {
    version,
    sentences: [entry.sentence],
    settled: settled.map((line) => line.sentence),
    falls: [],
    needs: [],
    effects: together(all.flatMap((line) => line.effects)),
    rules: [...new Set(entry.events.flatMap((event) => (event.rule ? [event.rule] : [])))],
    warnings: all.flatMap((line) => line.warnings.map((warning) => warning.text)),
    ways: all.flatMap((line) => line.path),
    accounts: Object.assign({}, ...all.map((line) => line.names.accounts)) as Record<string, string>,
  };
}

function correctionShown(preview: Preview): WishPreview {
  return {
    version: preview.version,
    sentences: [...preview.restated.map((line) => line.sentence), ...preview.restored.map((line) => line.sentence), ...preview.changes].slice(0, 5),
    settled: [],
    falls: [...preview.undone.map((line) => line.sentence), ...preview.restated.map((line) => line.was), ...preview.voided.map((line) => line.sentence)],
    needs: preview.needs.map((need) => need.why),
    effects: Object.entries(preview.holdings).flatMap(([account, changes]) =>
      Object.entries(changes).map(([commodity, { before, after }]) => ({ account, commodity, before, after })),
    ),
    rules: [...new Set(preview.voided.flatMap((line) => (line.why.rule ? [line.why.rule] : [])))],
    warnings: preview.warnings.map((warning) => warning.text),
    ways: [],
    accounts: {},
  };
}

/** The effects of several entries as one: before the first, after the last. */
export function together(effects: readonly Effect[]): Effect[] {
  const all = new Map<string, Effect>();
  for (const effect of effects) {
    const name = `${effect.account} ${effect.commodity}`;
    const earlier = all.get(name);
    all.set(name, earlier ? { ...earlier, after: effect.after } : effect);
  }
  return [...all.values()].filter((effect) => effect.before !== effect.after);
}

/** Whether two previews say the same: then the game went on without touching this action. */
export function same(a: WishPreview, b: WishPreview): boolean {
  const textOf = ({ sentences, settled, falls, needs, effects, warnings }: WishPreview): string =>
    JSON.stringify([sentences, settled, falls, needs, effects, warnings]);
  return textOf(a) === textOf(b);
}

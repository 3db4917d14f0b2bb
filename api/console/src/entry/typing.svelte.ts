// The entry line during typing: its readings, the effect of Enter, and the sending of an entry.
import { getContext, setContext } from "svelte";
import { data } from "../api/client";
import { Failure, Gone, Lost, Refused } from "../api/problems";
import type { ActionRequest, Kind, Move, Need, Obstacle } from "../api/types";
import type { Game } from "../game/game.svelte";
import type { View } from "../game/view.svelte";
import { speaking, translate } from "../i18n/language.svelte";
import { announcer } from "../ui/announcer.svelte";
import { Knowledge } from "./knowledge.svelte";
import { Notebook } from "./notebook.svelte";
import type { Command } from "./reading/commands";
import type { Line } from "./reading/lexer";
import { Recent } from "./recent.svelte";
import type { Lack, Reading, Resolution, Scene } from "./reading/scene";
import { entryTexts as t } from "./texts";
import { send } from "./send";
import { actionWish, correctionWish, same, undoWish, type WishPreview, type Wish } from "./wish";

const LOOK_AFTER_MS = 60;
/** After an entry, and after a preview that changed by itself: an Enter on its way was meant for the earlier sight. */
const QUIET_MS = 250;

/** The grammar, as `import()` gives it. */
export type Grammar = typeof import("./grammar");

/** A line before the grammar is there. */
const UNREAD: Line = { kind: "move", command: [], amended: null, recent: null, pieces: [], text: null, waived: null, explains: false };
const NOTHING: Resolution = { readings: [], best: null, sound: 0, closed: [] };

export interface Looked {
  wish: Wish;
  preview: WishPreview | null;
  failure: Failure | null;
  /** The earlier preview of the same line: the game went on, and the effect is another. */
  earlier: WishPreview | null;
  /** True if a deadline had passed before this preview was asked for. */
  overdue: boolean;
}

export class Typing {
  line = $state("");
  /** The reading chosen by ↑ ↓. */
  chosen = $state<string | null>(null);
  /** The open form, and the action built by the form. */
  form = $state.raw<{ move: Move; seat: string | undefined } | null>(null);
  formRequest = $state.raw<ActionRequest | null>(null);
  looked = $state.raw<Looked | null>(null);
  sending = $state(false);
  /** The right line nearest to a line without a meaning. */
  nearest = $state<string | null>(null);
  /** A word to the banker about the last key. */
  note = $state<string | null>(null);
  /** The last entry, until the next key. */
  done = $state<string | null>(null);
  /** The id of the slip that shows the effect of an empty line; null without one in sight. */
  slip = $state<string | null>(null);
  /** The obstacles of kinds that the line names and that are not open. */
  obstacles = $state.raw<Obstacle[]>([]);

  /** Null until it is loaded, shortly after the first view: a typed line is read then. */
  grammar = $state.raw<Grammar | null>(null);
  readonly recent: Recent;
  readonly notebook: Notebook;
  readonly knowledge: Knowledge;
  #needs = $state.raw<Record<string, Lack[]>>({});
  #history: string[] = [];
  #recalled = -1;
  #pendingKey: string | null = null;
  #quietUntil = 0;
  /** The first preview of the line as it stands: what the banker has seen. */
  #first: { key: string; preview: WishPreview } | null = null;
  #asks = $state(0);

  constructor(
    readonly game: Game,
    readonly view: View,
  ) {
    this.recent = new Recent(game.credential.rulebook);
    this.notebook = new Notebook(game.id);
    this.knowledge = new Knowledge(game, () => this.grammar);
  }

  lexed = $derived(this.grammar?.lex(this.line) ?? UNREAD);
  scene = $derived.by(
    (): Scene => ({
      moves: this.game.ended ? [] : this.game.moves,
      seats: this.game.seats,
      turn: this.game.turn,
      names: [this.game.names, this.knowledge.otherNames].filter((names) => names !== null),
      language: speaking.now,
      me: this.game.me,
      recent: this.recent.kinds,
      throws: this.knowledge.throws,
      needs: this.#needs,
      schemas: this.knowledge.schemas,
      kinds: this.knowledge.kinds,
    }),
  );
  // An amendment shows its own effect: Enter performs none of its readings.
  resolution = $derived(this.lexed.kind === "amend" ? NOTHING : this.#resolve(this.line));
  /** The due moves, whatever the line says. */
  due = $derived(this.#resolve("").readings);
  /** The dice of a throw that would end the previous turn. */
  throwsNext = $derived.by(() => (this.scene.turn === null ? undefined : this.knowledge.throws[0]?.draws?.find((draw) => draw.kind === "die")));
  /** The reading of Enter: the chosen reading, or the best. */
  selected = $derived.by((): Reading | null => this.resolution.readings.find((reading) => reading.key === this.chosen) ?? this.resolution.best);
  /** The reading with the shown missing values: the selected reading, or the first. */
  leading = $derived(this.selected ?? this.resolution.readings[0] ?? null);
  /** The kinds of the typed words, for the marks below them. */
  words = $derived.by(() => (this.leading !== null && this.line !== "" && this.lexed.kind === "move" ? (this.grammar?.kindsOf(this.lexed, this.leading, this.scene) ?? []) : []));
  several = $derived(this.selected === null && this.resolution.readings[0] !== undefined && this.resolution.readings[0].standing !== "incomplete");
  completions = $derived(this.grammar?.completions(this.line, this.scene) ?? []);
  /** The readings are open as a list: of a typed line, or after a choice. */
  open = $derived(this.resolution.readings.length > 0 && (this.line.trim() !== "" || this.chosen !== null));
  /** Lines that Enter would take now, for an empty line. */
  examples = $derived.by(() => (this.line === "" && this.live && !this.game.ended ? (this.grammar?.examples(this.scene) ?? []) : []));
  command = $derived.by((): Command | null => (this.lexed.kind === "command" ? (this.grammar?.commandOf(this.lexed.command, this.game.seats) ?? null) : null));
  amended = $derived.by(() => (this.lexed.kind === "amend" ? (this.grammar?.amendedLine(this.lexed, this.game.entries.lines) ?? null) : null));
  live = $derived.by(() => this.game.link === "live");
  /** The steps whose time is over. */
  late = $derived.by(() => this.game.state?.due);
  /** "#57" alone opens that line. */
  opens = $derived.by(() => {
    const [piece, second] = this.lexed.pieces;
    return this.lexed.kind === "move" && piece?.kind === "ref" && second === undefined ? piece.action : null;
  });

  wish = $derived.by((): Wish | null => {
    if (this.form) return this.formRequest && actionWish(this.game, this.formRequest, this.form.move.final);
    if (this.command) return this.#commandWish(this.command);
    if (this.lexed.kind === "amend") {
      const amendment = this.amended && this.grammar?.amend(this.line, this.scene, this.amended);
      return amendment ? correctionWish(this.game, amendment.edits, t().mistyped) : null;
    }
    const reading = this.selected;
    if (reading === null || reading.wants.length > 0) return null;
    const { override } = reading.request;
    const request = override?.reason === "" ? { ...reading.request, override: { reason: t().waived } } : reading.request;
    return actionWish(this.game, request, reading.move.final);
  });
  #wished = $derived(this.wish?.key ?? null);

  /** Start the effects of the line; call it during the creation of a component. */
  watch(): void {
    // A load that fails is tried again with the next connection.
    $effect(() => {
      if (this.grammar === null && this.live) import("./grammar").then((grammar) => (this.grammar = grammar), () => undefined);
    });
    $effect(() => this.#lookSoon());
    $effect(() => {
      this.view.ways = this.looked !== null && this.looked.wish.key === this.#wished ? (this.looked.preview?.ways ?? []) : [];
    });
    this.knowledge.watch();
    $effect(() => this.#explainSoon());
    $effect(() => this.#correctSoon());
  }

  #resolve(line: string): Resolution {
    return this.grammar?.resolve(line, this.scene) ?? NOTHING;
  }

  /** Replace the line by a text. */
  put(line: string): void {
    this.line = line;
    this.typed();
  }

  /** React to a change of the line by a key. */
  typed(): void {
    // A typing banker is back at the present, whatever line the pointer rests on.
    this.view.leave();
    this.chosen = null;
    this.done = null;
    this.#touch();
    this.#recalled = -1;
    if (this.line === "") this.notebook.leave();
    if (/(…|\.\.\.)$/.test(this.line)) {
      this.line = this.line.replace(/(…|\.\.\.)$/, "");
      this.openForm();
    }
  }

  /** Complete the word at the cursor, or mend the line. Returns false without anything to complete. */
  complete(): boolean {
    const [first] = this.completions;
    // A whole word of a whole line is complete.
    const whole = first !== undefined && this.line.slice(first.from) === first.text && this.leading?.wants.length === 0;
    const line = first === undefined || whole ? this.nearest : `${this.line.slice(0, first.from)}${first.text} `;
    if (line === null) return false;
    this.put(line);
    return true;
  }

  /** Move by ↓ and ↑: through readings; above the first reading, through earlier lines. */
  move(step: 1 | -1): void {
    const { readings } = this.resolution;
    const at = readings.findIndex((reading) => reading.key === (this.chosen ?? this.selected?.key));
    this.#touch();
    if (step === -1 && (this.chosen === null || at <= 0)) {
      if (this.chosen !== null) this.chosen = null;
      else this.#recall(1);
    } else if (step === 1 && this.#recalled >= 0) this.#recall(-1);
    else if (readings.length > 0) this.chosen = readings[Math.min(readings.length - 1, Math.max(0, at + step))]!.key;
  }

  choose(reading: Reading): void {
    this.#touch();
    this.chosen = reading.key;
  }

  /** Begin with another line or reading: nothing of it was shown yet. */
  #touch(): void {
    this.note = null;
    this.#pendingKey = null;
    this.#first = null;
  }

  /** Add a die of the pad. */
  press(die: number, sides: number): void {
    const dotted = sides > 9 && /\d$/.test(this.line);
    this.put(`${this.line}${dotted ? "." : ""}${die}`);
  }

  openForm(reading: Reading | null = this.leading): void {
    if (reading === null) return;
    this.formRequest = null;
    this.#touch();
    this.form = { move: begun(reading), seat: reading.seat };
  }

  closeForm(): void {
    this.form = null;
    this.formRequest = null;
  }

  /** React to Enter; `confirmed` with Ctrl. Returns true if the line is to be selected because of a refusal. */
  enter(confirmed: boolean): boolean {
    if (performance.now() < this.#quietUntil || this.sending) return false;
    this.note = null;
    if (this.command !== null && this.grammar?.obey(this.command, this.game, this.view)) this.#release(this.line);
    else if (this.opens !== null) {
      this.grammar?.openLine(this.opens);
      this.#release("");
    } else if (this.view.pinned) this.note = t().past;
    else if (this.wish === null) this.#nothingToDo();
    else if (!this.live || this.looked?.failure instanceof Lost) this.#jot();
    else if (this.lexed.explains && !this.form) return false;
    else if (this.wish.final && !confirmed) this.note = t().finalWhy;
    else if (this.looked?.wish.key !== this.wish.key) {
      // Of several due moves Enter takes the first, but only in sight.
      if (this.line !== "" || this.chosen !== null || this.due.length < 2) this.#pendingKey = this.wish.key;
    }
    else if (!this.looked.overdue && this.#isOverdue()) {
      // A clock ran out since the preview: a look comes first.
      this.#pendingKey = this.wish.key;
      this.#asks++;
    } else if (this.looked.preview) void this.#commit(this.wish, this.looked.preview);
    else return true;
    return false;
  }

  #nothingToDo(): void {
    if (this.several) this.note = t().several;
    else if (this.lexed.kind === "empty" && this.live && this.notebook.lines.length > 0) this.put(this.notebook.take());
    else if (this.leading?.wants[0]?.kind === "form") this.openForm();
  }

  /** Preview the wish 60 ms after the last key; the previous preview is aborted. */
  #lookSoon(): (() => void) | undefined {
    const key = this.#wished;
    void [this.game.version, this.late, this.#asks];
    const wish = this.wish;
    if (key === null || wish === null || !this.live || this.view.pinned) {
      this.looked = null;
      return undefined;
    }
    if (this.sending) return undefined;
    const cut = new AbortController();
    const timer = setTimeout(() => void this.#look(wish, cut.signal), LOOK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      cut.abort();
    };
  }

  async #look(wish: Wish, signal: AbortSignal): Promise<void> {
    const overdue = this.#isOverdue();
    try {
      const preview = await wish.preview(signal);
      if (signal.aborted) return;
      const differs = this.#show(wish, preview, overdue);
      if (this.#pendingKey !== wish.key) return;
      this.#pendingKey = null;
      if (differs) return;
      if (preview.warnings.length > 0 || preview.late > 0) this.note = t().warning;
      else void this.#commit(wish, preview);
    } catch (fault) {
      if (signal.aborted || !(fault instanceof Failure)) return;
      this.#pendingKey = null;
      const needs = needsIn(fault);
      if (needs.length > 0 && wish.request) this.#needs = { ...this.#needs, [JSON.stringify(bare(wish.request))]: needs };
      if (this.#first !== null && fault instanceof Refused) this.#tell();
      this.looked = { wish, preview: null, failure: fault, earlier: null, overdue };
    }
  }

  /** Show a preview, beside the earlier preview of the same line. Returns true if the effect became another. */
  #show(wish: Wish, preview: WishPreview, overdue: boolean): boolean {
    // A value changed in a form is a change by the banker.
    if (this.form && this.#first?.key !== wish.key) this.#first = null;
    const first = this.#first?.preview ?? preview;
    const differs = !same(first, preview) && (this.looked?.preview == null || !same(this.looked.preview, preview));
    if (differs) this.#tell();
    // An empty line shows whatever is due now.
    if (this.line === "" && !this.form && this.#first !== null && this.#first.key !== wish.key) {
      this.#quietUntil = performance.now() + QUIET_MS;
      this.#first = null;
    }
    this.#first ??= { key: wish.key, preview };
    this.looked = { wish, preview, failure: null, earlier: same(this.#first.preview, preview) ? null : this.#first.preview, overdue };
    return differs;
  }

  /** Tell that the shown effect became another by itself. */
  #tell(): void {
    this.#quietUntil = performance.now() + QUIET_MS;
    if (this.line !== "" || this.form) this.note = t().moved;
  }

  /** Tell if a deadline of the game has passed. */
  #isOverdue(): boolean {
    const { clock, awaited } = this.game.state ?? {};
    const deadlines = [clock?.running && clock.until, ...(awaited ?? []).map((step) => step.until)];
    return deadlines.some((deadline) => deadline && this.game.until(deadline) <= 0);
  }

  async #commit(wish: Wish, preview: WishPreview): Promise<void> {
    const { line } = this;
    let waiting: string | null = null;
    this.sending = true;
    const sent = await send(wish, preview, (key) => {
      // The line is free meanwhile: the entry goes on by itself until the service answers.
      if (waiting === null) this.#release(line);
      waiting = key;
      this.notebook.wait(key, line || wish.kind);
    });
    if (waiting !== null) this.notebook.arrived(waiting);
    if (sent.how !== "entered") {
      this.sending = false;
      if (sent.how === "refused" && sent.failure instanceof Gone) return;
      // An entry sent again and finally refused comes back, unless something else was typed.
      if (waiting !== null && this.line === "") this.line = line;
      if (sent.how === "moved") this.#show(wish, sent.preview, false);
      else this.looked = { wish, preview: null, failure: sent.failure, earlier: null, overdue: false };
      return;
    }
    if (wish.request) this.recent.use(wish.request.kind, this.#verb(wish.request.kind));
    this.#needs = {};
    if (waiting !== null) return announcer.say(sent.sentence);
    this.notebook.settle();
    this.#release(line);
    this.done = sent.sentence;
    this.#quietUntil = performance.now() + QUIET_MS;
  }

  #release(line: string): void {
    if (line !== "") this.#history = [line, ...this.#history.filter((earlier) => earlier !== line)].slice(0, 50);
    this.sending = false;
    this.line = "";
    this.chosen = null;
    this.looked = null;
    this.#touch();
    this.closeForm();
  }

  /** Note the line without a service; noted lines are checked one by one later. */
  #jot(): void {
    if (this.form || this.line.trim() === "") return;
    this.notebook.add(this.line);
    this.#release(this.line);
  }

  #recall(step: 1 | -1): void {
    const at = Math.min(this.#history.length - 1, this.#recalled + step);
    if (at < -1 || (at === this.#recalled && step === 1)) return;
    if (this.#recalled === -1 && this.line !== "") return;
    this.put(at === -1 ? "" : this.#history[at]!);
    this.#recalled = at;
  }

  #verb(kind: string): Kind["label"] {
    const move = this.game.moves.flatMap((seatMoves) => seatMoves.moves).find((candidate) => candidate.kind === kind);
    const [en, fr] = [move?.verbs.en[0], move?.verbs.fr[0]];
    const label = this.game.names?.kinds.actions[kind] ?? kind;
    return { en: en ?? label, fr: fr ?? label };
  }

  #commandWish(command: Command): Wish | null {
    if (command.does === "undo" || command.does === "redo") return undoWish(this.game, command.does, t().mistyped, command.action);
    if (command.does !== "pause") return null;
    const kinds = ["pause_clock", "resume_clock"];
    const move = this.game.movesOf(undefined).find((candidate) => kinds.includes(candidate.kind));
    return move ? actionWish(this.game, { kind: move.kind, params: {} }, false) : null;
  }

  /** Ask for the obstacles of the named kinds if no open move fits. */
  #explainSoon(): (() => void) | undefined {
    const { closed, readings } = this.resolution;
    this.obstacles = [];
    if (this.lexed.kind !== "move" || readings.length > 0 || !this.live || !/\p{L}{2}/u.test(this.line)) return undefined;
    if (this.knowledge.kinds.length === 0) {
      this.knowledge.readKinds();
      return undefined;
    }
    if (closed.length === 0) return undefined;
    const cut = new AbortController();
    const timer = setTimeout(() => void this.#explain(closed, cut.signal), 4 * LOOK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      cut.abort();
    };
  }

  /** Look for the right line when the typed line has no meaning and no further key came. */
  #correctSoon(): (() => void) | undefined {
    const [line, scene, grammar] = [this.line, this.scene, this.grammar];
    this.nearest = null;
    if (grammar === null || this.lexed.kind !== "move" || line.trim() === "" || this.resolution.readings.length > 0) return undefined;
    const timer = setTimeout(() => (this.nearest = grammar.nearest(line, scene)), 4 * LOOK_AFTER_MS);
    return () => clearTimeout(timer);
  }

  async #explain(closed: Resolution["closed"], signal: AbortSignal): Promise<void> {
    const path = { game: this.game.id };
    const requests = closed.map(({ kind, seat }) => {
      const query = { explain: kind.kind, ...(seat !== undefined && { seat }) };
      return data(this.game.api.GET("/api/v1/games/{game}/moves", { params: { path, query: query as never }, signal }));
    });
    // A kind without a known reason is only struck through.
    const results = await Promise.allSettled(requests);
    if (signal.aborted) return;
    this.obstacles = results.flatMap((result) => (result.status === "fulfilled" ? ((result.value as { obstacles?: Obstacle[] }).obstacles ?? []).slice(0, 1) : []));
  }
}

const CONTEXT = Symbol("typing");

export function provideTyping(typing: Typing): void {
  setContext(CONTEXT, typing);
}

/** Return the entry line of the page; undefined on pages without a line. Call it during the creation of a component. */
export function theTyping(): Typing | undefined {
  return getContext<Typing | undefined>(CONTEXT);
}

/** Begin a form with the typed values: its examples, and the named option. */
function begun({ move, request }: Reading): Move {
  const typed = Object.fromEntries(Object.entries(request.params ?? {}).filter(([name]) => name in move.free));
  const params = { ...(move.params as Record<string, unknown>), ...typed };
  const named = move.choice && request.params?.[move.choice.parameter];
  const options = move.choice?.options.filter((option) => named === undefined || option.value === named) ?? [];
  return { ...move, params, ...(move.choice && options.length > 0 && { choice: { ...move.choice, options } }) };
}

/** Strip an action to the form in which the service reports missing values. */
function bare(request: ActionRequest): ActionRequest {
  const { override: _, ...remaining } = request;
  return remaining;
}

function needsIn(failure: Failure): Lack[] {
  const needs = (failure instanceof Refused && (failure.problem as { needs?: Need[] }).needs) || [];
  return needs.map((need) => ({
    kind: need.kind === "draw" ? (need.draw === "cards" ? "card" : "die") : "answer",
    label: translate(need.label),
    deck: need.deck,
    count: need.count,
    edit: need.edit,
    at: need.values_at,
  }));
}

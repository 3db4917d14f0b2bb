// Facts about a game learned by the line in use: the names in the other language, the shape of throws, kinds and
// schemas.
import { clientFor, data } from "../api/client";
import type { Kind, Move, Names } from "../api/types";
import type { Game } from "../game/game.svelte";
import { speaking } from "../i18n/language.svelte";
import type { Grammar } from "./typing.svelte";

export class Knowledge {
  /** The names in the language that the page does not speak: both languages are understood. */
  otherNames = $state.raw<Names | null>(null);
  /** Throws, as last offered to a seat. */
  throws = $state.raw<Move[]>([]);
  /** The schemas of kinds with drawn cards: a schema tells if the cards are given as a list. */
  schemas = $state.raw<Record<string, Record<string, unknown>>>({});
  /** The kinds of the catalogue, the kinds in the journal first. */
  kinds = $state.raw<Kind[]>([]);

  constructor(
    private readonly game: Game,
    private readonly grammar: () => Grammar | null,
  ) {}

  /** Start the effects; call it during the creation of a component. */
  watch(): void {
    $effect(() => this.#readNames());
    $effect(() => this.#learn());
  }

  /** Read the catalogue, once. */
  readKinds(): void {
    const count = new Map<string, number>();
    for (const line of this.game.entries.lines) count.set(line.kind, (count.get(line.kind) ?? 0) + 1);
    this.game.catalogue.kinds().then(
      (kinds) => (this.kinds = kinds.toSorted((a, b) => (count.get(b.kind) ?? 0) - (count.get(a.kind) ?? 0))),
      () => undefined,
    );
  }

  #readNames(): void {
    const language = speaking.now === "en" ? "fr" : "en";
    // Names grow with the game: both languages are read again together.
    if (this.game.names === null) return;
    const api = clientFor(this.game.credential.token, () => language);
    data(api.GET("/api/v1/games/{game}/names", { params: { path: { game: this.game.id } } })).then(
      (names) => (this.otherNames = names as unknown as Names),
      () => undefined,
    );
  }

  #learn(): void {
    const grammar = this.grammar();
    if (grammar === null) return;
    const moves = this.game.moves.flatMap((seatMoves) => seatMoves.moves);
    const unknown = moves.filter((move) => grammar.throws(move) && !this.throws.some((thrown) => thrown.kind === move.kind));
    if (unknown.length > 0) this.throws = [...this.throws, ...new Map(unknown.map((move) => [move.kind, move])).values()];
    else if (this.throws.length === 0) this.#learnThrow(grammar);
    for (const kind of new Set(moves.filter(drawsCards).map((move) => move.kind))) {
      if (kind in this.schemas) continue;
      this.game.catalogue.kind(kind).then(
        (details) => (this.schemas = { ...this.schemas, [kind]: details.parameters as Record<string, unknown> }),
        () => undefined,
      );
    }
  }

  /** No seat has a throw open: the newest throw in the journal that moved a token shows the shape of a throw. */
  #learnThrow({ diceOf, throwLike }: Grammar): void {
    const thrown = this.game.entries.lines.findLast((line) => line.path.length > 0 && diceOf(line) !== null);
    if (!thrown) return;
    this.game.catalogue.kind(thrown.kind).then(
      (kind) => this.throws.length === 0 && (this.throws = [throwLike(thrown, kind)]),
      () => undefined,
    );
  }
}

function drawsCards(move: Move): boolean {
  const draws = [...(move.draws ?? []), ...(move.choice?.options.flatMap((option) => option.draws ?? []) ?? [])];
  return draws.some((draw) => draw.kind === "card");
}

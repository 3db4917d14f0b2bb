// The layout of a ring in a room of any aspect: squares as shares of the room, and the lane for tokens inside the
// squares. Pure: equal geometry and an equal room give an equal layout.
import type { Board } from "../api/types";
import type { Point } from "./layout";

/** The edges of the room, clockwise from the south. */
export const EDGES = ["south", "west", "north", "east"] as const;
export type Edge = (typeof EDGES)[number];

/** A square of a ring: its box as shares of the room. A corner begins its edge, seen clockwise. */
export interface RingSquare {
  id: string;
  edge: Edge;
  corner: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The depth of squares, as shares of the width and the height of the room. */
export const DEEP = { x: 0.127, y: 0.145 };
/** The number of squares up to which sides are as the board has them, or in proportion. */
const MANY = 60;
/** The number of squares that have room for a word in the south and the north. */
const ROOMY = 14;
const CORNERS = ["south-east", "south-west", "north-west", "north-east"] as const;

/**
 * Distribute squares over the sides of a room of this aspect: sides in proportion to the edges, each with its corner. Of
 * many squares the west and the east have `rows` each, as many as have a line of text: a line is wider than it is high.
 */
export function sidesFor(count: number, aspect: number, upright: boolean, rows = 0): number[] {
  const free = Math.max(0, count - 4);
  // No edge is without a square between its corners.
  const even = Math.max(free < 4 ? 0 : 1, Math.min(Math.floor((free - 2) / 2), Math.round((free * aspect) / (2 * (1 + aspect)))));
  const wide = count > MANY && rows > 0 ? Math.max(ROOMY, Math.ceil(free / 2) - rows) : even;
  const tall = free - 2 * wide;
  const [first, second] = [Math.ceil(tall / 2), Math.floor(tall / 2)];
  return (upright ? [first, wide, second, wide] : [wide, first, wide, second]).map((between) => between + 1);
}

/** Lay out the squares of a ring in a room of this aspect; with many squares, up to `rows` in the west and the east. */
export function ringOf(board: Board, aspect: number, rows = 0): Map<string, RingSquare> {
  const places = board.places.toSorted((a, b) => a.number - b.number);
  const clockwise = board.direction !== "counter-clockwise";
  let corner = Math.max(0, CORNERS.indexOf(board.start ?? "south-east"));
  const edgeOf = (begin: number): number => (clockwise ? begin : (begin + 3) % 4);
  const sides = board.sides?.length === 4 && places.length <= MANY ? board.sides : sidesFor(places.length, aspect, edgeOf(corner) % 2 === 1, rows);
  const squares = new Map<string, RingSquare>();
  let used = 0;
  for (const count of sides) {
    const edge = edgeOf(corner);
    for (let at = 0; at < count; at++) {
      const id = places[used++]?.id;
      if (id === undefined) break;
      // Counted clockwise along the edge, from the corner at which the edge begins.
      const slot = clockwise || at === 0 ? at : count - at;
      squares.set(id, { id, ...(at === 0 ? cornerBox(corner) : sideBox(edge, slot, count - 1)) });
    }
    corner = (corner + (clockwise ? 1 : 3)) % 4;
  }
  return squares;
}

function cornerBox(corner: number): Omit<RingSquare, "id"> {
  const [east, south] = [corner === 0 || corner === 3, corner < 2];
  return { edge: EDGES[corner]!, corner: true, x: east ? 1 - DEEP.x : 0, y: south ? 1 - DEEP.y : 0, width: DEEP.x, height: DEEP.y };
}

function sideBox(edge: number, slot: number, count: number): Omit<RingSquare, "id"> {
  const [width, height] = [(1 - 2 * DEEP.x) / count, (1 - 2 * DEEP.y) / count];
  const behind = slot - 1;
  const box = (
    [
      { x: 1 - DEEP.x - slot * width, y: 1 - DEEP.y, width, height: DEEP.y },
      { x: 0, y: 1 - DEEP.y - slot * height, width: DEEP.x, height },
      { x: DEEP.x + behind * width, y: 0, width, height: DEEP.y },
      { x: 1 - DEEP.x, y: DEEP.y + behind * height, width: DEEP.x, height },
    ] as const
  )[edge]!;
  return { edge: EDGES[edge]!, corner: false, ...box };
}

/** The lane inside a ring: a loop, measured clockwise from the south-east. All lengths in pixels. */
export class Lane {
  readonly #left: number;
  readonly #top: number;
  readonly #wide: number;
  readonly #tall: number;

  /** `inset` is the distance of the loop from the squares. */
  constructor(
    readonly squares: ReadonlyMap<string, RingSquare>,
    readonly room: { width: number; height: number },
    inset: number,
  ) {
    this.#left = DEEP.x * room.width + inset;
    this.#top = DEEP.y * room.height + inset;
    this.#wide = Math.max(1, room.width - 2 * this.#left);
    this.#tall = Math.max(1, room.height - 2 * this.#top);
  }

  get length(): number {
    return 2 * (this.#wide + this.#tall);
  }

  /** The distance of the point before a square. */
  at(id: string): number | null {
    const square = this.squares.get(id);
    if (!square) return null;
    const begins = this.#begins(square.edge);
    if (square.corner) return begins;
    const x = (square.x + square.width / 2) * this.room.width - this.#left;
    const y = (square.y + square.height / 2) * this.room.height - this.#top;
    const along = { south: this.#wide - x, west: this.#tall - y, north: x, east: y }[square.edge];
    const edge = square.edge === "south" || square.edge === "north" ? this.#wide : this.#tall;
    return begins + Math.max(0, Math.min(edge, along));
  }

  /** The distance of the middle of a row before a square, which reaches so far to both sides and bends round no corner. */
  beside(id: string, half: number): number {
    // A row that ends in a corner belongs to its own edge.
    const reach = half && half + 0.01;
    const square = this.squares.get(id);
    const at = this.at(id);
    if (!square || at === null) return 0;
    const begins = this.#begins(square.edge);
    const edge = square.edge === "south" || square.edge === "north" ? this.#wide : this.#tall;
    // Tokens of a corner continue along the wide edge.
    if (square.corner) return at + (edge === this.#wide ? reach : -reach);
    return edge < 2 * reach ? begins + edge / 2 : Math.max(begins + reach, Math.min(begins + edge - reach, at));
  }

  #begins(edge: Edge): number {
    return { south: 0, west: this.#wide, north: this.#wide + this.#tall, east: 2 * this.#wide + this.#tall }[edge];
  }

  /** The point at a distance, this deep inside the loop. */
  point(distance: number, deep = 0): Point {
    let along = ((distance % this.length) + this.length) % this.length;
    const [right, bottom] = [this.#left + this.#wide, this.#top + this.#tall];
    if (along <= this.#wide) return { x: right - along, y: bottom - deep };
    along -= this.#wide;
    if (along <= this.#tall) return { x: this.#left + deep, y: bottom - along };
    along -= this.#tall;
    if (along <= this.#wide) return { x: this.#left + along, y: this.#top + deep };
    return { x: right - deep, y: this.#top + along - this.#wide };
  }

  /** The points of a way from square to square, along the lane by the shorter direction. */
  way(ids: readonly string[]): Point[] {
    const stops = ids.flatMap((id) => this.at(id) ?? []);
    const turns = [0, this.#wide, this.#wide + this.#tall, 2 * this.#wide + this.#tall];
    const points = stops.slice(0, 1).map((stop) => this.point(stop));
    for (let at = 1; at < stops.length; at++) {
      const from = stops[at - 1]!;
      const ahead = (((stops[at]! - from) % this.length) + this.length) % this.length;
      const by = ahead > this.length / 2 ? ahead - this.length : ahead;
      const between = turns
        .map((turn) => (((by < 0 ? from - turn : turn - from) % this.length) + this.length) % this.length)
        .filter((far) => far > 0 && far < Math.abs(by))
        .sort((a, b) => a - b);
      points.push(...between.map((far) => this.point(from + Math.sign(by) * far)), this.point(from + by));
    }
    return points;
  }
}

/** Return the motion of a token along these points: 60 ms for each length of a square, at most 600. */
export function walkAlong(points: readonly Point[], square: number): { frames: { transform: string; offset: number }[]; duration: number } {
  let length = 0;
  const reached = points.map(({ x, y }, at) => (length += at === 0 ? 0 : Math.hypot(x - points[at - 1]!.x, y - points[at - 1]!.y)));
  const frames = points.map(({ x, y }, at) => ({ transform: `translate(${x}px, ${y}px) translate(-50%, -50%)`, offset: reached[at]! / (length || 1) }));
  return { frames, duration: Math.min(600, (60 * length) / square) };
}

export interface Stand extends Point {
  size: number;
}

/** The share of a token that its neighbour may cover. */
const COVERED = 0.15;

/**
 * Place the tokens before their squares: up to four side by side, from five on in two rows of smaller tokens. `groups`
 * has the sizes of the tokens of each square. Tokens of neighbouring squares give way to each other along the lane.
 */
export function standsOn(lane: Lane, groups: readonly { place: string; sizes: readonly number[] }[]): Stand[][] {
  const blocks = groups.map(({ place, sizes }) => {
    const rows = sizes.length > 4 ? 2 : 1;
    const scaled = sizes.map((size) => (rows === 2 ? size * 0.8 : size));
    const size = Math.max(...scaled);
    const row = Math.ceil(sizes.length / rows);
    const step = size * (1 - COVERED);
    const reach = ((row - 1) * step) / 2;
    return { at: lane.beside(place, reach), half: reach + size / 2, step, row, scaled, size };
  });
  const order = blocks.toSorted((a, b) => a.at - b.at);
  for (let round = 0; round < 24 && order.length > 1; round++) {
    order.forEach((block, index) => {
      const next = order[(index + 1) % order.length]!;
      const gap = next.at - block.at + (index + 1 === order.length ? lane.length : 0) - block.half - next.half;
      if (gap >= 0) return;
      block.at += gap / 2;
      next.at -= gap / 2;
    });
  }
  return blocks.map(({ at, step, row, scaled, size: tall }) =>
    scaled.map((size, index) => ({
      ...lane.point(at + ((index % row) - (Math.min(row, scaled.length) - 1) / 2) * step, Math.floor(index / row) * tall * (1 - COVERED)),
      size,
    })),
  );
}

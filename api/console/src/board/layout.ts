// The layout of a map, or of a circle of few squares, from the geometry alone. Pure: equal geometry gives an equal layout.
import type { Board } from "../api/types";

export interface Point {
  x: number;
  y: number;
}
/** A square: its outline, its centre, and the room for tokens. */
export interface Spot {
  id: string;
  outline: Point[];
  centre: Point;
  /** The room for tokens and texts inside: width and height around the centre. */
  width: number;
  height: number;
  /** The direction to the middle of a circle: tokens stand there, before their square, and never on its text. */
  inward?: Point;
  /** The edge with the colour of the group: towards the middle of a circle. Two points; null on a map. */
  band: [Point, Point] | null;
}
export interface Layout {
  width: number;
  height: number;
  /** The origin of the drawing: squares of a map may reach over its box. */
  left: number;
  top: number;
  spots: Map<string, Spot>;
  /** The free rectangle in the middle of a circle, for notices and piles. Null on a map. */
  middle: { x: number; y: number; width: number; height: number } | null;
  /** Lines between adjacent squares without a shape. */
  edges: [Point, Point][];
}

const SIZE = 1000;
/** The depth of the lane inside a circle, for the first row of tokens. */
const LANE = 46;

/** Lay out the squares of a board. A table has none. */
export function layOut(board: Board): Layout {
  if (board.form === "map") return onMap(board);
  return onCircle(board);
}

function empty(width: number, height: number): Layout {
  return { width, height, left: 0, top: 0, spots: new Map(), middle: null, edges: [] };
}

function onCircle(board: Board): Layout {
  const layout = empty(SIZE, SIZE);
  const places = board.places.toSorted((a, b) => a.number - b.number);
  const count = places.length;
  const outer = SIZE / 2;
  const inner = outer * (count > 24 ? 0.72 : 0.58);
  const way = board.direction === "counter-clockwise" ? -1 : 1;
  const begin = Math.PI / 2;
  places.forEach((square, at) => {
    const from = begin + way * ((at - 0.5) / count) * 2 * Math.PI;
    const to = begin + way * ((at + 0.5) / count) * 2 * Math.PI;
    const steps = Math.max(2, Math.ceil(48 / count));
    const arc = (radius: number, start: number, end: number): Point[] =>
      Array.from({ length: steps + 1 }, (_, step) => polar(radius, start + ((end - start) * step) / steps));
    const middle = (inner + outer) / 2;
    const room = Math.min(outer - inner, (2 * Math.PI * inner) / count);
    layout.spots.set(square.id, {
      id: square.id,
      outline: [...arc(outer, from, to), ...arc(inner, to, from)],
      centre: polar(middle, (from + to) / 2),
      width: room * 0.9,
      height: room * 0.9,
      inward: { x: -Math.cos(way * (at / count) * 2 * Math.PI + begin), y: -Math.sin(way * (at / count) * 2 * Math.PI + begin) },
      band: [polar(inner, from), polar(inner, to)],
    });
  });
  const half = (inner - LANE) * 0.68;
  layout.middle = { x: outer - half, y: outer - half, width: 2 * half, height: 2 * half };
  return layout;
}

function polar(radius: number, angle: number): Point {
  return { x: SIZE / 2 + radius * Math.cos(angle), y: SIZE / 2 + radius * Math.sin(angle) };
}

function onMap(board: Board): Layout {
  const [width, height] = (board.box as [number, number] | undefined) ?? [SIZE, SIZE];
  const layout = empty(width, height);
  const centres = new Map(board.places.map((square) => [square.id, centreOf(square)]));
  for (const square of board.places) {
    const centre = centres.get(square.id)!;
    const near = [...centres].filter(([id]) => id !== square.id).map(([, point]) => Math.hypot(point.x - centre.x, point.y - centre.y));
    const shape = square.shape as [number, number][] | undefined;
    const radius = Math.max(6, Math.min(width / 8, Math.min(width, ...near) * 0.42));
    const outline = shape?.length
      ? shape.map(([x, y]) => ({ x, y }))
      : Array.from({ length: 24 }, (_, step) => ({
          x: centre.x + radius * Math.cos((step / 12) * Math.PI),
          y: centre.y + radius * Math.sin((step / 12) * Math.PI),
        }));
    const room = Math.max(24, Math.min(...near, radius * 2.4) * (shape ? 0.8 : 1));
    layout.spots.set(square.id, { id: square.id, outline, centre, width: room, height: room, band: null });
  }
  const all = [...layout.spots.values()].flatMap((spot) => spot.outline);
  layout.left = Math.min(0, ...all.map((point) => point.x - 4));
  layout.top = Math.min(0, ...all.map((point) => point.y - 4));
  layout.width = Math.max(width, ...all.map((point) => point.x + 4)) - layout.left;
  layout.height = Math.max(height, ...all.map((point) => point.y + 4)) - layout.top;
  const shaped = new Set(board.places.filter((square) => square.shape?.length).map((square) => square.id));
  for (const [first, second] of (board.adjacent ?? []) as [string, string][]) {
    if (shaped.has(first) && shaped.has(second)) continue;
    const [from, to] = [centres.get(first), centres.get(second)];
    if (from && to) layout.edges.push([from, to]);
  }
  return layout;
}

function centreOf(square: Board["places"][number]): Point {
  if (square.at) return { x: (square.at as [number, number])[0], y: (square.at as [number, number])[1] };
  const points = (square.shape ?? []) as [number, number][];
  const sum = points.reduce((all, [x, y]) => ({ x: all.x + x, y: all.y + y }), { x: 0, y: 0 });
  return { x: sum.x / Math.max(1, points.length), y: sum.y / Math.max(1, points.length) };
}

/** Build a band of this depth along the inner edge of a square, as a polygon. */
export function bandOf(spot: Spot, depth: number): Point[] {
  const [from, to] = spot.band!;
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const far = Math.hypot(spot.centre.x - middle.x, spot.centre.y - middle.y) || 1;
  const [dx, dy] = [((spot.centre.x - middle.x) / far) * depth, ((spot.centre.y - middle.y) / far) * depth];
  return [from, to, { x: to.x + dx, y: to.y + dy }, { x: from.x + dx, y: from.y + dy }];
}

/**
 * Place tokens: on a circle before their square, in rows towards the middle; else in the square, up to four in two
 * columns, up to nine in three.
 */
export function stands(spot: Spot, count: number): { at: Point[]; radius: number } {
  if (spot.inward && spot.band) {
    const [from, to] = spot.band;
    const edge = Math.hypot(to.x - from.x, to.y - from.y);
    const radius = Math.max(12, Math.min(18, edge * 0.46));
    const columns = Math.max(1, Math.min(count, Math.floor(edge / (2.1 * radius))));
    const { x, y } = spot.inward;
    const at = Array.from({ length: count }, (_, index) => {
      const along = ((index % columns) - (columns - 1) / 2) * radius * 2.1;
      const deep = 5 + radius + Math.floor(index / columns) * radius * 2.1;
      return { x: (from.x + to.x) / 2 + x * deep - y * along, y: (from.y + to.y) / 2 + y * deep + x * along };
    });
    return { at, radius };
  }
  const columns = count <= 1 ? 1 : count <= 4 ? 2 : 3;
  const rows = Math.ceil(count / columns);
  const step = Math.min(spot.width / columns, spot.height / Math.max(rows, columns));
  const radius = Math.min(19, step * 0.46);
  const at = Array.from({ length: count }, (_, index) => ({
    x: spot.centre.x + ((index % columns) - (columns - 1) / 2) * radius * 2.1,
    y: spot.centre.y + (Math.floor(index / columns) - (rows - 1) / 2) * radius * 2.1,
  }));
  return { at, radius };
}

/** Place tokens on a map: side by side above the name of the square, four in a row. */
export function standsAbove(spot: Spot, count: number, letters: number, radius: number): Point[] {
  const row = Math.min(count, 4);
  return Array.from({ length: count }, (_, index) => ({
    x: spot.centre.x + ((index % row) - (row - 1) / 2) * radius * 2.1,
    y: spot.centre.y - letters - radius - Math.floor(index / row) * radius * 2.1,
  }));
}

export type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

/**
 * Return the square in the direction of an arrow: along a circle by the order, on a map the nearest in the direction.
 * With `among`, only these squares count.
 */
export function neighbour(board: Board, layout: Layout, from: string, arrow: Arrow, among?: ReadonlySet<string>): string {
  const places = board.places.filter(({ id }) => id === from || !among || among.has(id)).sort((a, b) => a.number - b.number);
  const at = places.findIndex((square) => square.id === from);
  if (board.form === "ring") {
    const step = arrow === "ArrowRight" || arrow === "ArrowUp" ? 1 : -1;
    return places[(at + step + places.length) % places.length]!.id;
  }
  const origin = layout.spots.get(from)?.centre;
  if (!origin) return from;
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[arrow] as [number, number];
  let best = from;
  let least = Infinity;
  for (const spot of layout.spots.values()) {
    const [x, y] = [spot.centre.x - origin.x, spot.centre.y - origin.y];
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    // A square more aside than ahead belongs to another direction.
    if (spot.id === from || (among && !among.has(spot.id)) || ahead <= 0 || aside > ahead * 1.5) continue;
    const far = ahead + 2 * aside;
    if (far < least) [best, least] = [spot.id, far];
  }
  return best;
}

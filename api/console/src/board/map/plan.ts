// The places of the name, the pieces and the tokens of a shape, without overlap. Pure.
import type { Point } from "../layout";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Return the widest stretch of a shape at a height: left and right; null above or below the shape. */
export function stretch(outline: Point[], y: number): [number, number] | null {
  const crossings: number[] = [];
  outline.forEach((from, at) => {
    const to = outline[(at + 1) % outline.length]!;
    if (from.y > y !== to.y > y) crossings.push(from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x));
  });
  crossings.sort((a, b) => a - b);
  let widest: [number, number] | null = null;
  for (let at = 0; at + 1 < crossings.length; at += 2) {
    const [left, right] = [crossings[at]!, crossings[at + 1]!];
    if (!widest || right - left > widest[1] - widest[0]) widest = [left, right];
  }
  return widest;
}

/** Return the stretch that is free over a whole height: the shared part of all lines. */
function free(outline: Point[], y: number, height: number): [number, number] | null {
  let shared: [number, number] | null = [-Infinity, Infinity];
  for (const part of [0, 0.5, 1]) {
    const line = stretch(outline, y + height * part);
    if (!line || !shared) return null;
    shared = [Math.max(shared[0], line[0]), Math.min(shared[1], line[1])];
  }
  return shared && shared[1] > shared[0] ? shared : null;
}

/** Find the room for a block of this height in a shape: as wide as `wish` near the middle, else the widest. */
export function roomIn(outline: Point[], height: number, wish: number): Box | null {
  const ys = outline.map(({ y }) => y);
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const middle = centroid(outline);
  let best: { box: Box; score: number } | null = null;
  const STEPS = 32;
  for (let step = 0; step <= STEPS; step++) {
    const y = top + ((bottom - top - height) * step) / STEPS;
    if (bottom - top < height) break;
    const line = free(outline, y, height);
    if (!line) continue;
    const width = line[1] - line[0];
    const score = Math.min(width, wish) * 4 - Math.abs(y + height / 2 - middle.y);
    if (!best || score > best.score) best = { box: { x: line[0], y, width, height }, score };
  }
  return best?.box ?? null;
}

/** The middle of a block in its room: over the middle of the shape, as far as the block stays inside. */
export function middleIn(room: Box, width: number, outline: Point[]): number {
  const half = Math.min(width, room.width) / 2;
  return Math.max(room.x + half, Math.min(room.x + room.width - half, centroid(outline).x));
}

export function centroid(outline: Point[]): Point {
  let [area, x, y] = [0, 0, 0];
  outline.forEach((from, at) => {
    const to = outline[(at + 1) % outline.length]!;
    const cross = from.x * to.y - to.x * from.y;
    area += cross;
    x += (from.x + to.x) * cross;
    y += (from.y + to.y) * cross;
  });
  return area === 0 ? outline[0]! : { x: x / (3 * area), y: y / (3 * area) };
}

export function overlap(first: Box, second: Box): number {
  const width = Math.min(first.x + first.width, second.x + second.width) - Math.max(first.x, second.x);
  const height = Math.min(first.y + first.height, second.y + second.height) - Math.max(first.y, second.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/**
 * Choose a stand for tokens beside a block, in one of these shapes: above, at its sides, below; the stand that covers the
 * least, names before other stands, then the first shape, then the nearest. Returns the stand and the number of its shape.
 */
export function standBeside(block: Box, shapes: { width: number; height: number }[], names: Box[], stands: Box[], frame: Box): { stand: Box; shape: number } {
  let best = { stand: { ...block }, shape: 0 };
  let least = Infinity;
  shapes.forEach(({ width, height }, shape) => {
    const [over, under] = [block.y - height - 1, block.y + block.height + 1];
    const [left, right] = [block.x - width - 2, block.x + block.width + 2];
    const across = ALONG.map((part) => block.x + block.width / 2 - width / 2 + part * (block.width + width));
    const down = ALONG.map((part) => block.y + block.height / 2 - height / 2 + part * (block.height + height));
    const points = [
      { x: across[0]!, y: over },
      ...down.flatMap((y) => [{ x: left, y }, { x: right, y }]),
      ...across.flatMap((x) => [{ x, y: under }, { x, y: over }]),
    ];
    points.forEach(({ x, y }, at) => {
      const box = { x, y, width, height };
      const cover = onto(box, names) * 5 + onto(box, stands) + (width * height - overlap(box, frame)) * 2;
      if (cover + at * 0.01 + shape * 0.5 < least - 0.5) [best, least] = [{ stand: box, shape }, cover + at * 0.01 + shape * 0.5];
    });
  });
  return best;
}

/** Return how much of these boxes a box covers. */
function onto(box: Box, covered: Box[]): number {
  return covered.reduce((sum, item) => sum + overlap(box, item), 0);
}

/** Where a stand lies along a side of its block, from the middle outwards. */
const ALONG = [0, -0.15, 0.15, -0.3, 0.3, -0.5, 0.5];

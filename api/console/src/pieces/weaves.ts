// The weaves of cloths, each as one path of lines that repeats over a field. Drawn once, when first loaded.

export interface Weave {
  width: number;
  height: number;
  path: string;
  stroke: number;
}

const steps = (count: number): number[] => Array.from({ length: count }, (_, step) => step);
const circle = (x: number, y: number, radius: number): string => `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
/** Half circles around one point, as scales and clouds have them. */
const scales = (x: number, y: number, ...radii: number[]): string => radii.map((radius) => `M${x - radius} ${y}a${radius} ${radius} 0 0 1 ${2 * radius} 0`).join("");

/** Six waves, each a little later: the lines of banknotes. */
const guilloche = steps(6)
  .map((line) => "M" + steps(41).map((step) => `${3 * step} ${(30 + 14 * Math.sin((step * Math.PI) / 10 + line * 0.52)).toFixed(1)}`).join("L"))
  .join("");
/** The sixteen winds of a sea chart. */
const winds = steps(16)
  .map((wind) => `M90 90L${(90 + 140 * Math.cos((wind * Math.PI) / 8)).toFixed(0)} ${(90 + 140 * Math.sin((wind * Math.PI) / 8)).toFixed(0)}`)
  .join("");

export const weaves: Record<string, Weave> = {
  guilloche: { width: 120, height: 60, stroke: 0.7, path: guilloche },
  weave: { width: 24, height: 24, stroke: 1.2, path: "M0 3h12M0 7h12M0 11h12M15 12v12M19 12v12M23 12v12M12 15H0M12 19H0M12 23H0M15 0v12M19 0v12M23 0v12" },
  waves: { width: 40, height: 20, stroke: 1, path: [[20, 10], [0, 20], [40, 20]].map(([x, y]) => scales(x!, y!, 19, 14, 9, 4)).join("") },
  rhumb: { width: 180, height: 180, stroke: 0.8, path: winds + circle(90, 90, 22) + circle(90, 90, 60) },
  grid: { width: 48, height: 48, stroke: 1, path: "M0 .5h48M.5 0v48M12 .5v8l8 8h10M40 48v-9l-8-8" + circle(32, 16.5, 2) + circle(31, 30, 1.5) },
  tiles: { width: 40, height: 40, stroke: 1, path: "M0 0h40v40H0zM20 0l20 20-20 20L0 20z" },
  planks: { width: 160, height: 56, stroke: 1, path: "M0 .5h160M0 28.5h160M48 .5v28M128 28.5v28M8 10c20 6 20-4 34 2M60 20c30-6 50 4 90-2M10 40c40 6 60-4 110 0M134 46c10-3 16 1 26-1" },
  clouds: { width: 120, height: 60, stroke: 1, path: scales(30, 30, 22, 16, 10) + scales(56, 30, 14, 8) + scales(90, 60, 22, 16, 10) + scales(116, 60, 14, 8) + scales(-4, 60, 14, 8) },
  felt: { width: 12, height: 12, stroke: 0.7, path: "M2 2l1 1M8 3l-1 1M5 8l1-1M10 10l-1-1" },
};

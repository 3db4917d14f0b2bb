// Lines shown to a banker: examples that work now, and the right line for a slip.
import { describe, expect, test } from "vitest";
import { sceneOf, situations } from "./fixtures/games";
import { resolve } from "./resolve";
import { examples, nearest } from "./suggest";

describe.each(["en", "fr"] as const)("examples in %s", (language) => {
  test.each(situations)("%s: each has a single meaning, and each is of another kind", (name) => {
    const scene = sceneOf(name, { language });
    const lines = examples(scene);
    const readings = lines.map((line) => resolve(line, scene).readings);
    expect(lines.length).toBeGreaterThan(0);
    expect(readings.map((all) => [all.length, all[0]?.standing])).toEqual(lines.map(() => [1, "complete"]));
    expect(new Set(readings.map((all) => all[0]!.move.kind)).size).toBe(lines.length);
  });
});

test("examples have the names and amounts of the table", () => {
  expect(examples(sceneOf("np_roll"))).toEqual(["roll 5 3", "Ana pays 30 to Bruno", "loan 500"]);
  expect(examples(sceneOf("np_roll", { language: "fr" }))[1]).toBe("Ana paye 30 à Bruno");
});

test.each([
  ["np_roll", "bruno pyas ana 30", "bruno pays ana 30"],
  ["np_roll", "bruno pays anna 30", "bruno pays Ana 30"],
  ["np_roll", "brnuo apye 30 à ana", "Bruno paye 30 à ana"],
  ["np_roll", "chole pays ana 20", "Chloé pays ana 20"],
  ["np_roll", "brno paie 30 à ana", "Bruno paie 30 à ana"],
  ["np_roll", "pay ana 30 form bruno", "pay ana 30 from bruno"],
  ["np_roll", "bruno recieves 30 from ana", "bruno receives 30 from ana"],
  ["np_roll", "moregage nuketown", "mortgage nuketown"],
  ["np_roll", "build nukteown", "build Nuketown"],
  ["np_roll", "pay the whole rent", "Ana pays 30 to Bruno"],
])("%s: %s is answered with %s", (name, text, line) => expect(nearest(text, sceneOf(name))).toBe(line));

test("a right line, an empty line and mere noise get no answer", () => {
  for (const text of ["", "bruno pays ana 30", "zzzzzz qqqq"]) expect(nearest(text, sceneOf("np_roll"))).toBeNull();
});

// Tab, commands, the row of the last kinds, the notebook.
import { beforeEach, describe, expect, test } from "vitest";
import type { Entry, Kind } from "../api/types";
import { throwLike } from "./reading/amend";
import { commandOf } from "./reading/commands";
import { completions } from "./reading/complete";
import { sceneOf } from "./reading/fixtures/games";
import { kindsOf } from "./reading/kinds";
import { lex } from "./reading/lexer";
import { resolve } from "./reading/resolve";
import { Notebook } from "./notebook.svelte";
import { Recent } from "./recent.svelte";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

describe("Tab", () => {
  const scene = sceneOf("np_roll");
  const texts = (line: string, language: "en" | "fr" = "en"): string[] => completions(line, { ...scene, language }).map((one) => one.text);

  test("completes the word before the end of the line, what is due first", () => {
    expect(texts("ro")[0]).toBe("roll");
    expect(texts("lan", "fr")[0]).toBe("lancer");
    expect(texts("chl")).toEqual(["Chloé"]);
    expect(completions("a pa", scene)[0]).toEqual({ text: "pay", from: 2 });
  });
  test("gives the names that are wanted, at most eight", () => {
    expect(texts("build ")).toContain("Nuketown");
    expect(texts("build nu")).toEqual(["Nuketown"]);
    expect(completions("place ", sceneOf("vr_director"))).toHaveLength(8);
  });
  test("puts a name that begins with a digit in quotation marks", () => expect(texts("build pata")).toContain('"69 rue des patates"'));
  test("says nothing of an empty line, a command, a number", () => {
    for (const line of ["", "/un", "b120", "5"]) expect(texts(line)).toEqual([]);
  });
});

describe("commands", () => {
  const { seats } = sceneOf("np_roll");
  const meaning = (line: string): unknown => commandOf(line.split(" "), seats);

  test("in both languages, by their beginning where no other begins so", () => {
    expect(meaning("undo")).toEqual({ does: "undo" });
    expect(meaning("annuler 57")).toEqual({ does: "undo", action: 57 });
    expect(meaning("red")).toEqual({ does: "redo" });
    expect(meaning("re")).toEqual({ does: "unknown", word: "re" });
    expect(meaning("go #30.1")).toEqual({ does: "go", line: "30.1" });
    expect(meaning("aller Comptes")).toEqual({ does: "open", page: "comptes" });
    expect(meaning("find rent nuketown")).toEqual({ does: "find", words: "rent nuketown" });
    expect(meaning("où chloe")).toEqual({ does: "where", seat: "chloe" });
    expect(meaning("why b")).toEqual({ does: "why", seat: "bruno" });
    expect(meaning("couvrir")).toEqual({ does: "cover" });
  });
  test("what they need must be there", () => {
    for (const line of ["go", "find", "where zoe", "", "xyz"]) expect(meaning(line)).toMatchObject({ does: "unknown" });
  });
});

describe("the last kinds", () => {
  const verb = (text: string): { en: string; fr: string } => ({ en: text, fr: text });

  test("keep their places: a sixth takes the place of the one used longest ago", () => {
    const recent = new Recent("game");
    for (const kind of ["a", "b", "c", "d", "e", "a", "f"]) recent.use(kind, verb(kind));
    expect(recent.kinds).toEqual(["a", "f", "c", "d", "e"]);
    expect(recent.lately).toEqual(["f", "a", "e", "d", "c"]);
    expect(new Recent("game").kinds).toEqual(recent.kinds);
    expect(new Recent("other").kinds).toEqual([]);
  });
  test("what is kept and unreadable is left out", () => {
    localStorage.setItem("mabligop-recent:game", '[{"kind":5},{"kind":"a","used":1,"verb":{"en":"x","fr":"y"}},null]');
    expect(new Recent("game").kinds).toEqual(["a"]);
  });
});

test("a noted line stays noted until it is entered, also after the page was loaded again", () => {
  const notebook = new Notebook("game");
  notebook.add("53");
  notebook.add("b120");
  expect(notebook.take()).toBe("53");
  notebook.leave();
  notebook.settle();
  expect(new Notebook("game").lines).toEqual(["53", "b120"]);
  notebook.take();
  notebook.settle();
  expect(new Notebook("game").lines).toEqual(["b120"]);
  notebook.remove(0);
  expect(notebook.take()).toBe("");
});

test("a throw of the journal shows what another one looks like", () => {
  const entry = { kind: "roll", params: { dice: [2, 5] }, draws: { "movement dice": [2, 5] } } as unknown as Entry;
  const items = { type: "integer", maximum: 8 };
  const kind = { kind: "roll", parameters: { properties: { dice: { anyOf: [{ type: "array", items }, { type: "null" }] } } } } as unknown as Kind;
  expect(throwLike(entry, kind)).toMatchObject({ kind: "roll", rank: "due", draws: [{ kind: "die", count: 2, sides: 8, parameter: "dice" }] });
});

describe("the words of a line", () => {
  const scene = sceneOf("np_roll");
  const kinds = (line: string): string[] => {
    const { readings } = resolve(line, scene);
    return kindsOf(lex(line), readings[0]!, scene).map(({ from, to, kind, of }) => `${line.slice(from, to)} ${kind}${kind === "seat" ? ` ${of}` : ""}`);
  };

  test("are seats, verbs and amounts, as the reading has them; small words are none", () => {
    expect(kinds("ana pays 120 to bruno")).toEqual(["ana seat ana", "pays verb", "120 amount", "bruno seat bruno"]);
    expect(kinds("b 120")).toEqual(["b seat bruno", "120 amount"]);
  });
});

import { describe, expect, it } from "vitest";
import type { Rule } from "../api/types";
import { matching } from "./search";

const rules = [
  { id: "V.A.60", title: "Loyer doublé", requires: "Un loyer.", category: "money", decision: "" },
  { id: "V.A.6", title: "Hôtel", requires: "Un hôtel par case.", category: "property", decision: "" },
] as Rule[];
const ids = (words: string, category = ""): string[] => matching(rules, words, category).map((rule) => rule.id);

describe("the register", () => {
  it("is searched without accents and capitals, for every word", () => {
    expect(ids("HOTEL case")).toEqual(["V.A.6"]);
    expect(ids("hotel loyer")).toEqual([]);
  });
  it("gives the rule whose whole number was typed first", () => {
    expect(ids("v.a.6")).toEqual(["V.A.6", "V.A.60"]);
  });
  it("keeps to a category", () => {
    expect(ids("un", "money")).toEqual(["V.A.60"]);
  });
});

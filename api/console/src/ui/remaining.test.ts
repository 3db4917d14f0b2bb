import { describe, expect, it } from "vitest";
import { speaking } from "../i18n/language.svelte";
import { remaining, secondsOf } from "./remaining";

describe("remaining time", () => {
  it.each([
    [1, "0:01", "0:01"],
    [222, "3:42", "3:42"],
    [3599, "59:59", "59:59"],
    [3600, "1 h 00 min", "1 h 00 min"],
    [7500, "2 h 05 min", "2 h 05 min"],
    [172_691, "47 h 58 min", "47 h 58 min"],
    [172_800, "2 days", "2 jours"],
    [0, "time is over", "temps écoulé"],
  ])("%i seconds", (seconds, english, french) => {
    speaking.set("en");
    expect(remaining(seconds)).toBe(english);
    speaking.set("fr");
    expect(remaining(seconds)).toBe(french);
    speaking.set("en");
  });

  it("counts a begun second, and nothing below zero", () => {
    expect([secondsOf(1), secondsOf(1000), secondsOf(-5000)]).toEqual([1, 1, 0]);
  });
});

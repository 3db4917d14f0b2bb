// Sentences as people type them, in both languages: the reading of Enter is right, or Enter asks. It is never wrong.
import { describe, expect, test } from "vitest";
import { sceneOf } from "./fixtures/games";
import sentences from "./fixtures/sentences.json";
import { resolve } from "./resolve";
import type { Reading } from "./scene";

/** Write a reading as in the data: "ana transfer_money to=bruno amount=30". */
function written(reading: Reading, like: string): string {
  const params = reading.request.params as Record<string, unknown>;
  const parts = like.split(" ").slice(2).filter((part) => part !== "…").map((part) => {
    const name = part.split("=")[0]!;
    return `${name}=${String(params[name] ?? "")}`;
  });
  const open = reading.wants.length > 0 ? ["…"] : [];
  return [reading.seat ?? "banker", reading.move.kind, ...parts, ...open].join(" ");
}

describe.each(["en", "fr"] as const)("%s", (language) => {
  test.each(sentences[language] as [string, string, string][])("%s: %s", (scene, text, expected) => {
    const { best, readings } = resolve(text, sceneOf(scene, { language }));
    const enters = expected.endsWith("…") && best === null ? readings[0]! : best;
    expect(enters === null ? "?" : written(enters, expected)).toBe(expected);
  });
});

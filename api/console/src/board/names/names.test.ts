import { describe, expect, it } from "vitest";
import { partsOf, type Depth } from "./breaks";
import { luminanceOf, onColour } from "./contrast";
import { apart, commonSize, cut, fitted, fits } from "./fitting";
import { formsOf } from "./forms";

const measure = (text: string): number => [...text].length * 0.5;
const square = (name: string, short?: string, width = 70, height = 40) => ({ name, short, width, height, forms: [] as string[] });
const text = (...of: Parameters<typeof fitted>): string | undefined => fitted(...of)?.text;

describe("names on squares", () => {
  it("have one size, in which nine of ten fit", () => {
    const names = Array.from({ length: 9 }, (_, at) => square(`Street ${at}`));
    expect(commonSize(() => [...names, square("Constantinopolys the Great")], measure, 10, 20)).toBe(commonSize(() => names, measure, 10, 20));
  });

  it("shrink a little, break in words, and become short", () => {
    expect(fitted(square("Rue de la Paix"), 11, measure)).toEqual({ text: "Rue de la\nPaix", size: 11, line: 1.1, whole: true });
    expect(fitted(square("Constantinople"), 11, measure)).toMatchObject({ text: "Constantinople", whole: true });
    expect(fitted(square("Constantinople"), 11, measure)!.size).toBeLessThan(11);
    expect(fitted(square("Constantinopolitan", "Const."), 11, measure)).toMatchObject({ text: "Const.", whole: false });
    expect(text(square("Constantinopolis"), 11, measure)).toBe("Constantino-\npolis");
    expect(text(square("Schlossallee", undefined, 50), 11, measure)).toBe("Schloss-\nallee");
    expect(text(square("Schlossallee", undefined, 50, 20), 11, measure)).toBeUndefined();
    expect(fits("one two three four", 11, { name: "", width: 20, height: 99 }, measure)).toBe(false);
  });

  it("are cut where nothing has room, and neighbours still differ", () => {
    expect(cut(square("Constantinopolis", undefined, 40, 20), 11, measure)).toMatchObject({ text: "Consta…", whole: false });
    expect(cut(square("王府井大街", undefined, 12, 60), 11, measure)!.text).toBe("王府\n井大\n街");
    expect(cut(square("Constantinopolis", undefined, 8, 12), 11, measure)).toBeNull();
    const same = apart([square("Petersburger Tor"), square("Petersburger Turm")]);
    expect(same.map((words) => cut({ ...words, width: 40, height: 14 }, 11, measure)!.text)).toEqual(["…or", "…urm"]);
  });
});

it.each<[string, Depth, string]>([
  ["Neue Straße", "words", "Neue |Straße"],
  ["Chausseestraße", "compounds", "Chaussee-|straße"],
  ["Hausvogteiplatz", "syllables", "Haus-|vog-|tei-|platz"],
  ["Театральная", "syllables", "Теа-|траль-|ная"],
  ["天安门广场", "syllables", "天|安|门|广|场"],
  ["王府井（大街）", "syllables", "王|府|井|（大|街）"],
  ["Am Han\u00addelshof", "words", "Am |Han-|delshof"],
  ["شارع التحرير", "syllables", "شارع |التحرير"],
])("%s breaks at %s", (name, depth, parts) => {
  expect(partsOf(name, depth).map(({ text, end }) => text + end).join("|")).toBe(parts);
});

it("finds words in a script without spaces", () => {
  expect(partsOf("ถนนสุขุมวิท", "words").length).toBeGreaterThan(1);
});

describe("shorter forms", () => {
  it("shorten what names share, then leave it out, and keep what differs", () => {
    const forms = formsOf(["улица Полянка", "улица Ильинка", "Красная площадь", "Манежная площадь", "Badstraße", "Seestraße", "Opernplatz"]);
    expect(forms.get("улица Полянка")).toEqual(["ул. Полянка", "Полянка"]);
    expect(forms.get("Красная площадь")).toEqual(["Красная пл.", "Красная"]);
    expect(forms.get("Badstraße")).toEqual(["Badstr."]);
    expect(forms.get("Opernplatz")).toEqual([]);
  });

  it("are never shared by two names", () => {
    const forms = formsOf(["Group rose 1", "Group rose 2", "Tor Nord", "Tor Süd", "Bad Nord"]);
    const all = [...forms.values()].flat();
    expect(new Set(all).size).toBe(all.length);
    expect(forms.get("Group rose 1")!.at(-1)).toBe("rose 1");
  });
});

it("has a text of a contrast of 4.5 on each colour", () => {
  for (const red of [0, 51, 118, 119, 120, 186, 255])
    for (const green of [0, 90, 118, 119, 120, 255])
      for (const blue of [0, 119, 255]) {
        const colour = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
        const [paper, ink] = [luminanceOf(colour), onColour(colour) === "#fff" ? 1 : 0];
        expect((Math.max(paper, ink) + 0.05) / (Math.min(paper, ink) + 0.05)).toBeGreaterThanOrEqual(4.5);
      }
});

import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { speaking } from "../i18n/language.svelte";
import type { Schema } from "./schema";
import SchemaForm from "./SchemaForm.svelte";

beforeEach(() => speaking.set("en"));
afterEach(cleanup);

interface Shown {
  value: Record<string, unknown>;
  ready: boolean;
}

function shown(schema: Schema, value: Record<string, unknown> = {}, more: Record<string, unknown> = {}): Shown {
  const now = $state<Shown>({ value, ready: false });
  render(SchemaForm, {
    schema,
    ...more,
    get value() {
      return now.value;
    },
    set value(next) {
      now.value = next;
    },
    get ready() {
      return now.ready;
    },
    set ready(next) {
      now.ready = next;
    },
  });
  return now;
}

const type = (label: string | RegExp, text: string): Promise<unknown> => fireEvent.input(screen.getByLabelText(label), { target: { value: text } });
const press = (name: string | RegExp): Promise<unknown> => fireEvent.click(screen.getByRole("button", { name }));

const payment: Schema = {
  type: "object",
  properties: {
    amount: { "x-kind": "amount", type: "integer", minimum: 1, maximum: 500, title: "Amount", description: "In whole units." },
    why: { "x-kind": "text", type: "string", maxLength: 40, default: "rent", title: "Why" },
    open: { "x-kind": "flag", type: "boolean", default: true, title: "Open" },
    tone: { enum: ["loud", "low"], "x-kind": "enum", "x-labels": { loud: { en: "loudly", fr: "fort" }, low: { en: "softly", fr: "bas" } }, default: "low", title: "Tone" },
  },
  required: ["amount"],
};

describe("a form from a schema", () => {
  it("takes a sum for an amount, and is ready then", async () => {
    const now = shown(payment);
    expect(now.ready).toBe(false);
    await type("Amount", "3*40");
    expect(now).toEqual({ value: { amount: 120 }, ready: true });
    await type("Amount", "9*90");
    expect(screen.getByText(/At most 500/)).toBeTruthy();
    expect(now.ready).toBe(false);
  });

  it("replaces a number by the first digit, and leaves the cursor alone once one has begun to type", async () => {
    shown(payment, { amount: 120 });
    const field = screen.getByLabelText<HTMLInputElement>("Amount");
    const selected = (): string => field.value.slice(field.selectionStart!, field.selectionEnd!);
    await fireEvent.click(field);
    expect(selected()).toBe("120");
    await type("Amount", "45");
    field.setSelectionRange(1, 1);
    await fireEvent.click(field);
    expect(selected()).toBe("");
  });

  it("is not ready while something that may be left out is wrong", async () => {
    const now = shown({ ...payment, required: [] });
    expect(now.ready).toBe(true);
    await type(/^Amount/, "much");
    expect(now.ready).toBe(false);
    await type(/^Amount/, "");
    expect(now).toEqual({ value: {}, ready: true });
  });

  it("shows what counts without an answer, and gives only what differs", async () => {
    const now = shown(payment, { amount: 1 });
    expect((screen.getByLabelText("Why") as HTMLInputElement).value).toBe("rent");
    expect((screen.getByLabelText("Open") as HTMLInputElement).checked).toBe(true);
    await fireEvent.click(screen.getByLabelText("Open"));
    expect(now.value).toEqual({ amount: 1, open: false });
    await fireEvent.click(screen.getByLabelText("Open"));
    expect(now.value).toEqual({ amount: 1 });
    const tone = screen.getByLabelText("Tone") as HTMLSelectElement;
    expect(tone.selectedOptions[0]!.text).toBe("softly");
    await fireEvent.change(tone, { target: { value: "0" } });
    expect(now.value).toEqual({ amount: 1, tone: "loud" });
  });

  it("shows the service's faults at their fields, and others above", () => {
    const errors = [
      { pointer: "/amount", detail: "more than Bob has" },
      { pointer: "/elsewhere", detail: "not today" },
    ];
    shown(payment, { amount: 1 }, { errors });
    const amount = screen.getByLabelText("Amount");
    const told = amount.getAttribute("aria-describedby")!.split(" ").map((id) => document.getElementById(id)!.textContent);
    expect(told.join(" ")).toContain("In whole units.");
    expect(told.join(" ")).toContain("more than Bob has");
    expect(screen.getByRole("list", { name: "What is to be put right" }).textContent).toContain("not today");
  });

  it("adds and removes entries of a list of objects", async () => {
    const now = shown({
      type: "object",
      properties: { give: { "x-kind": "legs", type: "array", items: { $ref: "#/$defs/Leg" }, default: [], title: "Gives" } },
      $defs: { Leg: { title: "Leg", type: "object", properties: { what: { "x-kind": "text", type: "string", title: "What" } }, required: ["what"] } },
    });
    await press("Add: Gives");
    expect(now.ready).toBe(false);
    await type("What", "silk");
    expect(now).toEqual({ value: { give: [{ what: "silk" }] }, ready: true });
    await press("Add: Gives");
    await press("Remove Leg 1");
    expect(now.value).toEqual({ give: [{}] });
    await press("Remove Leg 1");
    expect(now.value).toEqual({});
  });

  it("asks for the members of the variant that was chosen, and forgets those of another", async () => {
    const variant = (op: string, label: string, member: Record<string, Schema>): Schema => ({
      type: "object",
      properties: { op: { enum: [op], "x-kind": "enum", "x-labels": { [op]: { en: label, fr: label } } }, ...member },
      required: ["op", ...Object.keys(member)],
    });
    const now = shown({
      type: "object",
      properties: {
        remedy: {
          anyOf: [{ $ref: "#/$defs/Fine" }, { $ref: "#/$defs/Say" }],
          discriminator: { propertyName: "op", mapping: { fine: "#/$defs/Fine", say: "#/$defs/Say" } },
          title: "Remedy",
        },
      },
      required: ["remedy"],
      $defs: {
        Fine: variant("fine", "Fine somebody", { amount: { "x-kind": "amount", type: "integer", title: "Amount" } }),
        Say: variant("say", "Say something", { text: { "x-kind": "text", type: "string", title: "Text" } }),
      },
    });
    await fireEvent.click(await screen.findByRole("radio", { name: "Fine somebody" }));
    await type("Amount", "30");
    expect(now).toEqual({ value: { remedy: { op: "fine", amount: 30 } }, ready: true });
    await fireEvent.click(screen.getByRole("radio", { name: "Say something" }));
    expect(now).toEqual({ value: { remedy: { op: "say" } }, ready: false });
  });

  it("reads a name as a number where it is one", async () => {
    const action: Schema = { "x-kind": "action", anyOf: [{ type: "integer" }, { type: "string" }], title: "Action" };
    const now = shown({ type: "object", properties: { action }, required: ["action"] });
    await type("Action", "57");
    expect(now.value).toEqual({ action: 57 });
    await type("Action", "30.1");
    expect(now.value).toEqual({ action: "30.1" });
  });

  it("offers what the moves offer for a parameter", async () => {
    const options = { to: [{ value: "bob", label: { en: "Bob", fr: "Bob" } }] };
    const now = shown({ type: "object", properties: { to: { "x-kind": "seat", type: "string", title: "To" } }, required: ["to"] }, {}, { options });
    await fireEvent.change(screen.getByLabelText("To"), { target: { value: "0" } });
    expect(now).toEqual({ value: { to: "bob" }, ready: true });
  });

  it("begins what must be there: a flag says no, a list is empty", () => {
    const flag: Schema = { "x-kind": "flag", type: "boolean", title: "Lift" };
    const list: Schema = { "x-kind": "list", type: "array", items: { type: "string" }, title: "Cards" };
    expect(shown({ type: "object", properties: { flag, list }, required: ["flag", "list"] })).toEqual({ value: { flag: false, list: [] }, ready: true });
  });
});

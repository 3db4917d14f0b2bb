import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { speaking } from "../../i18n/language.svelte";
import Hold from "./Hold.svelte";

const onHeld = vi.fn();
let button: HTMLElement;
/** The place of a click: a second click at one place may be taken for a slip. */
let place = 0;
let update: (props: Record<string, unknown>) => Promise<void>;

beforeEach(() => {
  vi.useFakeTimers();
  speaking.set("en");
  onHeld.mockClear();
  const rendered = render(Hold, { label: "Sell", effect: "Ana sells her house.", onHeld });
  update = (props) => rendered.rerender(props);
  button = screen.getByRole("button", { name: "Sell" });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const press = (): Promise<boolean> => fireEvent.pointerDown(button, { button: 0, isPrimary: true });
/** Click after some milliseconds; `detail` 0 is a click without a pointer. */
async function click(target: HTMLElement, ms: number, detail: 0 | 1): Promise<void> {
  vi.advanceTimersByTime(ms);
  const event = new MouseEvent("click", { bubbles: true, cancelable: true, detail, clientX: (place += 100) });
  Object.defineProperty(event, "timeStamp", { value: performance.now() });
  await fireEvent(target, event);
}

it("does its act after a press of 600 ms, once", async () => {
  await press();
  vi.advanceTimersByTime(599);
  expect(onHeld).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  await fireEvent.pointerUp(button);
  await click(button, 0, 1);
  expect(onHeld).toHaveBeenCalledOnce();
  expect(screen.queryByRole("alert")).toBeNull();
});

it("asks after a short touch, and touches of the same button only ask", async () => {
  await press();
  await fireEvent.pointerUp(button);
  await click(button, 100, 1);
  expect(screen.getByRole("alert").textContent).toContain("Ana sells her house.");
  await click(button, 80, 1);
  await click(button, 1000, 1);
  expect(onHeld).not.toHaveBeenCalled();
});

it("takes an answer only 400 ms after its question", async () => {
  await click(button, 0, 1);
  await click(screen.getByRole("button", { name: "Yes: Sell" }), 399, 1);
  expect(onHeld).not.toHaveBeenCalled();
  await click(screen.getByRole("button", { name: "Yes: Sell" }), 1, 1);
  expect(onHeld).toHaveBeenCalledOnce();
});

it("asks a keyboard with the focus on not yet, which leaves like Escape, and takes Ctrl+Enter at once", async () => {
  for (const leave of [() => fireEvent.keyDown(document.activeElement!, { key: "Escape" }), () => fireEvent.click(document.activeElement!)]) {
    await click(button, 500, 0);
    await vi.waitFor(() => expect(document.activeElement?.textContent).toBe("Not yet"));
    await leave();
    expect(screen.queryByRole("alert")).toBeNull();
    expect(document.activeElement).toBe(button);
  }
  await click(button, 500, 0);
  expect(onHeld).not.toHaveBeenCalled();
  await click(screen.getByRole("button", { name: "Yes: Sell" }), 400, 0);
  expect(onHeld).toHaveBeenCalledOnce();
  await fireEvent.keyDown(button, { key: "Enter", ctrlKey: true });
  expect(onHeld).toHaveBeenCalledTimes(2);
});

it("does nothing if the effect changes during the press, or while disabled", async () => {
  await press();
  vi.advanceTimersByTime(500);
  await update({ effect: "Ana sells two houses." });
  vi.advanceTimersByTime(500);
  await update({ disabled: true });
  await press();
  vi.advanceTimersByTime(700);
  expect(onHeld).not.toHaveBeenCalled();
});

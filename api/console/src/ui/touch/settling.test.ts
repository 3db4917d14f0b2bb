import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { pageChanged } from "./settling";

const act = vi.fn();
let button: HTMLButtonElement;
let x = 0;

beforeEach(() => {
  vi.useFakeTimers();
  act.mockClear();
  button = document.createElement("button");
  button.addEventListener("click", act);
  document.body.append(button);
  x += 1000;
  // The clock of each test begins anew.
  vi.advanceTimersByTime(x * 10);
});
afterEach(() => {
  button.remove();
  vi.useRealTimers();
});

function touch(offset = 0, detail = 1): void {
  button.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, clientX: x + offset, clientY: 9, detail }));
}

it("does nothing for a second touch at the place of the first, as long as the page is new", () => {
  touch();
  pageChanged();
  vi.advanceTimersByTime(399);
  touch(10);
  expect(act).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  touch(10);
  expect(act).toHaveBeenCalledTimes(2);
});

it("lets pass a touch of an unchanged page, of another place, of a key, and after a while", () => {
  touch();
  vi.advanceTimersByTime(2000);
  pageChanged();
  touch();
  pageChanged();
  touch(300);
  pageChanged();
  touch(300, 0);
  expect(act).toHaveBeenCalledTimes(4);
});

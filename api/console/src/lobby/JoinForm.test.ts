import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session, type Credential } from "../game/session.svelte";
import { speaking } from "../i18n/language.svelte";
import JoinForm from "./JoinForm.svelte";

const joined = { game: "g1", rulebook: "r", title: "Friday", role: "player", seat: "ana", name: "Ana", token: "g1.secret" };
const table = {
  title: "Friday",
  rulebook: "r",
  rulebook_title: "The game",
  role: "player",
  letter: "A",
  seats: [{ name: "Ana", letter: "A", colour: 0, occupied: true }, { name: "Bob", letter: "B", colour: 1, occupied: false }],
};
const problem = { type: "/problems/code-refused", title: "The code opens nothing", status: 410, detail: "the code opens nothing" };

beforeEach(() => {
  localStorage.clear();
  speaking.set("en");
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const answer = (body: unknown, status: number): Response => new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
const press = (): Promise<unknown> => fireEvent.submit(screen.getByRole("textbox").closest("form")!);

it("repeats a request whose answer was lost with the same key, keeps the token, and opens the player's page", async () => {
  const sent: { key: string | null; body: string }[] = [];
  const answers = [() => Promise.reject(new TypeError("cut")), () => Promise.resolve(answer(joined, 200))];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.url.endsWith("/join/table")) return answer(table, 200);
    sent.push({ key: request.headers.get("Idempotency-Key"), body: await request.text() });
    return answers[sent.length - 1]!();
  });
  render(JoinForm, { code: " kf7m-2qmx " });
  // The phone reads whose place it is, who sits where, and that another phone goes, before it takes the place.
  await screen.findByText("You are Ana.");
  expect(screen.getByText(/that phone is shut out/)).toBeTruthy();
  expect(screen.getAllByRole("listitem").map((item) => item.textContent!.replace(/\s+/g, " ").trim())).toEqual(["A Ana you", "B Bob nobody yet"]);
  await press();
  await screen.findByText(/No answer came/);
  expect(session.games()).toEqual([]);
  await press();
  await waitFor(() => expect(session.of("g1")).toEqual([{ ...joined, code: "kf7m-2qmx" }]));
  expect(sent[0]!.body).toBe('{"code":"kf7m-2qmx"}');
  expect(sent[1]).toEqual(sent[0]);
  expect(location.pathname).toBe("/g/g1/play");
  expect(document.body.textContent).not.toContain("secret");
});

it("opens the game again with a used code, however it is typed, and asks nobody", async () => {
  session.keep({ ...joined, role: "player", code: "KF7M-2QMX" } as Credential);
  const fetch = vi.fn();
  vi.stubGlobal("fetch", fetch);
  render(JoinForm, { code: "kf7m2qmx " });
  await press();
  await waitFor(() => expect(location.pathname).toBe("/g/g1/play"));
  expect(fetch).not.toHaveBeenCalled();
});

it("puts the dash into a typed code, and looks after the last letter", async () => {
  const fetch = vi.fn((request: Request) => Promise.resolve(answer(table, request.url.endsWith("/join/table") ? 200 : 500)));
  vi.stubGlobal("fetch", fetch);
  render(JoinForm);
  const field = screen.getByRole<HTMLInputElement>("textbox");
  for (const [typed, shown] of [["kf7m", "kf7m"], ["kf7m2", "KF7M-2"], ["KF7M-2qm", "KF7M-2QM"], ["KF7M-2QMx", "KF7M-2QMX"]]) {
    expect(fetch).not.toHaveBeenCalled();
    await fireEvent.input(field, { target: { value: typed } });
    expect(field.value).toBe(shown);
  }
  await screen.findByText("You are Ana.");
});

it("says why a code is refused, and keeps nothing", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(answer(problem, 410)));
  render(JoinForm, { code: "OLD" });
  await press();
  expect((await screen.findByText(/Ask the banker for a new one/)).getAttribute("role")).toBe("status");
  expect(session.games()).toEqual([]);
});

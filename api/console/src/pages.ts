// Every page: its roles and its component. Each component is loaded on its first use.
import type { Component } from "svelte";
import type { Credential } from "./game/session.svelte";

type Role = Credential["role"];
export interface Page {
  roles: readonly Role[];
  load: () => Promise<{ default: Component<{ subpath: string }> }>;
  /** Pages that fill the window, without the frame of their role. */
  bare?: boolean;
  /** Pages reached from other pages, without a link in the frame. */
  unlisted?: boolean;
  /** Pages with a link after the end of the game only. */
  last?: boolean;
}

const ALL: readonly Role[] = ["banker", "player", "spectator"];

/** The pages of a game by the first part of their path, in the order of their links. `subpath` is the remaining path. */
export const pages: Record<string, Page> = {
  desk: { roles: ["banker"], load: () => import("./frame/Desk.svelte") },
  wall: { roles: ["spectator"], load: () => import("./wall/Wall.svelte"), bare: true },
  journal: { roles: ALL, load: () => import("./journal/page/JournalPage.svelte") },
  correct: { roles: ["banker"], load: () => import("./correct/Workbench.svelte"), unlisted: true },
  docket: { roles: ALL, load: () => import("./docket/Docket.svelte") },
  accounts: { roles: ALL, load: () => import("./accounts/Accounts.svelte") },
  agreements: { roles: ALL, load: () => import("./agreements/Agreements.svelte") },
  replay: { roles: ALL, load: () => import("./replay/Replay.svelte") },
  statistics: { roles: ALL, load: () => import("./statistics/Statistics.svelte") },
  rules: { roles: ALL, load: () => import("./rules/Rules.svelte") },
  seats: { roles: ["banker"], load: () => import("./lobby/Seats.svelte") },
  keep: { roles: ["banker"], load: () => import("./lobby/Keep.svelte") },
  play: { roles: ["player"], load: () => import("./phone/Play.svelte"), unlisted: true },
  precedents: { roles: ALL, load: () => import("./docket/Precedents.svelte"), unlisted: true },
  why: { roles: ALL, load: () => import("./accounts/Why.svelte"), unlisted: true },
  result: { roles: ALL, load: () => import("./result/Result.svelte"), bare: true, last: true },
};

/** Return the names of the pages with a link in the frame of a role, in order. */
export function listedFor(role: Role, ended: boolean): string[] {
  return Object.entries(pages).flatMap(([name, page]) => (page.roles.includes(role) && !page.unlisted && (ended || !page.last) ? [name] : []));
}

/** Return the start page of a role. */
export function startOf(role: Role): string {
  return role === "banker" ? "desk" : role === "player" ? "play" : "wall";
}

import { beforeEach, describe, expect, it } from "vitest";
import { session, type Credential } from "./session.svelte";

const banker: Credential = { game: "g1", rulebook: "town", title: "Friday", role: "banker", token: "g1.b" };
const ana: Credential = { ...banker, role: "player", seat: "ana", name: "Ana", token: "g1.a" };

describe("the credentials of this device", () => {
  beforeEach(() => {
    localStorage.clear();
    sessionStorage.clear();
  });

  it("keeps a banker's and a player's of one game, and gives each page the one that fits", () => {
    session.keep(ana);
    session.keep(banker);
    expect(session.of("g1").map((one) => one.role)).toEqual(["banker", "player"]);
    expect(session.credentialFor("g1", ["player"])?.seat).toBe("ana");
    expect(session.credentialFor("g1", ["banker", "player", "spectator"])?.role).toBe("banker");
    session.choose(ana);
    expect(session.credentialFor("g1", ["banker", "player", "spectator"])?.seat).toBe("ana");
  });

  it("puts a new key of a seat in the place of the earlier one", () => {
    session.keep(ana);
    session.keep({ ...ana, token: "g1.a2" });
    expect(session.of("g1").map((one) => one.token)).toEqual(["g1.a2"]);
  });

  it("forgets one key, or all of a game, and leaves nothing behind", () => {
    session.keep(banker);
    session.keep(ana);
    session.forget("g1", "g1.a");
    expect(session.of("g1")).toEqual([banker]);
    session.forget("g1");
    expect(localStorage.length).toBe(0);
    expect(session.games()).toEqual([]);
  });

  it("takes what is no credential for nothing", () => {
    localStorage.setItem("mabligop:g1", "{broken");
    localStorage.setItem("mabligop:g2", JSON.stringify([{ token: 1 }, null, { ...ana, game: "other" }]));
    expect(session.games()).toEqual([]);
  });
});

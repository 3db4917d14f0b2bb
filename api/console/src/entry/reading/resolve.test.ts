// Lines as typed by a banker, against the moves of recorded games.
import { describe, expect, test } from "vitest";
import type { Entry, Move } from "../../api/types";
import { amend, amendedLine } from "./amend";
import { sceneOf, situations } from "./fixtures/games";
import { lex, plain, sumOf, throwOf } from "./lexer";
import { resolve } from "./resolve";
import type { Scene } from "./scene";

/** The action of Enter. */
function performs(line: string, scene: Scene): unknown {
  const best = resolve(line, scene).best;
  return best && [best.request.seat ?? "banker", best.request.kind, best.request.params, ...(best.request.settle ? ["settle"] : [])];
}
function standings(line: string, scene: Scene): string[] {
  return resolve(line, scene).readings.map((one) => `${one.standing} ${one.seat ?? "banker"} ${one.move.kind}`);
}
function moveIn(situation: string, kind: string): Move {
  return sceneOf(situation).moves.flatMap((one) => one.moves).find((move) => move.kind === kind)!;
}
const list = { properties: { drawn: { anyOf: [{ type: "array" }, { type: "null" }] } } };

describe("a turn with dice: Ana is to roll", () => {
  const scene = sceneOf("np_roll");
  const rolls = ["ana", "roll_dice", { dice: [5, 3] }];

  test.each(["53", "5 3", "ana 5 3", "a53", "roll 53", "lance 5 3", "jet 53"])("%s is her roll", (line) => {
    expect(performs(line, scene)).toEqual(rolls);
  });
  test("one die of two is not a roll yet, three are none", () => {
    expect(resolve("5", scene).readings[0]).toMatchObject({ standing: "incomplete", wants: [{ kind: "dice", count: 1 }] });
    expect(standings("533", scene)).not.toContain("complete ana roll_dice");
    expect(performs("57", scene)).toBeNull();
  });
  test("an empty line lists what is due, and her name alone asks for the dice", () => {
    expect(standings("", scene)).toEqual(["incomplete ana roll_dice", "choose banker resume_clock"]);
    expect(performs("", scene)).toBeNull();
    expect(standings("a", scene)).toEqual(["incomplete ana roll_dice"]);
  });

  test.each([
    ["b120", "ana", "bruno"],
    ["cb120", "chloe", "bruno"],
    ["cb3*40", "chloe", "bruno"],
    ["ana paye 3*40 bruno", "ana", "bruno"],
    ["ana pays bruno 120", "ana", "bruno"],
    ["ANA PAIE 100+20 À BRUNO", "ana", "bruno"],
    ["b 120 to a", "bruno", "ana"],
    ["pay chloé 120", "ana", "chloe"],
    ["payer c 120", "ana", "chloe"],
  ])("%s is a payment", (line, from, to) => {
    expect(performs(line, scene)).toEqual([from, "transfer_money", { to, amount: 120 }]);
  });
  test("an amount that could be a throw must be chosen", () => {
    expect(performs("b53", scene)).toBeNull();
    expect(standings("b53", scene)[0]).toBe("choose ana transfer_money");
    expect(performs("b530", scene)).toEqual(["ana", "transfer_money", { to: "bruno", amount: 530 }]);
  });
  test("with two at the table the payment has its taker, and an amount alone must be chosen all the same", () => {
    const pay = moveIn("np_roll", "transfer_money");
    const { choice: _, ...rest } = pay;
    const to = (name: string): object => ({ en: `Pay ${name}`, fr: `Payer ${name}` });
    const only = { ...rest, label: to("Bruno"), params: { amount: 1, to: "bruno" } } as Move;
    const two = { ...scene, seats: scene.seats.filter((one) => ["ana", "bruno"].includes(one.seat)), moves: [{ seat: "ana", moves: [only] }, { seat: "bruno", moves: [{ ...only, label: to("Ana"), params: { amount: 1, to: "ana" } } as Move] }] };
    expect(performs("120", two)).toBeNull();
    expect(standings("5", two)).toEqual(["choose ana transfer_money"]);
    expect(performs("b120", two)).toEqual(["ana", "transfer_money", { to: "bruno", amount: 120 }]);
    expect(performs("ba120", two)).toEqual(["bruno", "transfer_money", { to: "ana", amount: 120 }]);
    expect(performs("take 30 from bruno", two)).toEqual(["bruno", "transfer_money", { to: "ana", amount: 30 }]);
    expect(performs("give 30 to bruno", two)).toEqual(["ana", "transfer_money", { to: "bruno", amount: 30 }]);
    for (const line of ["give 30 to ana", "ana gets 30", "ana is paid 30", "ana pays ana 30"]) expect(resolve(line, two).readings).toEqual([]);
    expect([resolve("ana pays ana 30", two).alone, resolve("30 d'ana à ana", two).alone]).toEqual(["ana", "ana"]);
  });
  test.each(["loan bruno 200", "prêt bruno 200", "bruno emprunte 200", "bruno pret 200"])("%s is Bruno's loan", (line) => {
    expect(performs(line, scene)).toEqual(["bruno", "take_loan", { amount: 200 }]);
  });
  test("an amount alone becomes neither a loan nor a payment", () => {
    expect(performs("200", scene)).toBeNull();
    expect(standings("200", scene).filter((one) => !one.startsWith("incomplete"))).toEqual([]);
  });
  test.each(["ana construit 69", "build 69", "bâtir 69 rue des patates", 'a build "69 rue des patates"'])("%s is a house", (line) => {
    expect(performs(line, scene)).toEqual(["ana", "build_house", { title: "69_rue_des_patates" }]);
  });
  test("a sale to the bank and one to a player", () => {
    expect(performs("sell 69", scene)).toEqual(["ana", "sell_property", { title: "69_rue_des_patates" }]);
    expect(performs("sell 69 bruno 90", scene)).toEqual(["ana", "sell_property", { title: "69_rue_des_patates", to: "bruno", price: 90 }]);
  });
  test.each(["a deal 100+glock > b nuketown 'no rent", "a accord 100 + 1x glock > b nuketown 'no rent"])("%s has two sides and a clause", (line) => {
    expect(performs(line, scene)).toEqual([
      "ana",
      "propose_deal",
      {
        clauses: ["no rent"],
        legs: [
          { amount: 100, commodity: "NGD", giver: "ana", taker: "bruno" },
          { amount: 1, commodity: "glock26", giver: "ana", taker: "bruno" },
          { amount: 1, commodity: "title:nuketown", giver: "bruno", taker: "ana" },
        ],
      },
    ]);
  });
  test("one side of a deal is no deal yet", () => {
    expect(resolve("a deal 100+glo", scene)).toMatchObject({ best: null, readings: [{ standing: "incomplete", wants: [{ kind: "legs" }] }] });
  });
  test("the reason after an exclamation mark waives, a question mark only asks", () => {
    expect(resolve("b120 !la table est d'accord", scene).best?.request.override).toEqual({ reason: "la table est d'accord" });
    expect(lex("b120?")).toMatchObject({ explains: true, pieces: [{ raw: "b120" }] });
  });
  test("the third of the last kinds needs no verb", () => {
    const recent = ["roll_dice", "end_turn", "take_loan"];
    expect(performs(",3 200", { ...scene, recent })).toEqual(["ana", "take_loan", { amount: 200 }]);
    expect(performs(",3b200", { ...scene, recent })).toEqual(["bruno", "take_loan", { amount: 200 }]);
    expect(performs(",9 200", { ...scene, recent })).toBeNull();
  });
  test("what nobody may do now is named with the seat", () => {
    const kinds = [moveIn("np_buy", "buy_property")];
    expect(resolve("b buy", { ...scene, kinds }).closed).toMatchObject([{ kind: { kind: "buy_property" }, seat: "bruno" }]);
  });
  test("a line that means nothing says where it stops", () => {
    expect(resolve("roll zzz", scene)).toMatchObject({ best: null, readings: [], sound: 5 });
  });
});

describe("a throw typed before the turn before it ended", () => {
  const scene = sceneOf("np_buy", { throws: [moveIn("np_roll", "roll_dice")] });

  test("the next seat's throw lets the turn end first", () => {
    expect(performs("53", scene)).toEqual(["chloe", "roll_dice", { dice: [5, 3] }, "settle"]);
    expect(performs("chloe rolls 5 3", scene)).toEqual(["chloe", "roll_dice", { dice: [5, 3] }, "settle"]);
  });
  test("with a seat it may be a payment, too: one must be chosen", () => {
    expect(performs("b53", scene)).toBeNull();
    expect(standings("b53", scene).slice(0, 2)).toEqual(["choose ana transfer_money", "choose bruno roll_dice"]);
  });
  test.each(["buy", "achète", "acheter", "a buy", "purchase mp7"])("%s buys the title", (line) => {
    expect(performs(line, scene)).toEqual(["ana", "buy_property", { title: "mp7_studio" }]);
  });
  test.each(["end turn", "fin tour", "done"])("%s ends the turn", (line) => {
    expect(performs(line, scene)).toEqual(["ana", "end_turn", {}]);
  });
  test("a seat alone with several due steps must be chosen", () => {
    expect(performs("a", scene)).toBeNull();
    expect(standings("a", scene)).toEqual(["choose ana end_turn", "choose ana buy_property", "choose ana decline_property"]);
  });
});

test("Enter takes the only step of the turn, or the first step of the only seat; a turn with only its end left comes last", () => {
  const scene = sceneOf("np_stop");
  const due = scene.moves.flatMap(({ seat, moves }) => moves.filter((move) => move.rank === "due" && seat !== undefined).map((move) => ({ seat, move })));
  const [{ seat, move }] = due as [(typeof due)[number]];
  const second = { ...move, id: "second", kind: "second" };
  const moves = [{ seat, moves: [move, second] }];
  expect(resolve("", { ...scene, moves }).readings.map((reading) => reading.move.kind)).toEqual([move.kind, "second"]);
  expect(performs("", { ...scene, moves })).toEqual([seat, move.kind, {}]);
  const another = scene.seats.find((candidate) => candidate.seat !== seat)!.seat;
  const both = { ...scene, turn: seat!, moves: [{ seat, moves: [move] }, { seat: another, moves: [second] }] };
  expect(resolve("", both).readings.map((reading) => reading.seat)).toEqual([seat, another]);
  const end: Move = { ...move, confirm: "hold" };
  const over = { ...both, moves: [{ seat, moves: [end] }, { seat: another, moves: [second] }] };
  expect(resolve("", over).readings.map((reading) => reading.seat)).toEqual([another, seat]);
  expect(performs("", both)).toEqual([seat, move.kind, {}]);
  expect(performs("", over)).toBeNull();
  expect(performs("", { ...both, moves: [{ seat, moves: [move, second] }, { seat: another, moves: [second] }] })).toBeNull();
});

test("only the stop is due: an empty line and the seat's letter perform it", () => {
  const scene = sceneOf("np_stop");
  for (const line of ["", "d", "driss", "resolve", "appliquer"]) expect(performs(line, scene)).toEqual(["driss", "resolve_square", {}]);
});

describe("an auction with three bidders, a trade, a card", () => {
  const auction = sceneOf("mono_auction");

  test.each(["c140", "chloé 140", "c bid 140", "chloe mise 140"])("%s is Chloé's bid", (line) => {
    expect(performs(line, auction)).toEqual(["chloe", "bid", { amount: 140 }]);
  });
  test("an amount alone is one of three bids: it must be chosen", () => {
    expect(performs("140", auction)).toBeNull();
    expect(standings("140", auction)).toEqual(["complete chloe bid", "complete ana bid", "complete bruno bid"]);
  });
  test("a second seat that no move takes is refused", () => {
    expect(resolve("ac mortgage konoha", auction)).toMatchObject({ best: null, readings: [] });
  });
  test.each(["53", "ana 5 3", "lancer 53"])("%s is Ana's roll", (line) => {
    expect(performs(line, sceneOf("mono_roll"))).toEqual(["ana", "roll_and_move", { dice: [5, 3] }]);
  });
  test("a trade has what is given and what is asked for", () => {
    expect(performs("a trade bleu clair 1 + 50 > c rose 1", sceneOf("mono_roll"))).toEqual([
      "ana",
      "propose_trade",
      { to: "chloe", give: [{ amount: 1, commodity: "title:bleu_clair_1" }, { amount: 50, commodity: "M" }], ask: [{ amount: 1, commodity: "title:rose_1" }] },
    ]);
  });
  test.each(["mission 8", "draw mission 8", "tirer mission 08"])("%s is the drawn card", (line) => {
    expect(performs(line, sceneOf("mono_card"))).toEqual(["bruno", "draw_card", { card: "mission_08" }]);
  });
});

describe("offers of hidden hands", () => {
  const scene = sceneOf("neg_offers");

  test.each(["offer jade + 3", "offre jade et 3", "c offre jade 3", "jade 3"])("%s is a card and coins, face up", (line) => {
    expect(performs(line, scene)).toEqual(["chloe", "make_offer", { face: "up", card: "good:8", coins: 3 }]);
  });
  test("an empty line lists every due offer once", () => {
    const keys = resolve("", scene).readings.map((one) => one.key);
    expect(keys.length).toBeGreaterThan(3);
    expect(new Set(keys).size).toBe(keys.length);
  });
  test("face down is typed", () => {
    expect(performs("offer jade down", scene)).toEqual(["chloe", "make_offer", { face: "down", card: "good:8" }]);
  });
  test.each(["accept b", "accepter bruno", "ana accept b"])("%s takes Bruno's offer as it is now", (line) => {
    expect(performs(line, scene)).toEqual(["ana", "accept_offer", { buyer: "bruno", revision: "15" }]);
  });
  test("a seat alone never accepts", () => {
    expect(performs("b", scene)).toBeNull();
    expect(performs("d", scene)).toBeNull();
  });
});

describe("places by their number", () => {
  test.each(["5", "place 5", "a5", "placer 5"])("%s places the Director", (line) => {
    expect(performs(line, sceneOf("vr_director"))).toEqual(["ana", "place_director", { place: 5 }]);
  });
  const scene = sceneOf("vr_influence", { schemas: { influence_add: list } });
  test.each(["move 5", "déplacer 5"])("%s moves influence from there", (line) => {
    expect(performs(line, scene)).toEqual(["ana", "influence_move", { source: 5 }]);
  });
  test.each(["inf server 5", "ajouter server 5"])("%s adds influence with the drawn card", (line) => {
    expect(performs(line, scene)).toEqual(["ana", "influence_add", { drawn: ["server_5"] }]);
  });
  test.each(["skip", "passer", "work", "travail"])("%s", (line) => {
    expect((performs(line, scene) as unknown[])[1]).toBe(line.startsWith("s") || line === "passer" ? "skip_influence" : "work");
  });
});

test("what the service still lacks follows the action", () => {
  const asked = { kind: "roll_dice", params: { dice: [5, 3] }, seat: "ana" };
  const edit = { ...asked, params: { dice: [5, 3], draws: [null] } };
  const needs = { [JSON.stringify(asked)]: [{ kind: "die" as const, label: "weather die", deck: null, count: 1, edit, at: "/params/draws/0" }] };
  const scene = sceneOf("np_roll", { needs });
  expect(resolve("53", scene)).toMatchObject({ best: null, readings: [{ standing: "incomplete", wants: [{ word: "weather die" }] }, {}] });
  expect(performs("53 4", scene)).toEqual(["ana", "roll_dice", { dice: [5, 3], draws: [4] }]);
});

describe("amendments", () => {
  const scene = sceneOf("np_roll");
  const line = (action: number, kind: string, seat: string, params: object, draws = {}): Entry =>
    ({ action, number: action, kind, seat, params, draws, status: "effective" }) as unknown as Entry;
  const lines = [
    line(53, "roll_dice", "ana", { dice: [2, 5], draws: null }, { "movement dice": [2, 5] }),
    line(57, "transfer_money", "chloe", { to: "bruno", amount: 12 }),
  ];

  test("=54: the newest throw was another one", () => {
    const amended = amendedLine(lex("=54"), lines)!;
    expect(amend("=54", scene, amended)).toEqual({ action: 53, edits: [{ op: "replace", action: 53, params: { dice: [5, 4] } }] });
    expect(amend("=5", scene, amended)).toBeNull();
  });
  test("#57=cb120: the line was another payment", () => {
    const amended = amendedLine(lex("#57=cb120"), lines)!;
    expect(amend("#57=cb120", scene, amended)).toEqual({ action: 57, edits: [{ op: "replace", action: 57, params: { to: "bruno", amount: 120 } }] });
  });
  test("of another seat, it is dropped and inserted anew", () => {
    const amended = amendedLine(lex("#57=ab120"), lines)!;
    expect(amend("#57=ab120", scene, amended)?.edits).toEqual([
      { op: "drop", action: 57 },
      { op: "insert", after: 57, action: { kind: "transfer_money", seat: "ana", params: { to: "bruno", amount: 120 } } },
    ]);
  });
  test("a line that is not there is no line", () => expect(amendedLine(lex("#99=12"), lines)).toBeNull());
});

test("sums and throws", () => {
  expect([sumOf("3*40"), sumOf("100+50-20"), sumOf("1k"), sumOf("9/2"), sumOf("7-9"), sumOf("1/0")]).toEqual([120, 130, 1000, null, null, null]);
  expect([throwOf("53", 2, 6), throwOf("12.4", 2, 20), throwOf("12", 1, 20), throwOf("70", 2, 6)]).toEqual([[5, 3], [12, 4], [12], null]);
  expect(plain("Élysée À")).toBe("elysee a");
});

describe("10,000 lines at random", () => {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
  const lineOf = (words: string[], most: number): string => Array.from({ length: 1 + random(most) }, () => words[random(words.length)]! + (random(3) ? " " : "")).join("");

  test("none throws, and what Enter takes lacks nothing", () => {
    const words = ["a", "b", "bruno", "chloé", "53", "5", "120", "12.4", "3*40", "pay", "paye", "loan", "prêt", "roll", "deal", ">", "+", "'", "'no", "!", "!why", "?", "#57", "#1.2", "=", ",3", "/", "élysée", '"', "glock", "2x", "à", "to", "cb120", "b53", "offer", "jade", "🎲", "́", "1e9", "99999999999999999999", "/undo", "me", "…", "é", "from", "d'", "de", "gets", "reçoit", "by", "→", "->", "₦", "1,200", "200", ".", "(2)", "'s", "not"];
    const scenes = situations.map((name) => sceneOf(name));
    for (let round = 0; round < 8500; round++) {
      const line = lineOf(words, 6);
      const found = resolve(line, scenes[round % scenes.length]!);
      expect(new Set(found.readings.map((one) => one.key)).size).toBe(found.readings.length);
      if (found.best) expect(found.best).toMatchObject({ standing: "complete", wants: [] });
      expect(found.sound).toBeLessThanOrEqual(line.length);
    }
  });
  test("other names in a payment are other seats in the same parts", () => {
    const small = ["", "", "from ", "to ", "for ", "by ", "→ ", "de ", "à ", "pour ", "par ", "d'", "de la part de "];
    const verbs = ["", "", "pay", "pays", "gives", "gets", "takes", "is paid", "owes", "paie", "donne", "reçoit", "prend", "est payée", "doit"];
    const fillers = ["", "please", "the rent", "s'il te plaît", "and", "a", "not", "bank"];
    const any = (among: string[]): string => among[random(among.length)]!;
    const shuffled = (parts: string[]): string => parts.map((part) => [random(1000), part] as const).sort(([a], [b]) => a - b).map(([, part]) => part).join(" ");
    const scenes = ["np_roll", "np_stop"].map((name) => sceneOf(name));
    const pairs = [["ana", "bruno"], ["chloe", "driss"], ["bruno", "chloe"]] as const;
    let payments = 0;
    for (let round = 0; round < 1500; round++) {
      const text = shuffled([`${any(small)}@`, `${any(small)}&`, any(["30", "1 200", "₦45"]), any(verbs), any(fillers)]);
      const [first, second] = pairs[round % pairs.length]!;
      const scene = scenes[round % scenes.length]!;
      const paid = (at: string, and: string): string[] => {
        const named = resolve(text.replaceAll("@", at).replaceAll("&", and), scene).readings.filter((one) => one.move.bare && one.wants.length === 0 && one.named);
        return named.map((one) => [one.standing, one.seat, one.request.params!["to"], one.request.params!["amount"]].join()).sort();
      };
      const swap = (reading: string): string => reading.split(",").map((part) => (part === first ? second : part === second ? first : part)).join();
      const read = paid(first, second);
      payments += read.length;
      expect([text, ...paid(second, first)]).toEqual([text, ...read.map(swap).sort()]);
    }
    expect(payments).toBeGreaterThan(200);
  });
});

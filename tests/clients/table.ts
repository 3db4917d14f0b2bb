// A client as somebody would write it for a table of Negopoly: it buys, rules, and reads why.
// `api.d.ts` is generated. What must not compile is marked with @ts-expect-error.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

declare const process: { argv: string[] };

type Schemas = components["schemas"];

function client(address: string, token?: string) {
  return createClient<paths>({ baseUrl: address, headers: token ? { Authorization: `Bearer ${token}` } : {} });
}

class Table {
  private readonly api: ReturnType<typeof client>;

  constructor(address: string, private readonly game: string, banker: string) {
    this.api = client(address, banker);
  }

  static async opened(address: string): Promise<Table> {
    const { data, error } = await client(address).POST("/api/v1/games", {
      body: {
        rulebook: "negopoly",
        players: [{ seat: "ana", name: "Ana" }, { seat: "bob", name: "Bob" }],
        dice: "table",
      },
    });
    if (error) throw new Error(error.detail);
    return new Table(address, data.game, data.tokens.banker);
  }

  async act(action: Schemas["NegopolyAction"]): Promise<Schemas["NegopolyEntry"]> {
    const { data, error } = await this.api.POST("/api/v1/games/{game}/actions", {
      params: { path: { game: this.game }, header: { "Idempotency-Key": crypto.randomUUID() } },
      body: action,
    });
    if (error) throw new Error(`${error.type}: ${error.detail} (${error.rule ?? "no rule"})`);
    return data as Schemas["NegopolyEntry"];
  }

  async start(): Promise<void> {
    for (const seat of ["ana", "bob"]) {
      await this.act({ kind: "join_game", params: { persona: `Don ${seat}` }, seat });
      await this.act({ kind: "choose_starter_perk", params: { perk: "money" }, seat });
    }
    await this.act({ kind: "start_game" });
  }

  /** Ana gives Bob 5, rolls, and buys what she stops on: how each event of the purchase tells it. */
  async buy(): Promise<string[]> {
    await this.act({ kind: "transfer_money", params: { to: "bob", amount: 5 }, seat: "ana" });
    await this.act({ kind: "roll_dice", params: { dice: [1, 2] }, seat: "ana" });
    const bought = await this.act({ kind: "buy_property", seat: "ana" });
    return bought.events.map((event) => {
      switch (event.kind) {
        case "title_bought":
          return `${event.data.seat}, ${event.data.title}, ${event.data.price}: ${event.text}`;
        case "money_transferred":
          // @ts-expect-error: a gift has no price
          return event.data.price;
        default:
          return event.text;
      }
    });
  }

  async mistakes(): Promise<void> {
    // @ts-expect-error: an amount is a number
    await this.act({ kind: "transfer_money", params: { to: "bob", amount: "5" }, seat: "ana" });
    // @ts-expect-error: a gift has an amount
    await this.act({ kind: "transfer_money", params: { to: "bob" }, seat: "ana" });
    // @ts-expect-error: a gift has no price
    await this.act({ kind: "transfer_money", params: { to: "bob", amount: 5, price: 5 }, seat: "ana" });
    // @ts-expect-error: nobody can fly
    await this.act({ kind: "fly", params: {}, seat: "ana" });
    // @ts-expect-error: no ruling orders that
    const remedy: Schemas["NegopolyRemedy"] = { op: "frown" };
  }

  /** The amounts that were given away, of a journal in which a viewer may not see every parameter. */
  async gifts(): Promise<number[]> {
    const { data } = await this.api.GET("/api/v1/games/{game}/actions", {
      params: { path: { game: this.game }, query: { limit: 50 } },
    });
    return (data?.actions ?? []).flatMap((entry) =>
      entry.kind === "transfer_money" ? [entry.params.amount ?? 0] : [],
    );
  }

  /** A dispute, and the ruling on it. */
  async rule(): Promise<string> {
    const path = { game: this.game };
    const opened = await this.api.POST("/api/v1/games/{game}/disputes", {
      params: { path },
      body: { claim: "She broke a glass.", actions: [7], seat: "bob" },
    });
    if (opened.error) throw new Error(opened.error.detail);
    const remedies: Schemas["NegopolyRemedy"][] = [{ op: "fine", seat: "ana", amount: 5, reason: "a glass" }];
    const ruled = await this.api.POST("/api/v1/games/{game}/disputes/{dispute}/rulings", {
      params: { path: { ...path, dispute: String(opened.data.number) } },
      body: { finding: "Ana pays for the glass.", remedies },
    });
    if (ruled.error) throw new Error(ruled.error.title);
    const entry = "entry" in ruled.data ? ruled.data.entry : ruled.data;
    return entry.kind === "rule" ? `ruling: ${entry.params.finding}` : entry.kind;
  }

  /** What correcting a mistyped gift would change. The parameters of an inserted action are those of its kind. */
  async preview(): Promise<number> {
    const { data, error } = await this.api.POST("/api/v1/games/{game}/corrections", {
      params: { path: { game: this.game } },
      body: {
        reason: "forgotten",
        dry_run: true,
        cascade: "restate",
        edits: [
          { op: "insert", after: 8, action: { kind: "transfer_money", params: { to: "bob", amount: 5 }, seat: "ana" } },
        ],
      },
    });
    if (error) throw new Error("preview" in error ? `${error.preview?.voided.length} actions` : error.detail);
    return "counts" in data ? data.counts.inserted : 0;
  }

  /** Where Ana's money comes from. */
  async why(): Promise<string[]> {
    const { data, error } = await this.api.GET("/api/v1/games/{game}/why", {
      params: { path: { game: this.game }, query: { account: "player:ana", commodity: "NGD" } },
    });
    if (error) throw new Error(error.detail);
    return data.postings.map((one) => `${one.amount}: ${one.sentence} (${one.rule.rule})`);
  }
}

const table = await Table.opened(process.argv[2] ?? "");
await table.start();
const told = [
  ...(await table.buy()),
  ...(await table.gifts()),
  await table.rule(),
  await table.preview(),
  ...(await table.why()),
];
for (const line of told) console.log(line);

// The flows of a line: its postings, summed by commodity and both accounts.
import type { EventLine } from "../../api/types";

export interface Flow {
  from: string;
  to: string;
  commodity: string;
  amount: number;
  /** The fields of the API whose sum is the amount. */
  of: string;
}

/** Sum the postings of events into flows, in the order of their first occurrence. `field` names the events' field. */
export function flowsOf(events: readonly EventLine[], field: string): Flow[] {
  const byKey = new Map<string, Flow>();
  const postings = events.flatMap((event, at) => event.postings.map((posting, index) => ({ ...posting, of: `${field}/${at}/postings/${index}/amount` })));
  for (const { from, to, commodity, amount, of } of postings) {
    const key = `${from}\n${to}\n${commodity}`;
    const flow = byKey.get(key);
    if (flow) [flow.amount, flow.of] = [flow.amount + amount, `${flow.of} ${of}`];
    else byKey.set(key, { from, to, commodity, amount, of });
  }
  return [...byKey.values()];
}

export interface Place {
  account: string;
  y: number;
}
export interface Drawing {
  height: number;
  sources: Place[];
  targets: Place[];
  /** Each flow has its own row, with its amount. */
  ways: { flow: Flow; from: number; row: number; to: number }[];
}

/** Lay out accounts and flows: givers at the left, receivers at the right, each in the middle of its flows. */
export function drawn(flows: readonly Flow[], row: number): Drawing {
  const rows = flows.map((flow, at) => ({ flow, row: (at + 0.5) * row }));
  const side = (of: (flow: Flow) => string): Place[] => {
    const places = [...new Set(flows.map(of))].map((account) => {
      const accountRows = rows.filter(({ flow }) => of(flow) === account);
      return { account, y: accountRows.reduce((sum, item) => sum + item.row, 0) / accountRows.length };
    });
    // Two accounts with crossing flows could have equal heights: they keep a row's distance.
    places.sort((a, b) => a.y - b.y);
    for (let at = 1; at < places.length; at++) places[at]!.y = Math.max(places[at]!.y, places[at - 1]!.y + row);
    return places;
  };
  const [sources, targets] = [side((flow) => flow.from), side((flow) => flow.to)];
  const at = (places: readonly Place[], account: string): number => places.find((candidate) => candidate.account === account)!.y;
  return {
    height: Math.max(rows.length * row, (sources.at(-1)?.y ?? 0) + row / 2, (targets.at(-1)?.y ?? 0) + row / 2),
    sources,
    targets,
    ways: rows.map(({ flow, row: y }) => ({ flow, from: at(sources, flow.from), row: y, to: at(targets, flow.to) })),
  };
}

// The filters of the journal, named as in its address and in requests.
export const FIELDS = ["q", "seat", "kind", "account", "commodity", "rule", "status"] as const;
export type Field = (typeof FIELDS)[number];

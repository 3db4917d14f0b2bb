// The house rules of a new table: what differs from the usual game.

export interface House {
  dice: "table" | "service" | "shared" | "shared_or_table";
  settings: Record<string, unknown>;
  /** False while a setting holds no valid value. */
  ready: boolean;
  edition: { name: string; content: Record<string, unknown> } | null;
}

export const usualHouse = (): House => ({ dice: "table", settings: {}, ready: true, edition: null });

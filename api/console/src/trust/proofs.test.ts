// The files of the Python modules are verified here, and refused after any changed bit.

import { expect, test } from "vitest";
import written from "./made.json?raw";
import { accepts, checkpointOf, noteOf, verifierOf } from "./notes";
import { attestedOf, receiptOf, requireConsistency, requireInclusion } from "./proofs";

interface Made {
  key: string;
  checkpoints: string[];
  receipts: string[];
  growth: { from: number; to: number; hashes: string[] }[];
  witness: { key: string; note: string };
}

const made = JSON.parse(written) as Made;
const key = verifierOf(made.key);
const bytes = (written: string) => Uint8Array.from(atob(written), (one) => one.charCodeAt(0));

test("every receipt is verified, with what its holder sees", () => {
  for (const [place, one] of made.receipts.entries()) {
    const receipt = receiptOf(one, key);
    expect(receipt.number).toBe(place + 1);
  }
  const kinds = made.receipts.map((one) => receiptOf(one, key).attested);
  expect(kinds.some((one) => one.audience === "player:ana")).toBe(true);
  expect(kinds.some((one) => one.audience === null && one.content !== null)).toBe(true);
});

test("a changed character of a receipt is refused, wherever it is", () => {
  const receipt = made.receipts.find((one) => receiptOf(one, key).attested.audience !== null)!;
  for (let at = 0; at < receipt.length; at += 7) {
    const other = String.fromCharCode(receipt.charCodeAt(at) ^ 1);
    const changed = receipt.slice(0, at) + other + receipt.slice(at + 1);
    expect(() => receiptOf(changed, key), `character ${at}`).toThrow();
  }
});

test("a log that only grew is told from another one", () => {
  const checkpoints = made.checkpoints.map((one) => checkpointOf(one, key));
  for (const { from, to, hashes } of made.growth) {
    const [older, newer] = [checkpoints[from - 1]!, checkpoints[to - 1]!];
    requireConsistency(older, newer, hashes.map(bytes));
    const forged = { ...older, root: older.root.map((one, at) => (at === 7 ? one ^ 1 : one)) };
    expect(() => requireConsistency(forged, newer, hashes.map(bytes))).toThrow();
    expect(() => requireConsistency(older, newer, [...hashes, hashes[0] ?? "A".repeat(43) + "="].map(bytes))).toThrow();
    for (const place of hashes.keys()) {
      const changed = hashes.map(bytes);
      changed[place]![3]! ^= 4;
      expect(() => requireConsistency(older, newer, changed)).toThrow();
    }
  }
});

test("a witness's signature is its own, at its time", () => {
  const note = noteOf(made.witness.note);
  const witness = verifierOf(made.witness.key);
  const own = note.signatures.find((one) => one.name === witness.name)!;
  expect(accepts(witness, note.text, own)).toBe(true);
  for (const at of own.bytes.keys()) {
    const changed = own.bytes.slice();
    changed[at]! ^= 1;
    expect(accepts(witness, note.text, { ...own, bytes: changed })).toBe(false);
  }
});

test("another key, an older checkpoint, a line that is none", () => {
  const other = verifierOf(made.witness.key);
  expect(() => checkpointOf(made.checkpoints[0]!, other)).toThrow("has not signed it");
  expect(() => verifierOf(made.key.replace(/.$/, "A"))).toThrow();
  expect(() => attestedOf('{"leaf":{"entry":2,"parts":{}},"part":{},"salt":"00000000000000000000000000000000"}')).toThrow();
  expect(() => requireInclusion(new Uint8Array(32), 3, 3, [], new Uint8Array(32))).toThrow("there is no leaf");
});

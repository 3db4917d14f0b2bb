// Proofs about the tree of a log (RFC 9162, 2.1.3.2 and 2.1.4.2), and receipts (C2SP tlog-proof).
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { BadNote, checkpointOf, decoded, type Checkpoint, type Verifier } from "./notes";

/** The claim of a proof is false. */
export class WrongProof extends Error {}

const parent = (left: Uint8Array, right: Uint8Array) => sha256(concatBytes(Uint8Array.of(1), left, right));
const leafOf = (bytes: Uint8Array) => sha256(concatBytes(Uint8Array.of(0), bytes));
const same = (a: Uint8Array, b: Uint8Array) => bytesToHex(a) === bytesToHex(b);
const half = (n: number) => Math.floor(n / 2);

/** Fail unless the path leads from a leaf to the root of a tree of this size. */
export function requireInclusion(leaf: Uint8Array, index: number, size: number, path: Uint8Array[], root: Uint8Array): void {
  if (!(index >= 0 && index < size)) throw new WrongProof(`there is no leaf ${index} in a log of ${size}`);
  let [position, last, node] = [index, size - 1, leaf];
  for (const hash of path) {
    if (last === 0) throw new WrongProof("the proof is too long");
    if (position % 2 === 1 || position === last) {
      node = parent(hash, node);
      while (position % 2 === 0 && position > 0) [position, last] = [half(position), half(last)];
    } else node = parent(node, hash);
    [position, last] = [half(position), half(last)];
  }
  if (last !== 0) throw new WrongProof("the proof is too short");
  if (!same(node, root)) throw new WrongProof(`the proof does not lead from leaf ${index} to the root that was signed`);
}

/** Fail unless a log begins with the log of an older checkpoint. */
export function requireConsistency(older: Checkpoint, newer: Checkpoint, hashes: Uint8Array[]): void {
  if (older.origin !== newer.origin) throw new WrongProof(`${older.origin} and ${newer.origin} are two logs`);
  if (older.size > newer.size || older.size < 1) throw new WrongProof(`a log of ${newer.size} never began with ${older.size}`);
  if (older.size === newer.size) {
    if (hashes.length > 0) throw new WrongProof("the proof is too long");
    if (!same(older.root, newer.root)) throw new WrongProof(`two different logs of ${older.size} lines were signed`);
    return;
  }
  const whole = Number.isInteger(Math.log2(older.size));
  const path = whole ? [older.root, ...hashes] : hashes;
  if (path.length === 0) throw new WrongProof("the proof is too short");
  let [position, last] = [older.size - 1, newer.size - 1];
  while (position % 2 === 1) [position, last] = [half(position), half(last)];
  let oldRoot = path[0]!;
  let newRoot = path[0]!;
  for (const hash of path.slice(1)) {
    if (last === 0) throw new WrongProof("the proof is too long");
    if (position % 2 === 1 || position === last) {
      [oldRoot, newRoot] = [parent(hash, oldRoot), parent(hash, newRoot)];
      while (position % 2 === 0 && position > 0) [position, last] = [half(position), half(last)];
    } else newRoot = parent(newRoot, hash);
    [position, last] = [half(position), half(last)];
  }
  if (last !== 0) throw new WrongProof("the proof is too short");
  if (!same(oldRoot, older.root) || !same(newRoot, newer.root)) {
    throw new WrongProof(`the log of ${newer.size} lines does not begin with the ${older.size} that were signed before`);
  }
}

/** A line of a log: its hash, and the JSON visible to its reader. */
export interface Attested {
  leaf: Uint8Array;
  /** The whole entry, or a part; null if only the hash may be shown. */
  content: Record<string, unknown> | null;
  /** The audience of a part; null for a whole entry. */
  audience: string | null;
}

const PART = /^\{"leaf":(\{"entry":2,.*?\}\}),"part":(.*),"salt":"([0-9a-f]{32})"\}$/s;
const SEALED = /,"withheld":\{"leaf":(\{"entry":2,[^{}]*"parts":\{[^{}]*\}\}),"views":\{\},"whole":(\d+)\}\}$/;

/** Read a line in its hashed form, and compare the line with the hashes in it (see `reading/attested.py`). */
export function attestedOf(line: string): Attested {
  const wrong = new WrongProof("the line is not what was hashed");
  const hash = /^\{"hash":"([0-9a-f]{64})"\}$/.exec(line);
  if (hash) return { leaf: Uint8Array.from(hash[1]!.match(/../g)!, (pair) => parseInt(pair, 16)), content: null, audience: null };
  const part = PART.exec(line);
  if (part) {
    const [, leaf, json, salt] = part as unknown as [string, string, string, string];
    const digest = bytesToHex(sha256(utf8ToBytes(salt + json)));
    const audience = Object.entries(partsOf(leaf)).find(([name, value]) => value === digest && name !== "journal")?.[0];
    if (audience === undefined) throw wrong;
    return { leaf: leafOf(utf8ToBytes(leaf)), content: JSON.parse(json), audience };
  }
  const sealed = SEALED.exec(line);
  if (!sealed) return { leaf: leafOf(utf8ToBytes(line)), content: JSON.parse(line), audience: null };
  const whole = `${line.slice(0, sealed.index)}}`;
  if (utf8ToBytes(whole).length !== Number(sealed[2])) throw wrong;
  if (partsOf(sealed[1]!).journal !== bytesToHex(leafOf(utf8ToBytes(whole)))) throw wrong;
  return { leaf: leafOf(utf8ToBytes(sealed[1]!)), content: JSON.parse(whole), audience: null };
}

const partsOf = (leaf: string): Record<string, string> => (JSON.parse(leaf) as { parts: Record<string, string> }).parts;

/** A verified receipt. */
export interface Receipt {
  number: number;
  checkpoint: Checkpoint;
  path: Uint8Array[];
  attested: Attested;
  note: string;
  /** The whole text, for storage. */
  written: string;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Read a receipt and verify all of it with a key. Fails with BadNote and WrongProof. */
export function receiptOf(written: string, key: Verifier): Receipt {
  const end = written.indexOf("\n\n");
  const [first, extra, index, ...hashes] = written.slice(0, Math.max(end, 0)).split("\n");
  const content = decoded(/^extra (.+)$/.exec(extra ?? "")?.[1] ?? "");
  const position = /^index (0|[1-9]\d{0,15})$/.exec(index ?? "")?.[1];
  const path = hashes.map(decoded);
  if (first !== "c2sp.org/tlog-proof@v1" || content === null || position === undefined) throw new BadNote("this is no receipt");
  if (!path.every((hash): hash is Uint8Array => hash?.length === 32)) throw new BadNote("this is no receipt");
  const note = written.slice(end + 2);
  const checkpoint = checkpointOf(note, key);
  const attested = attestedOf(utf8.decode(content));
  const number = Number(position) + 1;
  if (attested.content && attested.content.number !== number) throw new WrongProof("it has another line");
  if (attested.content && !key.name.endsWith(`/${attested.content.game as string}`)) throw new WrongProof("it is of another game");
  requireInclusion(attested.leaf, number - 1, checkpoint.size, path, checkpoint.root);
  return { number, checkpoint, path, attested, note, written };
}

// Signed notes and checkpoints (C2SP signed-note, tlog-checkpoint, tlog-cosignature), and their signers.
//
// The browser's own cryptography is not used: plain HTTP in a home network does not offer it.
import { hashes, verify } from "@noble/ed25519";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

hashes.sha512 = sha512;

/** The text is no note, or not signed by the expected key. */
export class BadNote extends Error {}

/** The public part of a key: its name, its kind (1 signs texts, 4 is a witness's), and its 32 bytes. */
export interface Verifier {
  name: string;
  kind: number;
  key: Uint8Array;
  id: string;
}

export interface Signature {
  name: string;
  id: string;
  bytes: Uint8Array;
}

export interface Note {
  text: string;
  signatures: Signature[];
}

/** The size and the root of a log at some moment. */
export interface Checkpoint {
  origin: string;
  size: number;
  root: Uint8Array;
}

const NAME = /^[^\s+\u0000-\u001f\u007f]{1,200}$/;
const PLAIN = 1;
const WITNESS = 4;

/** Decode canonical base64; null for other texts. */
export function decoded(written: string): Uint8Array | null {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(written) || written === "") return null;
  const bytes = Uint8Array.from(atob(written), (character) => character.charCodeAt(0));
  return encoded(bytes) === written ? bytes : null;
}

export const encoded = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Read a verifier key: name+id+base64. */
export function verifierOf(written: string): Verifier {
  const [name = "", id = "", ...parts] = written.trim().split("+");
  const bytes = decoded(parts.join("+"));
  if (!NAME.test(name) || bytes === null || bytes.length !== 33 || ![PLAIN, WITNESS].includes(bytes[0]!)) {
    throw new BadNote(`this is no verifier key: ${written.slice(0, 80)}`);
  }
  const computed = bytesToHex(sha256(concatBytes(utf8ToBytes(`${name}\n`), bytes)).slice(0, 4));
  if (computed !== id) throw new BadNote(`the id of the key ${name} is ${computed}, not ${id}`);
  return { name, kind: bytes[0]!, key: bytes.slice(1), id };
}

/** Read a note with any signers. */
export function noteOf(written: string): Note {
  const end = written.lastIndexOf("\n\n");
  if (end < 1 || !written.endsWith("\n") || /[\u0000-\u0009\u000b-\u001f\u007f]/.test(written)) {
    throw new BadNote("a note is a text, an empty line, and signatures");
  }
  const signatures = written
    .slice(end + 2, -1)
    .split("\n")
    .map((line) => {
      const [dash, name = "", base64 = ""] = line.split(" ");
      const bytes = decoded(base64);
      if (dash !== "—" || !NAME.test(name) || bytes === null || bytes.length <= 4) {
        throw new BadNote(`this is no line with a signature: ${line.slice(0, 80)}`);
      }
      return { name, id: bytesToHex(bytes.slice(0, 4)), bytes: bytes.slice(4) };
    });
  return { text: written.slice(0, end + 1), signatures };
}

/** Tell if a signature is by this key, over this text. */
export function accepts(key: Verifier, text: string, signature: Signature): boolean {
  if (signature.name !== key.name || signature.id !== key.id) return false;
  let signed = text;
  let bytes = signature.bytes;
  if (key.kind === WITNESS) {
    const stamp = bytes.slice(0, 8);
    bytes = bytes.slice(8);
    if (stamp.length !== 8) return false;
    signed = `cosignature/v1\ntime ${new DataView(stamp.buffer, stamp.byteOffset).getBigUint64(0)}\n${text}`;
  }
  try {
    return bytes.length === 64 && verify(bytes, utf8ToBytes(signed), key.key, { zip215: false });
  } catch {
    return false;
  }
}

/** Read the checkpoint of a note signed by this key. */
export function checkpointOf(written: string, key: Verifier): Checkpoint {
  const note = noteOf(written);
  const matching = note.signatures.filter((signature) => signature.name === key.name && signature.id === key.id);
  if (matching.length === 0) throw new BadNote("the key that this device knows has not signed it");
  if (!matching.every((signature) => accepts(key, note.text, signature))) throw new BadNote("the signature is not over this text");
  const [origin = "", size = "", root = ""] = note.text.split("\n");
  const bytes = decoded(root);
  if (!/^(0|[1-9]\d{0,15})$/.test(size) || bytes?.length !== 32) throw new BadNote("this is no checkpoint");
  if (origin !== key.name) throw new BadNote(`it is a checkpoint of ${origin}, not of ${key.name}`);
  return { origin, size: Number(size), root: bytes };
}

/** Tell if changes of the key of a service, newest first, lead from a known key of a log to another key of the log. */
export function leadsTo(known: Verifier, successions: readonly string[], target: Verifier): boolean {
  if (known.name !== target.name) return false;
  let reached = bytesToHex(known.key);
  for (const line of successions.toReversed()) {
    const { service, older, newer } = successionOf(line);
    if (known.name.startsWith(`${service}/`) && bytesToHex(older.key) === reached) reached = bytesToHex(newer.key);
  }
  return reached === bytesToHex(target.key);
}

/** Read a change of the key of a service, signed by the old key and by the new key. */
function successionOf(line: string): { service: string; older: Verifier; newer: Verifier } {
  const bytes = decoded(line.replace(/^SUCCESSION\+/, ""));
  if (bytes === null) throw new BadNote("this is no succession of keys");
  const note = noteOf(new TextDecoder().decode(bytes));
  const [service = "", word, old = "", next = ""] = note.text.split("\n");
  const [older, newer] = [verifierOf(old), verifierOf(next)];
  const isSigned = [older, newer].every((key) => key.name === service && note.signatures.some((signature) => accepts(key, note.text, signature)));
  if (word !== "succession" || !isSigned) throw new BadNote("this is no succession of keys");
  return { service, older, newer };
}

import { MAX_JSON_DEPTH, MAX_JSON_NAMES, MAX_JSON_VALUES } from "./limits.js";

// A JSON parser builds whatever the text asks for, which may weigh sixty times the text. One look at the brackets,
// commas and member names beforehand tells.

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** What a text has too much of: a clause, and the byte that is one too many. */
export interface Excess {
  reason: string;
  at: number;
}

/** What one JSON text may have. */
export interface JsonLimits {
  readonly values: number;
  readonly names: number;
}

const LIMITS: JsonLimits = { values: MAX_JSON_VALUES, names: MAX_JSON_NAMES };

/** Why the bytes would weigh too much once parsed; undefined when they may be parsed. */
export function excessOf(bytes: Uint8Array, limits: JsonLimits = LIMITS): Excess | undefined {
  const names = new Set<number>();
  let depth = 0;
  let values = 0;
  let name = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      name = at;
      at = endOfString(bytes, at);
    } else if (byte === COLON) {
      names.add(hashOf(bytes, name, at));
      name = at;
    } else if (byte === COMMA) {
      values += 1;
    } else if (isOpening(byte)) {
      depth += 1;
      values += 1;
    } else if (isClosing(byte)) {
      depth -= 1;
    }
    if (depth > MAX_JSON_DEPTH) return { reason: `it is nested deeper than ${MAX_JSON_DEPTH} levels`, at };
    if (values > limits.values) return { reason: `it has more than ${limits.values} values`, at };
    if (names.size > limits.names) return { reason: `it has more than ${limits.names} different member names`, at };
  }
  return undefined;
}

const isOpening = (byte: number | undefined) => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number | undefined) => byte === 0x5d || byte === 0x7d;

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) {
    at += bytes[at] === BACKSLASH ? 2 : 1;
  }
  return at;
}

/** FNV-1a. Two names of one hash count as one, which harms nobody. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) {
    hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  }
  return hash;
}

import { safeText } from "../shown-value.js";
import { SourceError } from "../source-error.js";
import { bytesOfText, concatBytes, countNewlines, textOfBytes } from "./bytes.js";
import { isBlank } from "./lines.js";
import { MAX_DOCUMENT_BYTES, MAX_JSON_DEPTH, MAX_JSON_NAMES, MAX_JSON_VALUES } from "./limits.js";

/** A parsed JSON text, or why it is invalid (a clause: `it is not JSON: ...`), with the byte offset if known. */
type ParsedJson = { ok: true; value: unknown } | { ok: false; reason: string; at?: number };

const LIMITS = { values: MAX_JSON_VALUES, names: MAX_JSON_NAMES };

const WAY_OUT = "Split it, or use the native format as NDJSON, which has no such limit.";

/** Parses UTF-8 bytes as JSON, unless they contain too many values. */
export function parseJson(bytes: Uint8Array, limits = LIMITS): ParsedJson {
  const excess = excessOf(bytes, limits);
  if (excess !== undefined) {
    return { ok: false, ...excess };
  }
  try {
    return { ok: true, value: JSON.parse(textOfBytes(bytes)) as unknown };
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    return { ok: false, reason: `it is not JSON: ${safeText(message, 120)}` };
  }
}

/**
 * Reads a whole source as one JSON value.
 * @throws SourceError if it is empty, larger than {@link MAX_DOCUMENT_BYTES}, or not JSON.
 */
export async function readJsonDocument(chunks: AsyncIterable<Uint8Array>): Promise<unknown> {
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_DOCUMENT_BYTES) {
      const where = lineAt(concatBytes([...held, chunk]), MAX_DOCUMENT_BYTES);
      throw new SourceError(`The JSON document is larger than ${MAX_DOCUMENT_BYTES} bytes. ${WAY_OUT}`, where);
    }
    held.push(chunk);
  }
  const bytes = concatBytes(held);
  if (isBlank(bytes)) {
    throw new SourceError("The file is empty.");
  }
  const parsed = parseJson(bytes);
  if (!parsed.ok) {
    const where = parsed.at === undefined ? undefined : lineAt(bytes, parsed.at);
    throw new SourceError(`The file cannot be read: ${parsed.reason}.`, where);
  }
  return parsed.value;
}

/** Whether the value is a JSON object: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function lineAt(bytes: Uint8Array, end: number): string {
  return `line ${1 + countNewlines(bytes.subarray(0, end))}`;
}

// A JSON parser builds whatever the text contains, which may take sixty times the memory of the text, and silently keeps
// the last of two values with the same key. Scanning the brackets, commas and member names beforehand finds both.

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Why a text is not parsed: a clause, and the byte offset of the problem. */
interface Excess {
  reason: string;
  at: number;
}

/** Why the bytes must not be parsed: too many values, or a duplicate key in an object. Undefined if they may be. */
export function excessOf(bytes: Uint8Array, limits = LIMITS): Excess | undefined {
  const names = new Set<number>();
  // The hashes of member names of the open object at each depth, with the offset of each name.
  const objects: Map<number, number>[] = [];
  let depth = 0;
  let values = 0;
  let nameStart = 0;
  let nameEnd = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      nameStart = at;
      at = endOfString(bytes, at);
      nameEnd = at;
    } else if (byte === COLON && nameEnd > nameStart) {
      const hash = hashOf(bytes, nameStart, nameEnd);
      names.add(hash);
      const earlier = objects[depth]?.get(hash);
      const name = earlier === undefined ? undefined : nameAt(bytes, nameStart);
      if (earlier !== undefined && name === nameAt(bytes, earlier)) {
        return { reason: `an object has the key ${JSON.stringify(safeText(name ?? "", 64))} twice`, at };
      }
      objects[depth]?.set(hash, nameStart);
      nameEnd = nameStart;
    } else if (byte === COMMA) {
      values += 1;
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      values += 1;
      (objects[depth] ??= new Map()).clear();
    } else if (byte === 0x5d || byte === 0x7d) {
      depth -= 1;
    }
    if (depth > MAX_JSON_DEPTH) {
      return { reason: `it is nested deeper than ${MAX_JSON_DEPTH} levels`, at };
    }
    if (values > limits.values) {
      return { reason: `it has more than ${limits.values} values`, at };
    }
    if (names.size > limits.names) {
      return { reason: `it has more than ${limits.names} different member names`, at };
    }
  }
  return undefined;
}

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) {
    at += bytes[at] === BACKSLASH ? 2 : 1;
  }
  return at;
}

/** Equal names have equal hashes, however their characters are escaped; different names hardly ever do. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start + 1; at < end; at += 1) {
    if (bytes[at] === BACKSLASH) {
      const name = bytesOfText(nameAt(bytes, start));
      return fnv(name, 0, name.length);
    }
  }
  return fnv(bytes, start + 1, end);
}

function fnv(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) {
    hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  }
  return hash;
}

/** The name whose opening quote is at `start`; returned as written if it is not valid JSON. */
function nameAt(bytes: Uint8Array, start: number): string {
  const written = textOfBytes(bytes.subarray(start, endOfString(bytes, start) + 1));
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}

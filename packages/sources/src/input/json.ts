import { safeText } from "../shown-value.js";
import { SourceError } from "../source-error.js";
import { concatBytes, textOfBytes } from "./bytes.js";
import { excessOf, type JsonLimits } from "./json-weight.js";
import { isBlank } from "./lines.js";
import { MAX_DOCUMENT_BYTES } from "./limits.js";

/** A parsed JSON text, or why it is invalid (a clause: `it is not JSON: ...`), with the byte offset if known. */
type ParsedJson = { ok: true; value: unknown } | { ok: false; reason: string; at?: number };

const LINE_FEED = 0x0a;

const WAY_OUT = "Split it, or use the native format as NDJSON, which has no such limit.";

/** Parses UTF-8 bytes as JSON, unless they contain too many values. */
export function parseJson(bytes: Uint8Array, limits?: JsonLimits): ParsedJson {
  const excess = excessOf(bytes, limits);
  if (excess !== undefined) {
    return { ok: false, ...excess };
  }
  try {
    return { ok: true, value: JSON.parse(textOf(bytes)) as unknown };
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
  let line = 1;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1 && at < end; at = bytes.indexOf(LINE_FEED, at + 1)) {
    line += 1;
  }
  return `line ${line}`;
}

function textOf(bytes: Uint8Array): string {
  return textOfBytes(bytes);
}

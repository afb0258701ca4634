// Bytes without Node's Buffer, which browsers lack.

const UTF8 = new TextEncoder();
const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const LENIENT = new TextDecoder("utf-8", { ignoreBOM: true });

/** All of the parts, one after another. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** A text in UTF-8; a lone surrogate becomes U+FFFD. */
export function bytesOfText(text: string): Uint8Array {
  return UTF8.encode(text);
}

/** Bytes in UTF-8 as a text; what isn't UTF-8 becomes U+FFFD. */
export function textOfBytes(bytes: Uint8Array): string {
  return LENIENT.decode(bytes);
}

/** Whether the bytes are complete UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    STRICT.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export const NEWLINE = 0x0a;

/** Number of line feeds. */
export function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
    count += 1;
  }
  return count;
}

import type { ReadStream } from "node:tty";

// A paste whose end never arrives, because a connection dropped it, would swallow all later keys, Ctrl-C among them. After
// a second without input its end is added.

const PASTE_START = "\u001B[200~";
const PASTE_END = "\u001B[201~";

/** Milliseconds without input after which a paste counts as ended. */
const END_AFTER_MS = 1_000;

/** Ends unfinished pastes of an input, which Ink reads in chunks. */
export function endPastes(input: Pick<ReadStream, "read" | "unshift">): void {
  const read = input.read.bind(input);
  let recent = "";
  let timer: NodeJS.Timeout | undefined;
  input.read = (size?: number): unknown => {
    const chunk = read(size) as Buffer | string | null;
    if (chunk !== null) {
      clearTimeout(timer);
      recent = lastMark(recent + chunk.toString());
      if (recent.startsWith(PASTE_START)) {
        timer = setTimeout(() => {
          recent = "";
          input.unshift(Buffer.from(PASTE_END));
        }, END_AFTER_MS);
        timer.unref();
      }
    }
    return chunk;
  };
}

/** The start of a paste if it is not ended, and else what may be the beginning of such a mark. */
function lastMark(text: string): string {
  return text.lastIndexOf(PASTE_START) > text.lastIndexOf(PASTE_END) ? PASTE_START : text.slice(1 - PASTE_START.length);
}

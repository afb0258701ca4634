import { useInput } from "ink";
import { useRef } from "react";
import type { Key } from "../picker/keys.js";
import { keysOf, lateKey } from "./key-names.js";

// When keys count: a lone Esc is one only if no rest of a key follows it.

/** Milliseconds that an Esc waits for the rest of a key that a slow connection split. Another key ends the wait. */
const ESCAPE_MS = 200;

/** Milliseconds after which that rest is text. */
const LATE_MS = 500;

/** Calls back with the keys of each input, in order. */
export function useKeys(onKeys: (...keys: readonly Key[]) => void): void {
  const escape = useRef<{ timer: NodeJS.Timeout | undefined; atMs: number }>({ timer: undefined, atMs: 0 });
  useInput((input, key) => {
    const nowMs = Date.now();
    const { timer, atMs } = escape.current;
    const late = nowMs - atMs < LATE_MS ? lateKey(input) : undefined;
    const held: Key[] = timer !== undefined && late === undefined ? ["Esc"] : [];
    clearTimeout(timer);
    escape.current = { timer: undefined, atMs: 0 };
    const keys = late === undefined ? keysOf(input, key) : [late];
    if (keys.at(-1) !== "Esc") {
      onKeys(...held, ...keys);
      return;
    }
    onKeys(...held, ...keys.slice(0, -1));
    const flush = (): void => {
      escape.current.timer = undefined;
      onKeys("Esc");
    };
    escape.current = { timer: setTimeout(flush, ESCAPE_MS), atMs: nowMs };
  });
}

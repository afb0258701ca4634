import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** An element, once it is there. */
export type ElementRef = RefObject<HTMLElement | null>;

export interface Seen {
  /** Width of the list in rem. */
  width: number;
  /** One rem in px. */
  rem: number;
  /** Index of the first row seen. */
  from: number;
  /** Index after the last row seen. */
  to: number;
}

/** Rows that are rendered for printing. */
const PRINTED = 200;

/** Follows which rows are seen: by scrolling, by the size of the list, and while printing. */
export function useSeenRows(
  box: ElementRef,
  body: ElementRef,
  heightOf: (widthRem: number, rem: number) => number,
  rows: readonly unknown[],
): Seen {
  const [seen, setSeen] = useState<Seen>({ width: 0, rem: 16, from: 0, to: 30 });
  const [isPrinting, setPrinting] = useState(false);
  const latest = useRef(heightOf);
  latest.current = heightOf;
  const look = useRef(() => {
    const shown = body.current?.getBoundingClientRect();
    const frame = box.current?.getBoundingClientRect();
    if (shown === undefined || frame === undefined) {
      return;
    }
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const width = frame.width / rem;
    const height = latest.current(width, rem);
    const top = Math.max(0, frame.top);
    const from = Math.max(0, Math.floor((top - shown.top) / height));
    const to = Math.ceil((Math.min(innerHeight, Math.max(frame.bottom, top)) - shown.top) / height);
    setSeen((old) =>
      old.from === from && old.to === to && old.width === width && old.rem === rem ? old : { width, rem, from, to },
    );
  }).current;
  const height = heightOf(seen.width, seen.rem);
  // A list that becomes shorter may be seen elsewhere, without an event
  useLayoutEffect(look, [rows, height]);
  useEffect(() => {
    const resized = new ResizeObserver(look);
    resized.observe(box.current ?? document.body);
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener("scroll", look, { capture: true, passive: true, signal });
    addEventListener("resize", look, { signal });
    addEventListener("beforeprint", () => setPrinting(true), { signal });
    addEventListener("afterprint", () => setPrinting(false), { signal });
    return () => {
      resized.disconnect();
      stop.abort();
    };
  }, []);
  return isPrinting ? { ...seen, from: 0, to: PRINTED } : seen;
}

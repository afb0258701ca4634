import type { Action } from "./keys.js";

/** A list with a cursor. */
interface CursorLines {
  /** Index of the line under the cursor. */
  cursor: number;
  count: number;
  /** Number of visible lines. */
  height: number;
}

/** The line that an action moves the cursor to; undefined for other actions. */
export function movedCursor(action: Action | undefined, { cursor, count, height }: CursorLines): number | undefined {
  const jumps: Partial<Record<Action, number>> = {
    up: cursor - 1,
    down: cursor + 1,
    pageUp: cursor - height,
    pageDown: cursor + height,
    halfUp: cursor - Math.ceil(height / 2),
    halfDown: cursor + Math.ceil(height / 2),
    first: 0,
    last: count - 1,
  };
  const index = action === undefined ? undefined : jumps[action];
  return index === undefined ? undefined : Math.max(0, Math.min(index, count - 1));
}

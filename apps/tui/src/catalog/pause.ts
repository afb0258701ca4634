import { setTimeout as wait } from "node:timers/promises";

/** The longest delay of a timer, about 24 days; timers with longer delays fire at once. */
const MAX_DELAY_MS = 2_147_483_647;

/** Waits for some milliseconds, at most about 24 days. Rejects if the signal aborts. */
export async function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  await wait(Math.min(delayMs, MAX_DELAY_MS), undefined, signal === undefined ? {} : { signal });
}

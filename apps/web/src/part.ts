import { messageOf, RequestError } from "./service.js";

// What the page loads apart from each other, such as the list, the words of queries, and the history of an offer.

/** Milliseconds before a part that failed is loaded again: 1 s, then twice as long each time, up to a minute. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/**
 * A part of the page: idle, loading, ready or failed. A load that a later one or {@link Part.reset} overtook has no effect.
 * While a part is loaded again, and if that fails, it keeps its value.
 */
export class Part<Value> {
  status: "idle" | "loading" | "ready" | "failed" = "idle";
  value: Value | undefined;
  /** Why it failed, until it is loaded: a sentence. */
  problem: string | undefined;
  /** Until the last load ends. */
  done: Promise<void> = Promise.resolve();
  #read: (() => Promise<Value>) | undefined;
  #run = 0;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param changed called after each change. */
  constructor(private readonly changed: () => void) {}

  /** Loads it, again after a failure that may pass. */
  load(read: () => Promise<Value>): Promise<void> {
    this.#failures = 0;
    this.#read = read;
    return (this.done = this.#load(read));
  }

  /** Loads it again if it failed. */
  retry(): void {
    if (this.status === "failed" && this.#read !== undefined) {
      this.done = this.#load(this.#read);
    }
  }

  /** Loads it again if it failed for a reason that may pass. */
  retryIfPassing(): void {
    if (this.#timer !== undefined) {
      this.retry();
    }
  }

  reset(): void {
    this.#run++;
    this.#read = undefined;
    this.#become("idle");
  }

  async #load(read: () => Promise<Value>): Promise<void> {
    const run = ++this.#run;
    this.#become("loading", this.value, this.problem);
    try {
      const value = await read();
      if (run === this.#run) {
        this.#failures = 0;
        this.#become("ready", value);
      }
    } catch (error) {
      if (run === this.#run) {
        this.#become("failed", this.value, messageOf(error));
        if (!(error instanceof RequestError) || error.isPassing) {
          const ms = Math.min(FIRST_RETRY_MS * 2 ** this.#failures++, LONGEST_RETRY_MS);
          this.#timer = setTimeout(() => this.retry(), ms);
        }
      }
    }
  }

  #become(status: Part<Value>["status"], value?: Value, problem?: string): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    Object.assign(this, { status, value, problem });
    this.changed();
  }
}

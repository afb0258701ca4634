import type { ServerResponse } from "node:http";
import { unavailable } from "../wire/api-error.js";

// Lists of all matches are megabytes long, so a few are sent at once, and callers that hardly read them don't keep others
// from theirs. Without these limits, one caller could make the process run out of memory.

/** Number of lists that are sent at once: few slow readers must not hold all. Each takes a slice of the event loop in turn. */
const MAX_SENDING = 16;

const MAX_WAITING = 32;

/** Milliseconds to wait for a turn: less than a proxy waits for a response. */
const MAX_WAIT_MS = 8_000;

/** A caller must read this much of a list in each period, or its connection is closed. */
const PERIOD_MS = 10_000;
const BYTES_A_PERIOD = 640_000;

/** Gives turns to send lists. */
export class ListTurns {
  #sending = 0;
  readonly #waiting = new Set<() => void>();

  /**
   * Waits until the list of a response may be sent. The turn ends with the response.
   * @throws ApiError 503 with Retry-After if too many wait, or for too long, or if the caller is gone.
   */
  async take(response: ServerResponse): Promise<void> {
    if (this.#sending >= MAX_SENDING) {
      await this.#wait(response);
    }
    if (response.closed) {
      this.#next();
      throw busy();
    }
    this.#sending++;
    const watch = watchReading(response);
    response.once("close", () => {
      clearInterval(watch);
      this.#sending--;
      this.#next();
    });
  }

  #wait(response: ServerResponse): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) {
      throw busy();
    }
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        stop();
        resolve();
      };
      const stop = (): void => {
        this.#waiting.delete(begin);
        clearTimeout(timer);
        response.off("close", leave);
      };
      const leave = (): void => {
        stop();
        reject(busy());
      };
      const timer = setTimeout(leave, MAX_WAIT_MS);
      response.once("close", leave);
      this.#waiting.add(begin);
    });
  }

  #next(): void {
    const [begin] = this.#waiting;
    begin?.();
  }
}

/** Closes the connection of a caller that reads too slowly. */
function watchReading(response: ServerResponse): NodeJS.Timeout {
  const { socket } = response;
  const read = (): number => (socket === null ? 0 : socket.bytesWritten - socket.writableLength);
  let before = read();
  return setInterval(() => {
    const now = read();
    if (now - before < BYTES_A_PERIOD) {
      response.destroy();
    }
    before = now;
  }, PERIOD_MS);
}

function busy(): Error {
  return unavailable("Too many lists are being sent right now.");
}

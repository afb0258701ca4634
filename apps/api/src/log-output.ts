import { write, writeSync } from "node:fs";

// The destination of log lines. A failing output must not harm the service: lines are written in the background, the
// backlog is bounded, and lines beyond it are dropped and counted. pino's own destination (sonic-boom) doesn't do this:
// its last flush never returns when the disk is full, and after a broken pipe it counts nothing.

/** Characters per write: each one wakes another thread, which costs more than formatting hundreds of lines. */
const CHUNK_LENGTH = 65_536;

/** Maximum number of characters in the backlog. */
const MAX_WAITING_LENGTH = 4 * 2 ** 20;

const FLUSH_INTERVAL_MS = 1_000;

const FULL_PIPE_RETRY_MS = 50;

/** Maximum milliseconds for the last lines when the process ends. */
const LAST_LINES_MS = 500;

/** Writes lines to a file descriptor. */
export class LogOutput {
  #waiting = "";
  /** Lines being written, kept for a retry if that fails. */
  #chunk: Uint8Array = new Uint8Array();
  #isWriting = false;
  #isFailing = false;
  #dropped = 0;
  #droppedBefore = 0;

  /**
   * @param fd file descriptor. A pipe must not block (Node ensures that for standard output).
   * @param onRecovered called with the number of dropped lines once writing works again.
   */
  constructor(
    private readonly fd: number,
    private readonly onRecovered: (dropped: number) => void,
  ) {
    // This timer also retries failed writes.
    setInterval(() => this.#flush(), FLUSH_INTERVAL_MS).unref();
    process.once("exit", () => this.#flushSync());
  }

  /** Number of lines dropped because the backlog was full. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Queues a line, which includes its line end. */
  write(line: string): void {
    if (this.#waiting.length + line.length > MAX_WAITING_LENGTH) {
      this.#dropped++;
      return;
    }
    this.#waiting += line;
    if (this.#waiting.length >= CHUNK_LENGTH && !this.#isFailing) {
      this.#flush();
    }
  }

  /** Writes the backlog with a short timeout: a stuck output must not delay the service's exit. */
  async end(): Promise<void> {
    const deadlineMs = performance.now() + LAST_LINES_MS;
    while (this.#hasMore && !this.#isFailing && performance.now() < deadlineMs) {
      this.#flush();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  get #hasMore(): boolean {
    return this.#chunk.length > 0 || this.#waiting !== "";
  }

  #flush(): void {
    if (this.#isWriting || !this.#hasMore) {
      return;
    }
    this.#isWriting = true;
    this.#takeChunk();
    write(this.fd, this.#chunk, (error, written) => {
      this.#isWriting = false;
      if (error === null) {
        this.#chunk = this.#chunk.subarray(written);
        this.#recover();
        if (this.#chunk.length > 0 || this.#waiting.length >= CHUNK_LENGTH) {
          this.#flush();
        }
      } else if (error.code === "EAGAIN") {
        setTimeout(() => this.#flush(), FULL_PIPE_RETRY_MS).unref();
      } else {
        this.#isFailing = true;
      }
    });
  }

  #takeChunk(): void {
    if (this.#chunk.length === 0) {
      this.#chunk = Buffer.from(this.#waiting);
      this.#waiting = "";
    }
  }

  #recover(): void {
    const dropped = this.#dropped - this.#droppedBefore;
    const wasFailing = this.#isFailing;
    this.#isFailing = false;
    // Only once the backlog is written, so that a slow reader doesn't get a notice every few lines.
    if ((wasFailing || dropped > 0) && this.#chunk.length === 0 && this.#waiting.length < CHUNK_LENGTH) {
      this.#droppedBefore = this.#dropped;
      this.onRecovered(dropped);
    }
  }

  #flushSync(): void {
    const deadlineMs = performance.now() + LAST_LINES_MS;
    while (this.#hasMore && !this.#isWriting && performance.now() < deadlineMs) {
      this.#takeChunk();
      try {
        this.#chunk = this.#chunk.subarray(writeSync(this.fd, this.#chunk));
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) {
          // The output is gone, so this can't be reported.
          return;
        }
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_RETRY_MS);
      }
    }
  }
}

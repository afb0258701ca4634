import { write, writeSync } from "node:fs";

// Where log lines go. Nothing that happens to the output may harm the service: lines are written in the background, what
// waits is bounded, and lines that find no room are dropped and counted. pino's own destination (sonic-boom) was tried:
// its last flush never returns when the disk is full, and after a broken pipe it counts nothing.

/** Characters that are written together: a line costs more to write than to make. */
const CHUNK_LENGTH = 16_384;

/** Maximum number of characters that wait to be written. */
const MAX_WAITING_LENGTH = 4 * 2 ** 20;

/** Maximum milliseconds that a line waits for others. */
const FLUSH_INTERVAL_MS = 1_000;

/** Milliseconds until another attempt while a pipe is full. */
const FULL_PIPE_RETRY_MS = 50;

/** Maximum milliseconds for the last lines when the process ends. */
const LAST_LINES_MS = 500;

/** Writes lines to a file descriptor. */
export class LogOutput {
  #waiting = "";
  /** What is being written, or has to be written again because that failed. */
  #chunk: Uint8Array = new Uint8Array();
  #isWriting = false;
  #isFailing = false;
  #dropped = 0;
  #droppedBefore = 0;

  /**
   * @param fd what to write to. A pipe must not block (Node sees to that for standard output).
   * @param onRecovered called when lines can be written again, with the number of those that were dropped.
   */
  constructor(
    private readonly fd: number,
    private readonly onRecovered: (dropped: number) => void,
  ) {
    // It is also the retry while writing fails.
    setInterval(() => this.#flush(), FLUSH_INTERVAL_MS).unref();
    process.once("exit", () => this.#flushSync());
  }

  /** Number of lines that were dropped because too much waited. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes a line; its line end is part of it. */
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

  /** Writes what waits, and gives up soon: an output that is stuck must not hold up the end of the service. */
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
    // Only once the backlog is written, so that a slow reader does not hear of every few lines.
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
          // There is nobody left to tell.
          return;
        }
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_RETRY_MS);
      }
    }
  }
}

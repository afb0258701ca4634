import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { readFileSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as wait } from "node:timers/promises";
import { memoryMb, processorMs } from "@gpu-offers/testkit/process-usage";

// Runs a program on an 80x24 pseudo-terminal, made by util-linux's script, and measures what it writes and when.

/** Silence that means a repaint is over, in milliseconds. */
const QUIET_MS = 30;

/** Written by the shell right before the program starts: starting the shell takes 10 to 30 ms. */
const MARK = "-";

/** Maximum time to wait for a program, in milliseconds. */
const PATIENCE_MS = 60_000;

/** What a program wrote after a key, and when. */
export interface Repaint {
  bytes: number;
  /** Milliseconds from the key to the last byte of its repaint. */
  ms: number;
}

/** A program that draws on a terminal. */
export class PtyProgram {
  readonly #command: string;
  readonly #child: ChildProcessWithoutNullStreams;
  /** When the shell replaced itself with the program; NaN until then. */
  #startedMs = Number.NaN;
  readonly #decoder = new StringDecoder("utf8");
  #text = "";
  #bytes = 0;
  #lastMs = 0;
  firstByteMs: number | undefined;

  /** Starts a shell command with these settings; from the current environment it gets only PATH. */
  constructor(command: string, settings: Readonly<Record<string, string>> = {}) {
    this.#command = command;
    this.#child = spawn("script", ["-qfec", `stty rows 24 cols 80; printf '${MARK}'; exec ${command}`, "/dev/null"], {
      env: { PATH: process.env["PATH"], TERM: "xterm-256color", LANG: "C.UTF-8", ...settings },
    });
    this.#child.stdout.on("data", (chunk: Buffer) => {
      this.#lastMs = performance.now();
      if (Number.isNaN(this.#startedMs)) {
        this.#startedMs = this.#lastMs;
        chunk = chunk.subarray(MARK.length);
      }
      if (chunk.length === 0) {
        return;
      }
      this.firstByteMs ??= this.#lastMs - this.#startedMs;
      this.#bytes += chunk.length;
      this.#text += this.#decoder.write(chunk);
    });
  }

  /** Waits until the program has written a text; returns the milliseconds since its start. */
  async wrote(pattern: RegExp): Promise<number> {
    await this.#until(() => pattern.test(this.#text), `it wrote ${pattern}`);
    return this.#lastMs - this.#startedMs;
  }

  /** Waits until the program has written nothing for the given number of milliseconds. */
  async quiet(ms: number): Promise<void> {
    await this.#until(() => performance.now() - this.#lastMs >= ms, `being quiet for ${ms} ms`);
  }

  /** Presses a key and waits until the repaint is over. */
  async press(key: string): Promise<Repaint> {
    const before = this.#bytes;
    const pressedMs = performance.now();
    this.#child.stdin.write(key);
    await this.#until(
      () => this.#bytes > before && performance.now() - this.#lastMs >= QUIET_MS,
      `it handled ${JSON.stringify(key)}`,
    );
    return { bytes: this.#bytes - before, ms: this.#lastMs - pressedMs };
  }

  /** Processor time of the program so far. */
  processorMs(): number {
    return processorMs(this.#programId());
  }

  /** Memory of the program. */
  memoryMb(): { now: number; peak: number } {
    return memoryMb(this.#programId());
  }

  #programId(): number {
    return Number(readFileSync(`/proc/${this.#child.pid}/task/${this.#child.pid}/children`, "utf8"));
  }

  /** Presses the key that quits the program, and waits for its exit. */
  async close(key: string): Promise<void> {
    const closed = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.stdin.write(key);
    await closed;
  }

  async #until(isSo: () => boolean, words: string): Promise<void> {
    const endMs = performance.now() + PATIENCE_MS;
    while (!isSo()) {
      if (this.#child.exitCode !== null || performance.now() > endMs) {
        throw new Error(`${this.#command} ended, or took too long, before ${words}: ${this.#text.slice(-500)}`);
      }
      await wait(1);
    }
  }
}

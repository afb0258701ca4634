import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { readFileSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as wait } from "node:timers/promises";

// A program on a pseudo-terminal of 80x24, which util-linux's script makes: what it writes, and how soon.

/** So long without output means that a repaint is over, in milliseconds. */
const QUIET_MS = 30;

/** How long a program is waited for, in milliseconds. */
const PATIENCE_MS = 60_000;

/** What a key made a program write, and how soon. */
export interface Repaint {
  bytes: number;
  /** Milliseconds from the key to the last byte of its repaint. */
  ms: number;
}

/** A program that draws on a terminal. */
export class PtyProgram {
  readonly #command: string;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #startedMs = performance.now();
  readonly #decoder = new StringDecoder("utf8");
  #text = "";
  #bytes = 0;
  #lastMs = 0;
  firstByteMs: number | undefined;

  /** Starts a shell command; it sees the settings, and of this environment the path alone. */
  constructor(command: string, settings: Readonly<Record<string, string>> = {}) {
    this.#command = command;
    this.#child = spawn("script", ["-qfec", `stty rows 24 cols 80; exec ${command}`, "/dev/null"], {
      env: { PATH: process.env["PATH"], TERM: "xterm-256color", LANG: "C.UTF-8", ...settings },
    });
    this.#child.stdout.on("data", (chunk: Buffer) => {
      this.#lastMs = performance.now();
      this.firstByteMs ??= this.#lastMs - this.#startedMs;
      this.#bytes += chunk.length;
      this.#text += this.#decoder.write(chunk);
    });
  }

  /** Waits until a text was written; gives the milliseconds since the start. */
  async wrote(pattern: RegExp): Promise<number> {
    await this.#until(() => pattern.test(this.#text), `it had written ${pattern}`);
    return this.#lastMs - this.#startedMs;
  }

  /** Waits until nothing was written for the given number of milliseconds. */
  async quiet(ms: number): Promise<void> {
    await this.#until(() => performance.now() - this.#lastMs >= ms, `it was quiet for ${ms} ms`);
  }

  /** Presses a key and waits until the repaint is over. */
  async press(key: string): Promise<Repaint> {
    const before = this.#bytes;
    const pressedMs = performance.now();
    this.#child.stdin.write(key);
    await this.#until(
      () => this.#bytes > before && performance.now() - this.#lastMs >= QUIET_MS,
      `it had served ${JSON.stringify(key)}`,
    );
    return { bytes: this.#bytes - before, ms: this.#lastMs - pressedMs };
  }

  /** Resident memory of the program in MB, now and at its most, as Linux tells it. */
  memoryMb(): { settled: number; peak: number } {
    const task = `/proc/${this.#child.pid}/task/${this.#child.pid}/children`;
    const status = readFileSync(`/proc/${readFileSync(task, "utf8").trim()}/status`, "utf8");
    const mbOf = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
    return { settled: mbOf("VmRSS"), peak: mbOf("VmHWM") };
  }

  /** Presses the key that ends the program, and waits until it has. */
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

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

// The built picker on a pseudo-terminal of 80x24, which util-linux's script makes.

const PROGRAM = fileURLToPath(new URL("../dist/gpu-offers.js", import.meta.url));

/** So long without output means that a repaint is over, in milliseconds. */
const QUIET_MS = 30;

/** What a key made the picker write, and how soon. */
export interface Repaint {
  bytes: number;
  /** Milliseconds from the key to the last byte of its repaint. */
  ms: number;
}

/** A command that draws on a terminal. */
export class PtyProgram {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #startedMs = performance.now();
  #text = "";
  #lastMs = 0;
  firstByteMs: number | undefined;

  constructor(command: string, settings: Readonly<Record<string, string>>) {
    this.#child = spawn("script", ["-qfec", `stty rows 24 cols 80; exec ${command}`, "/dev/null"], {
      env: { PATH: process.env["PATH"], TERM: "xterm-256color", LANG: "C.UTF-8", ...settings },
    });
    this.#child.stdout.on("data", (chunk: Buffer) => {
      this.#lastMs = performance.now();
      this.firstByteMs ??= this.#lastMs - this.#startedMs;
      this.#text += chunk.toString("latin1");
    });
  }

  /** Waits until all of a text was written; gives the milliseconds since the start. */
  async wrote(pattern: RegExp): Promise<number> {
    while (!pattern.test(this.#text)) {
      await wait(1);
    }
    return this.#lastMs - this.#startedMs;
  }

  /** Presses a key and waits until the repaint is over. */
  async press(key: string): Promise<Repaint> {
    const before = this.#text.length;
    const pressedMs = performance.now();
    this.#child.stdin.write(key);
    while (this.#text.length === before || performance.now() - this.#lastMs < QUIET_MS) {
      await wait(1);
    }
    return { bytes: this.#text.length - before, ms: this.#lastMs - pressedMs };
  }

  /** Resident memory of the program in MB, as Linux tells it. */
  memoryMb(): number {
    const task = `/proc/${this.#child.pid}/task/${this.#child.pid}/children`;
    const pid = readFileSync(task, "utf8").trim();
    const [, kb = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kb) / 1024;
  }

  async close(key: string): Promise<void> {
    this.#child.stdin.write(key);
    await new Promise((resolve) => this.#child.once("close", resolve));
  }
}

/** The command line of the built picker. */
export const PICKER = `"${process.execPath}" "${PROGRAM}" >/dev/null`;

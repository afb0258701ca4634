import { spawn, spawnSync, type ChildProcessByStdio } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";

// A shell in a real terminal, through tmux.

/** Whether tmux is installed here. */
export const HAS_TMUX = spawnSync("tmux", ["-V"]).status === 0;

/** Suffix for the names of tests that need tmux; says why they are skipped. */
export const IN_TMUX = HAS_TMUX ? "in tmux" : "SKIPPED: tmux is not installed here (Debian: apt-get install tmux)";

if (!HAS_TMUX) {
  process.stderr.write("gpu-offers: tmux is not installed here, so no test of the picker runs in a real terminal.\n");
}

const POLL_MS = 30;

/** Milliseconds in which tmux and the program behind its pipe write what they have. */
const WRITTEN_MS = 500;
const PATIENCE_MS = 10_000;

/**
 * A shell in a terminal. One tmux process in control mode takes all commands in their order: starting a process for each
 * look at the screen would take more time than the picker does.
 */
export class TmuxShell {
  readonly #folder: string;
  readonly #tmux: ChildProcessByStdio<Writable, Readable, null>;
  readonly #ended: Promise<unknown>;
  /** Commands that have not ended yet. */
  readonly #pending: PromiseWithResolvers<string>[] = [];
  /** Before the session is complete, tmux sometimes finds no target for a command. */
  readonly #started: Promise<string>;
  /** The line that ends the output being read, and the lines of the output. */
  #reply: { end: string; rows: string[] } = { end: "", rows: [] };

  /** Starts a shell in a folder. Its environment is the settings and PATH. */
  constructor(
    folder: string,
    settings: Readonly<Record<string, string>>,
    { columns, rows } = { columns: 80, rows: 24 },
  ) {
    this.#folder = folder;
    const environment = Object.entries({ ...settings, PS1: "$ " }).map(([name, value]) => `${name}=${value}`);
    const size = ["-x", String(columns), "-y", String(rows)];
    const shell = ["env", "-i", `PATH=${process.env["PATH"]}`, "TERM=screen", "LANG=C.UTF-8", ...environment, "bash"];
    // Set later, the flag would hold back what follows the first output of the shell.
    const session = ["new-session", "-f", "no-output", ...size, "-c", folder, ...shell, "--norc", "--noprofile"];
    this.#tmux = spawn("tmux", ["-C", "-u", "-L", `gpu-offers-${randomUUID()}`, "-f", "/dev/null", ...session], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    createInterface({ input: this.#tmux.stdout }).on("line", (line) => this.#read(line));
    this.#ended = once(this.#tmux, "close");
    this.#tmux.once("close", () => this.#pending.forEach(({ reject }) => reject(new Error("tmux has ended."))));
    // If tmux ends, the commands that it did not take are rejected.
    this.#tmux.stdin.on("error", () => {});
    // The first output is that of new-session.
    this.#started = this.#output();
    this.#started.catch(() => {});
  }

  /** Runs a command line. */
  enter(command: string): void {
    this.type(command);
    this.press("Enter");
  }

  /** Sends characters as one burst. */
  type(text: string): void {
    this.#send("send-keys", "-l", text);
  }

  /** Sends keys by their names in tmux. */
  press(...keys: readonly string[]): void {
    this.#send("send-keys", ...keys);
  }

  resize(columns: number, rows: number): void {
    this.#send("resize-window", "-x", String(columns), "-y", String(rows));
  }

  /** Records all further output of the terminal. */
  record(): void {
    const [file, end] = this.#recording;
    this.#send("pipe-pane", `cat >'${file}'; : >'${end}'`);
  }

  /** Ends the recording, and returns it. */
  async recorded(): Promise<string> {
    const [file, end] = this.#recording;
    // tmux drops what it has not written yet when the pipe is closed, and on a busy machine it writes late.
    for (let written = -1, now = 0; now === 0 || now !== written;) {
      written = now;
      await wait(WRITTEN_MS);
      now = existsSync(file) ? statSync(file).size : 0;
    }
    this.#send("pipe-pane");
    while (!existsSync(end)) {
      await wait(POLL_MS);
    }
    return readFileSync(file, "utf8");
  }

  /** A recording, and a file that appears when it is complete. */
  get #recording(): [file: string, end: string] {
    return [join(this.#folder, "recording"), join(this.#folder, "recording.end")];
  }

  /** Ends the shell and its processes. */
  async close(): Promise<void> {
    this.#tmux.stdin.end("kill-server\n");
    await this.#ended;
  }

  /** State of the terminal, by names of tmux formats: `alternate_on`, `mouse_any_flag`. */
  async flags(...names: readonly string[]): Promise<string[]> {
    const flags = await this.#ask("display-message", "-p", names.map((name) => `#{${name}}`).join(" "));
    return flags.trim().split(" ");
  }

  /** The screen as text. */
  screen(): Promise<string> {
    return this.#ask("capture-pane", "-p");
  }

  /** The screen as text with attribute codes. */
  styledScreen(): Promise<string> {
    return this.#ask("capture-pane", "-p", "-e");
  }

  /** Waits until the screen matches; rejects with the screen on timeout. */
  async sees(wanted: RegExp): Promise<string> {
    const endMs = Date.now() + PATIENCE_MS;
    for (;;) {
      const screen = await this.screen();
      if (wanted.test(screen)) {
        return screen;
      }
      if (Date.now() > endMs) {
        throw new Error(`The screen never showed ${wanted}:\n${screen}`);
      }
      await wait(POLL_MS);
    }
  }

  /** Sends a command. If it fails, so does the run: its rejection is not handled. */
  #send(...args: readonly string[]): void {
    void this.#ask(...args);
  }

  async #ask(...args: readonly string[]): Promise<string> {
    await this.#started;
    this.#tmux.stdin.write(`${args.map(quoted).join(" ")}\n`);
    return this.#output();
  }

  /** The output of the next command. */
  #output(): Promise<string> {
    const command = Promise.withResolvers<string>();
    this.#pending.push(command);
    return command.promise;
  }

  /** Reads a line of control mode: each command has its output between %begin and %end, or %error. */
  #read(line: string): void {
    const { end, rows } = this.#reply;
    const [word = "", ...rest] = line.split(" ");
    if (end === "") {
      this.#reply = { end: word === "%begin" ? rest.join(" ") : "", rows: [] };
    } else if (/^%(?:end|error)$/.test(word) && rest.join(" ") === end) {
      this.#reply = { end: "", rows: [] };
      const command = this.#pending.shift();
      const output = rows.map((row) => `${row}\n`).join("");
      if (word === "%end") {
        command?.resolve(output);
      } else {
        command?.reject(new Error(`tmux: ${output}`));
      }
    } else {
      rows.push(line);
    }
  }
}

/** An argument as tmux reads it. */
function quoted(arg: string): string {
  return `'${arg.replaceAll("'", String.raw`'\''`)}'`;
}

import { execFileSync, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { keyWithCredit } from "@gpu-offers/testkit/accounts";
import { CACHE_FOLDER } from "@gpu-offers/testkit/running-process";
import { atEnd } from "@gpu-offers/testkit/leftovers";
import { startService } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { beforeAll } from "vitest";
import type { FakeService } from "./fake-service.ts";
import { PROGRAM } from "./program.ts";

// Shells in real terminals, through tmux, that run the built picker, and what their sessions leave behind.

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

/** A shell in a terminal. Commands take effect in their order. */
export class TmuxShell {
  readonly #folder: string;
  readonly #server = `gpu-offers-${randomUUID()}`;

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
    this.#tmux("new-session", "-d", ...size, "-c", folder, ...shell, "--norc", "--noprofile");
  }

  enter(command: string): void {
    this.type(command);
    this.press("Enter");
  }

  /** Sends characters as one burst. */
  type(text: string): void {
    this.#tmux("send-keys", "-l", text);
  }

  /** Sends keys by their names in tmux. */
  press(...keys: readonly string[]): void {
    this.#tmux("send-keys", ...keys);
  }

  resize(columns: number, rows: number): void {
    this.#tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  /** Records all further output of the terminal. */
  record(): void {
    const [file, end] = this.#recording;
    this.#tmux("pipe-pane", `cat >'${file}'; : >'${end}'`);
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
    this.#tmux("pipe-pane");
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
  close(): void {
    spawnSync("tmux", ["-L", this.#server, "kill-server"]);
  }

  /** State of the terminal, by names of tmux formats: `alternate_on`, `mouse_any_flag`. */
  flags(...names: readonly string[]): string[] {
    const flags = this.#tmux("display-message", "-p", names.map((name) => `#{${name}}`).join(" "));
    return flags.trim().split(" ");
  }

  screen(): string {
    return this.#tmux("capture-pane", "-p");
  }

  /** The screen as text with attribute codes. */
  styledScreen(): string {
    return this.#tmux("capture-pane", "-p", "-e");
  }

  /** Waits until the screen matches; rejects with the screen on timeout. */
  async sees(wanted: RegExp): Promise<string> {
    const endMs = Date.now() + PATIENCE_MS;
    for (;;) {
      const screen = this.screen();
      if (wanted.test(screen)) {
        return screen;
      }
      if (Date.now() > endMs) {
        throw new Error(`The screen never showed ${wanted}:\n${screen}`);
      }
      await wait(POLL_MS);
    }
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync("tmux", ["-u", "-L", this.#server, "-f", "/dev/null", ...args], { encoding: "utf8" });
  }
}

/** A shell in a terminal that can start the picker. */
export type PickerShell = ReturnType<typeof openShell>;

/** Opens a shell in a folder of its own. The settings are all that it sees. */
export function openShell(settings: Readonly<Record<string, string>>) {
  const folder = tempFolder();
  const shell = new TmuxShell(folder, { HOME: folder, XDG_CACHE_HOME: CACHE_FOLDER, ...settings });
  atEnd(() => shell.close());
  const picker = `${process.execPath} ${PROGRAM}`;
  return {
    shell,
    folder,
    /** Runs the picker between two looks at the terminal's settings. */
    start: (args = "") =>
      shell.enter(`stty -a >before; ${picker} ${args} >out; echo "ended $?"; stty -a >after; echo done`),
    enter: (line: string) => shell.enter(line.replaceAll("PICKER", picker)),
    read: (name: string) => readFileSync(join(folder, name), "utf8"),
    has: (name: string) => existsSync(join(folder, name)),
  };
}

/** Opens a picker that shows the offers of a service. */
export async function openPicker({ url }: FakeService, args = ""): Promise<PickerShell> {
  const opened = openShell({ GPU_OFFERS_URL: url, GPU_OFFERS_API_KEY: "key" });
  opened.start(args);
  await opened.shell.sees(/ gpu-offers {3}30 offers/);
  return opened;
}

/** Starts a service with an account before the tests of a file. */
export function useSessions() {
  let settings: Record<string, string> = {};
  beforeAll(async () => {
    const service = await startService();
    settings = { GPU_OFFERS_URL: service.url, GPU_OFFERS_API_KEY: await keyWithCredit(service, "212.40") };
  });
  return {
    settings: () => settings,
    open: (others: Readonly<Record<string, string>> = {}) => openShell({ ...settings, ...others }),
  };
}

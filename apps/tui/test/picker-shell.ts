import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { CACHE_FOLDER } from "@gpu-offers/testkit/cache-folder";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import type { FakeService } from "./fake-service.ts";
import { PROGRAM } from "./program.ts";
import { TmuxShell } from "./tmux.ts";

// Shells in real terminals that run the built picker, and what their sessions leave behind.

const shells: TmuxShell[] = [];

afterAll(async () => {
  await Promise.all(shells.map((shell) => shell.close()));
});

/** A shell in a terminal that can start the picker. */
export interface PickerShell {
  shell: TmuxShell;
  /** Where the shell is. */
  folder: string;
  /** Runs the picker between two looks at the terminal's settings. */
  start: (args?: string) => void;
  /** Runs a command line with PICKER replaced by what starts it. */
  enter: (line: string) => void;
  /** A file of the folder as text. */
  read: (name: string) => string;
  has: (name: string) => boolean;
}

/** Opens a shell in a folder of its own. The settings are all that it sees. */
export function openShell(settings: Readonly<Record<string, string>>): PickerShell {
  const folder = tempFolder();
  const shell = new TmuxShell(folder, { HOME: folder, XDG_CACHE_HOME: CACHE_FOLDER, ...settings });
  shells.push(shell);
  const picker = `${process.execPath} ${PROGRAM}`;
  return {
    shell,
    folder,
    start: (args = "") =>
      shell.enter(`stty -a >before; ${picker} ${args} >out; echo "ended $?"; stty -a >after; echo done`),
    enter: (line) => shell.enter(line.replaceAll("PICKER", picker)),
    read: (name) => readFileSync(join(folder, name), "utf8"),
    has: (name) => existsSync(join(folder, name)),
  };
}

/** Opens a picker that shows the offers of a service. */
export async function openPicker({ url }: FakeService, args = ""): Promise<PickerShell> {
  const opened = openShell({ GPU_OFFERS_URL: url, GPU_OFFERS_API_KEY: "key" });
  opened.start(args);
  await opened.shell.sees(/ gpu-offers {3}30 offers/);
  return opened;
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { keyWithCredit } from "@gpu-offers/testkit/accounts";
import { CACHE_FOLDER } from "@gpu-offers/testkit/running-process";
import { atEnd } from "@gpu-offers/testkit/leftovers";
import { startService } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { beforeAll } from "vitest";
import type { FakeService } from "./fake-service.ts";
import { PROGRAM } from "./program.ts";
import { TmuxShell } from "./tmux.ts";

// Shells in real terminals that run the built picker, and what their sessions leave behind.

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
    /** Where the shell is. */
    folder,
    /** Runs the picker between two looks at the terminal's settings. */
    start: (args = "") =>
      shell.enter(`stty -a >before; ${picker} ${args} >out; echo "ended $?"; stty -a >after; echo done`),
    /** Runs a command line with PICKER replaced by what starts it. */
    enter: (line: string) => shell.enter(line.replaceAll("PICKER", picker)),
    /** A file of the folder as text. */
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
    /** The settings of the picker. */
    settings: () => settings,
    /** Opens a shell with the picker's settings, and others. */
    open: (others: Readonly<Record<string, string>> = {}) => openShell({ ...settings, ...others }),
  };
}

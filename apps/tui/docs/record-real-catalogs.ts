import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { adminDone } from "@gpu-offers/testkit/admin";
import { findRealFile } from "@gpu-offers/testkit/real-file";
import { startService } from "@gpu-offers/testkit/service";
import { TmuxShell } from "../test/tmux.ts";

// Records the screens of real catalogs for docs/picker.md: the SkyPilot samples, imported over the starter catalog.

/** Screens of real catalogs by their names in docs/picker.md. */
export type RealScreens = Readonly<Record<string, string>>;

/** Environment of a recording. */
export interface RealStage {
  /** A temporary folder. */
  folder: string;
  /** Path of the built program. */
  program: string;
}

interface Size {
  columns: number;
  rows: number;
}

const SMALL = { columns: 58, rows: 20 };
const NORMAL = { columns: 80, rows: 24 };
const LARGE = { columns: 140, rows: 40 };

/** Documented maximum delay until a service notices an import, and some time to read it. */
const NOTICE_MS = 3_000;

/** An offer of the samples whose price changes while it is confirmed. */
const REPRICED = { provider: "hyperstack", type: "n3-A100x1", from: 1.35, to: 1.55 };

/** Records all screens; undefined if the samples are not on this machine. */
export async function recordRealCatalogs({ folder, program }: RealStage): Promise<RealScreens | undefined> {
  const samples = findRealFile("data/skypilot-catalog");
  if (samples === undefined) {
    return undefined;
  }
  const database = join(folder, "real.sqlite");
  const service = await startService({ databasePath: database });
  try {
    const files = globSync("*/*/vms.csv", { cwd: samples }).map((file) => join(samples, file));
    for (const file of files) {
      await adminDone(database, "catalog", "import", file, "--accept-changes");
    }
    const opened = new Picker({ folder, program, url: service.url });
    return {
      "cheapest 80x24": await opened.cheapest(NORMAL, ["A", "g"], /available {2}disk 1000G[^]*Enter choose/),
      "cheapest 140x40": await opened.cheapest(LARGE, [], /\$25 buys[^]*1 of \d+ rows {2}/),
      "24 GB": await opened.withImage(),
      compare: await opened.compared(),
      paste: await opened.pasted(),
      repriced: await opened.repriced(async () => {
        await adminDone(database, "catalog", "import", changedFile(folder, files));
        await wait(NOTICE_MS);
      }),
    };
  } finally {
    await service.stop();
  }
}

/** The file of a provider with another price of one machine. */
function changedFile(folder: string, files: readonly string[]): string {
  const { provider, type, from, to } = REPRICED;
  const original = files.find((file) => basename(dirname(file)) === provider) ?? "";
  const changed = readFileSync(original, "utf8")
    .split("\n")
    .map((line) => (line.startsWith(`${type},`) ? line.replace(`,${from},`, `,${to},`) : line));
  mkdirSync(join(folder, provider), { recursive: true });
  const file = join(folder, provider, "vms.csv");
  writeFileSync(file, changed.join("\n"));
  return file;
}

/** Pickers in terminals, each with a home of its own. */
class Picker {
  readonly #stage: RealStage & { url: string };
  #count = 0;

  constructor(stage: RealStage & { url: string }) {
    this.#stage = stage;
  }

  cheapest(size: Size, keys: readonly string[], wanted: RegExp): Promise<string> {
    return this.#record(size, "--disk 1000 --sort total", async (shell) => {
      await typeFilter(shell, "8xh100 eu");
      keys.forEach((key) => shell.type(key));
      return shell.sees(wanted);
    });
  }

  withImage(): Promise<string> {
    return this.#record(SMALL, "--os ubuntu-22.04 --cuda 12", async (shell) => {
      await typeFilter(shell, "24g <0.5");
      return shell.sees(/ \/ 24g <0\.5 [^]*Enter choose/);
    });
  }

  compared(): Promise<string> {
    return this.#record(NORMAL, "--disk 1000 --sort total", async (shell) => {
      await typeFilter(shell, "8xh100 eu");
      // Space marks and moves down.
      shell.type(" jj ");
      shell.type("=");
      return shell.sees(/\$\/h with disk/);
    });
  }

  pasted(): Promise<string> {
    return this.#record(SMALL, "", async (shell) => {
      shell.type("\u001B[200~8x a100 80gb\rnordics\r\u001B[201~");
      return shell.sees(/ \/ 8x a100 80gb nordics[^]*Enter keep/);
    });
  }

  repriced(change: () => Promise<unknown>): Promise<string> {
    return this.#record(NORMAL, "", async (shell) => {
      await typeFilter(shell, `1x a100 ${REPRICED.provider}`);
      shell.press("Enter");
      await shell.sees(/Offer ✓ › Image[^]*❯/);
      shell.press("Enter");
      await shell.sees(/Enter accepts/);
      await change();
      shell.press("Enter");
      return shell.sees(/The price has changed/);
    });
  }

  /** Opens a picker, waits until it has loaded all offers, and plays on it. */
  async #record(size: Size, flags: string, play: (shell: TmuxShell) => Promise<string>): Promise<string> {
    const { folder, program, url } = this.#stage;
    const home = join(folder, `home-${(this.#count += 1)}`);
    mkdirSync(home);
    const shell = new TmuxShell(home, { HOME: home, GPU_OFFERS_URL: url }, size);
    try {
      shell.enter(`clear; "${process.execPath}" "${program}" ${flags}`);
      await shell.sees(/^ gpu-offers {3}[\d,]+(?: of [\d,]+)? offers (?!loade)/m);
      return (await play(shell)).trimEnd();
    } finally {
      await shell.close();
    }
  }
}

async function typeFilter(shell: TmuxShell, words: string): Promise<void> {
  shell.type(`/${words}\r`);
  const filtered = `^ gpu-offers {3}[\\d,]+ of [\\d,]+ offers (?!loade)[^]* / ${words} [^]* q quit$`;
  await shell.sees(new RegExp(filtered, "m"));
}

import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { adminDone } from "@gpu-offers/testkit/admin";
import { findRealFile } from "@gpu-offers/testkit/real-file";
import { startService } from "@gpu-offers/testkit/service";
import { TmuxShell } from "../test/tmux.ts";

// Records the screens of real catalogs for docs/picker-screens.md: the SkyPilot samples, imported over the starter
// catalog.

/** What is shown on real catalogs, by the names of the screens in docs. */
export const SCENARIOS = {
  cheapest: {
    title: "The cheapest 8x H100 in Europe with a disk of 1 TB",
    play: "`gpu-offers --disk 1000 --sort total`, then `/8xh100 eu`",
  },
  "24 GB": {
    title: "A 24 GB GPU under $0.50 an hour, from a provider with Ubuntu 22.04 and CUDA 12",
    play: "`gpu-offers --os ubuntu-22.04 --cuda 12`, then `/24g <0.5`. RunPod's file lists every machine in every country, which doesn't prove that it's available",
  },
  compare: {
    title: "Two offers compared",
    play: "`gpu-offers --disk 1000 --sort total`, then `/8xh100 eu`, `Space` on both, and `=`",
  },
  paste: {
    title: "A paste",
    play: "The lines `8x a100 80gb` and `nordics`, pasted into the list. Line breaks become spaces, and nothing is chosen",
  },
  repriced: {
    title: "A price that changed between the list and the confirmation",
    play: "`/1x a100 hyperstack`, `Enter` until the confirmation, and `Enter` again after the import of another price",
  },
} as const;

type Scenario = keyof typeof SCENARIOS;

/** Sizes of the recorded screens. */
export const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 140, rows: 40 },
  { columns: 58, rows: 20 },
] as const satisfies readonly Size[];

/** Screens of real catalogs by {@link screenName}. */
export type RealScreens = Readonly<Record<string, string>>;

/** The name of a screen in docs: `compare 80x24`. */
export function screenName(scenario: string, { columns, rows }: Size): string {
  return `${scenario} ${columns}x${rows}`;
}

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

/** Time until prices of the details and images, which are read after the list, are shown. */
const SETTLE_MS = 1_500;

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
    await wait(NOTICE_MS);
    const opened = new Picker({ folder, program, url: service.url });
    const screens: Record<string, string> = {};
    const original = files.find((file) => basename(dirname(file)) === REPRICED.provider) ?? "";
    const prices = [changedFile(folder, original), original];
    for (const size of SIZES) {
      const [next = original] = prices;
      prices.reverse();
      const recorded: Record<Scenario, string> = {
        cheapest: await opened.cheapest(size),
        "24 GB": await opened.withImage(size),
        compare: await opened.compared(size),
        paste: await opened.pasted(size),
        repriced: await opened.repriced(size, async () => {
          await adminDone(database, "catalog", "import", next);
          await wait(NOTICE_MS);
        }),
      };
      for (const [scenario, screen] of Object.entries(recorded)) {
        screens[screenName(scenario, size)] = screen;
      }
    }
    return screens;
  } finally {
    await service.stop();
  }
}

/** The file of a provider with another price of one machine. */
function changedFile(folder: string, original: string): string {
  const { provider, type, from, to } = REPRICED;
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

  cheapest(size: Size): Promise<string> {
    return this.#record(size, "--disk 1000 --sort total", (shell) => typeFilter(shell, "8xh100 eu"));
  }

  withImage(size: Size): Promise<string> {
    return this.#record(size, "--os ubuntu-22.04 --cuda 12", (shell) => typeFilter(shell, "24g <0.5"));
  }

  compared(size: Size): Promise<string> {
    return this.#record(size, "--disk 1000 --sort total", async (shell) => {
      await typeFilter(shell, "8xh100 eu");
      // Space marks and moves down.
      shell.type(" jj ");
      shell.type("=");
      return shell.sees(/\$\/h with disk/);
    });
  }

  pasted(size: Size): Promise<string> {
    return this.#record(size, "", async (shell) => {
      shell.type("\u001B[200~8x a100 80gb\rnordics\r\u001B[201~");
      return shell.sees(/ \/ 8x a100 80gb nordics[^]*Enter keep/);
    });
  }

  repriced(size: Size, change: () => Promise<unknown>): Promise<string> {
    return this.#record(size, "", async (shell) => {
      await typeFilter(shell, `1x a100 ${REPRICED.provider}`);
      // The provider's images are unknown and its disk is, too: the next step is the confirmation.
      shell.press("Enter");
      await shell.sees(/Enter to accept/);
      await change();
      shell.press("Enter");
      return shell.sees(/The price has changed/);
    });
  }

  /** Opens a picker, waits until it has loaded all offers, and plays on it. */
  async #record(size: Size, flags: string, play: (shell: TmuxShell) => Promise<unknown>): Promise<string> {
    const { folder, program, url } = this.#stage;
    const home = join(folder, `home-${(this.#count += 1)}`);
    mkdirSync(home);
    const shell = new TmuxShell(home, { HOME: home, GPU_OFFERS_URL: url }, size);
    try {
      shell.enter(`clear; "${process.execPath}" "${program}" ${flags}`);
      await shell.sees(/^ gpu-offers {3}[\d,]+(?: of [\d,]+)? offers (?!loade)/m);
      await play(shell);
      await wait(SETTLE_MS);
      return (await shell.screen()).trimEnd();
    } finally {
      await shell.close();
    }
  }
}

async function typeFilter(shell: TmuxShell, words: string): Promise<void> {
  shell.type(`/${words}\r`);
  await shell.sees(
    new RegExp(`^ gpu-offers {3}[\\d,]+ of [\\d,]+ offers (?!loade)[^]* / ${words} [^]* Enter choose`, "m"),
  );
}

import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Offer } from "@gpu-offers/domain";
import { openDatabase } from "@gpu-offers/store/database";
import { adminDone, startAdmin } from "@gpu-offers/testkit/admin";
import { nativeFile, nativeImage, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import type { RunningProcess } from "@gpu-offers/testkit/running-process";
import { killRow, killWriters, tryWriters, whileReading, type KillOn, type MarkedCatalog } from "./killed-catalog.ts";

// Kills imports at random moments while a service serves their database. Stored and served catalogs must be
// wholly old or wholly new.

/** A catalog whose region identifies it. */
interface ImportedCatalog extends MarkedCatalog {
  text: string;
}

const markOf = ({ region }: Offer): string => region;

const CATALOGS = [
  { mark: "even-1", count: 1_500, gpuCount: 2 },
  { mark: "odd-1", count: 1_300, gpuCount: 4 },
] as const;

/** Milliseconds until a started import waits for its file. */
const READY_MS = 600;

/** Imports started ahead of time, so that a kill hits their work and not their start. */
const AHEAD = 3;

/** An import that waits for its file, or is about to. */
interface Waiting extends RunningProcess {
  readyAtMs: number;
}

function startImport(url: string): Waiting {
  const running = startAdmin(url, ["catalog", "import", "-", "--format", "native", "--accept-changes"], {
    stdin: "open",
  });
  return { ...running, readyAtMs: performance.now() + READY_MS };
}

/** Sends an import its file once it waits for it. */
async function feed(importing: Waiting, text: string): Promise<void> {
  await delay(Math.max(0, importing.readyAtMs - performance.now()));
  importing.child.stdin?.end(text);
}

function catalogOf({ mark, count, gpuCount }: (typeof CATALOGS)[number]): ImportedCatalog {
  const images = [nativeImage(`ubuntu-${mark}`, { isDefault: true })];
  const text = readFileSync(nativeFile(nativeRows(count, { region: mark, gpuCount }), images), "utf8");
  return { mark, count, text };
}

const killOn: KillOn = async ({ kind, url }, kills) => {
  await adminDone(url, "catalog", "import", nativeFile(nativeRows(1)), "--format", "native");
  const database = await openDatabase(url);
  const catalogs = [catalogOf(CATALOGS[0]), catalogOf(CATALOGS[1])] as const;
  const prepared = await tryWriters(database, catalogs, async ({ text }) => {
    const importing = startImport(url);
    await feed(importing, text);
    return importing;
  });
  const { problems } = kills;
  const result = await whileReading({ url, settings: {}, marked: { catalogs, markOf }, problems }, async () => {
    const ahead = Array.from({ length: AHEAD }, () => startImport(url));
    const begin = async ({ text }: ImportedCatalog): Promise<RunningProcess> => {
      const importing = ahead.shift() as Waiting;
      ahead.push(startImport(url));
      await feed(importing, text);
      return importing;
    };
    const killed = await killWriters({ ...kills, ...prepared, kind, catalogs, stored: catalogs[1], database, begin });
    for (const { child } of ahead) {
      child.kill("SIGKILL");
    }
    return killed;
  });
  await database.destroy();
  return result;
};

export const killImport = killRow({
  name: "kill-import",
  what: "kill -9 during imports",
  bar: "the catalog is wholly old or wholly new",
  killOn,
});

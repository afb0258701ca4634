import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { offerListSchema } from "@gpu-offers/domain";
import { randomNumbers } from "@gpu-offers/testkit/synthetic";
import { openDatabase, type Database } from "gpu-offers-server/dist/store/database.js";
import { adminDone, startAdmin } from "@gpu-offers/testkit/admin";
import { ask, jsonOf } from "@gpu-offers/testkit/http";
import { nativeFile, nativeImage, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import type { RunningProcess } from "@gpu-offers/testkit/running-process";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { onBothDatabases, type TestDatabase } from "./both-databases.ts";
import { shown, type Problems, type Row } from "./row.ts";
import { msUntil, quantile } from "./timing.ts";

// Imports are killed at any moment while a service serves their database. What is stored and what is served
// is the catalog of before or that of after, whole.

/** A catalog whose rows all tell which one they are of. */
interface Marked {
  region: string;
  count: number;
  text: string;
  /** Digest of what is stored after its import. */
  digest: string;
}

const CATALOGS = [
  { region: "even-1", count: 1_500, gpuCount: 2 },
  { region: "odd-1", count: 1_300, gpuCount: 4 },
];
const TRIALS = 4;
const SERVED_WITHIN_MS = 10_000;

/**
 * How the time within which kills come follows the machine, since other imports start beside: it grows by the first
 * with each old catalog and shrinks by the second with each new one, so that about a fifth of the kills come too late.
 */
const WINDOW_STEPS = { longer: 1.03, shorter: 0.9 };

/** Digest of the whole catalog as it is stored. */
async function digestOf(database: Database): Promise<string> {
  const hash = createHash("sha256");
  hash.update(JSON.stringify(await database.selectFrom("provider").selectAll().orderBy("name").execute()));
  hash.update(JSON.stringify(await database.selectFrom("os_image").selectAll().orderBy("id").execute()));
  hash.update(JSON.stringify(await database.selectFrom("offer").selectAll().orderBy("id").execute()));
  return hash.digest("hex");
}

/** Milliseconds after which an import that was started waits for its file. */
const READY_MS = 600;

/** Imports that are started ahead, so that a kill hits their work and not their start. */
const AHEAD = 3;

/** An import that waits for its file, or soon will. */
interface Waiting extends RunningProcess {
  readyAtMs: number;
}

function startImport(url: string): Waiting {
  const running = startAdmin(url, ["catalog", "import", "-", "--format", "native", "--accept-changes"], {
    stdin: "open",
  });
  return { ...running, readyAtMs: performance.now() + READY_MS };
}

/** Gives an import its file once it waits for it. */
async function feed(importing: Waiting, text: string): Promise<void> {
  await delay(Math.max(0, importing.readyAtMs - performance.now()));
  importing.child.stdin?.end(text);
}

/** Imports both catalogs in turn, and gives them with the usual milliseconds from their last byte to the end. */
async function prepare(url: string, database: Database): Promise<{ catalogs: Marked[]; usualMs: number }> {
  const catalogs: Marked[] = [];
  for (const { region, count, gpuCount } of CATALOGS) {
    const images = [nativeImage(`ubuntu-${region}`, { isDefault: true })];
    const text = readFileSync(nativeFile(nativeRows(count, { region, gpuCount }), images), "utf8");
    catalogs.push({ region, count, text, digest: "" });
  }
  const times: number[] = [];
  for (let trial = 0; trial < TRIALS; trial++) {
    const catalog = catalogs[trial % 2] as Marked;
    const importing = startImport(url);
    await feed(importing, catalog.text);
    const started = performance.now();
    const { code, stderr } = await importing.ended;
    if (code !== 0) {
      throw new Error(`An import ended with ${code}: ${stderr}`);
    }
    times.push(performance.now() - started);
    catalog.digest = await digestOf(database);
  }
  return { catalogs, usualMs: quantile(times, 0.5) };
}

/** What is wrong with a page of the service: it is of one catalog, and its totals are those of the same. */
async function pageProblem(service: Service, page: number): Promise<string | undefined> {
  const response = await ask(service, `/api/v1/offers?size=100&page=${page}`);
  if (response.status !== 200) {
    return `status ${response.status}`;
  }
  const { offers, totalElements } = offerListSchema.parse(jsonOf(response));
  const regions = new Set(offers.map(({ region }) => region));
  const [region] = regions;
  const expected = CATALOGS.find((catalog) => catalog.region === region)?.count;
  return regions.size === 1 && totalElements === expected
    ? undefined
    : `a page has the regions ${[...regions].join(", ")} and a total of ${totalElements}`;
}

/** Reads pages on and on until it is told to stop; gives their number. */
async function readOn(service: Service, isOver: () => boolean, problems: Problems): Promise<number> {
  let pages = 0;
  while (!isOver()) {
    problems.addIf(await pageProblem(service, pages % 13));
    pages++;
    await delay(5);
  }
  return pages;
}

async function killOn(
  { kind, url }: TestDatabase,
  n: number,
  random: () => number,
  problems: Problems,
  progress: (text: string) => void,
): Promise<string> {
  await adminDone(url, "catalog", "import", nativeFile(nativeRows(1)), "--format", "native");
  const database = await openDatabase(url);
  const { catalogs, usualMs } = await prepare(url, database);
  const service = await startService({ databasePath: url, settings: { LOG_LEVEL: "warn" } });
  let isOver = false;
  const reading = readOn(service, () => isOver, problems);
  let stored = catalogs.find(({ digest }) => digest === catalogs[(TRIALS - 1) % 2]?.digest) as Marked;
  const counts = { killed: 0, ended: 0, changed: 0 };
  let windowMs = usualMs;
  const ahead = Array.from({ length: AHEAD }, () => startImport(url));
  while (counts.killed < n) {
    const next = catalogs.find((catalog) => catalog !== stored) as Marked;
    const importing = ahead.shift() as Waiting;
    ahead.push(startImport(url));
    await feed(importing, next.text);
    await delay(random() * windowMs);
    importing.child.kill("SIGKILL");
    const { signal } = await importing.ended;
    counts[signal === "SIGKILL" ? "killed" : "ended"]++;
    const digest = await digestOf(database);
    const found = catalogs.find((catalog) => catalog.digest === digest);
    if (found === undefined) {
      problems.add(`${kind}: after kill ${counts.killed} the stored catalog is neither of the two`);
    } else if (found === stored) {
      windowMs *= WINDOW_STEPS.longer;
    } else {
      stored = found;
      counts.changed++;
      windowMs *= WINDOW_STEPS.shorter;
    }
    if (counts.killed % 100 === 0) {
      progress(`${kind}: ${counts.killed} kills, ${counts.changed} times the new catalog`);
    }
  }
  for (const { child } of ahead) {
    child.kill("SIGKILL");
  }
  if (n >= 100 && (counts.changed < n / 20 || counts.ended > n)) {
    problems.add(`${kind}: the kills came at the wrong time: ${counts.changed} changes, ${counts.ended} imports ended`);
  }
  const isServed = async (): Promise<boolean> =>
    (await ask(service, "/api/v1/offers?size=1")).text.includes(`"region":"${stored.region}"`);
  if ((await msUntil(isServed, SERVED_WITHIN_MS)) === Number.POSITIVE_INFINITY) {
    problems.add(`${kind}: what is stored at the end is not served`);
  }
  isOver = true;
  const pages = await reading;
  await adminDone(url, "verify");
  await database.destroy();
  await service.stop();
  return `${shown(counts.killed)} kills within ${Math.round(windowMs)} ms of the file at last, ${shown(counts.changed)} catalogs changed, ${shown(pages)} pages read meanwhile`;
}

export const killImport: Row = {
  name: "kill-import",
  what: "kill -9 during imports",
  unit: "kills on each database",
  bar: "the catalog is wholly old or wholly new",
  n: 1_000,
  shortN: 3,
  run: async ({ n, seed, progress, problems }) => {
    const random = randomNumbers(seed);
    const results = await onBothDatabases((database) => killOn(database, n, random, problems, progress));
    return `${results}; ${problems.count} mixed`;
  },
};

import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { offerListSchema, type Offer } from "@gpu-offers/domain";
import { adminDone } from "@gpu-offers/testkit/admin";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import type { RunningProcess } from "@gpu-offers/testkit/running-process";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { randomNumbers } from "@gpu-offers/testkit/synthetic";
import type { Database } from "@gpu-offers/store/database";
import { onBothDatabases, type TestDatabase } from "./both-databases.ts";
import { shown, type Problems, type Row } from "./row.ts";
import { msUntil, quantile } from "./timing.ts";

// Shared by rows that kill catalog writers: two catalogs that replace each other, and kills at any moment.

/** One of two catalogs. All its offers have the same mark, which the other's don't have. */
export interface MarkedCatalog {
  mark: string;
  count: number;
}

/** Two catalogs, and how to distinguish their offers. */
interface MarkedCatalogs {
  catalogs: readonly MarkedCatalog[];
  markOf: (offer: Offer) => string;
}

/** How writers ended. */
interface KillCounts {
  killed: number;
  /** Writers that finished before the kill. */
  ended: number;
  /** Kills that came too late to keep the old catalog. */
  changed: number;
}

/**
 * Adapts the time window of kills to the machine, because other writers start meanwhile: it grows by the first factor
 * with each old catalog and shrinks by the second with each new one, so that about a fifth of the kills come too late.
 */
const WINDOW_STEPS = { longer: 1.03, shorter: 0.9 };

const SERVED_WITHIN_MS = 10_000;

/** Digest of the whole stored catalog, except the time when it was written. */
async function catalogDigest(database: Database): Promise<string> {
  const hash = createHash("sha256");
  const providers = database.selectFrom("provider").select(["name", "type", "as_of", "source"]);
  hash.update(JSON.stringify(await providers.orderBy("name").execute()));
  hash.update(JSON.stringify(await database.selectFrom("os_image").selectAll().orderBy("id").execute()));
  hash.update(JSON.stringify(await database.selectFrom("offer").selectAll().orderBy("id").execute()));
  return hash.digest("hex");
}

/** Reads pages until stopped; each must be from one of the catalogs. Returns the number of pages. */
async function readPages(
  service: Service,
  marked: MarkedCatalogs,
  { isOver, problems }: { isOver: () => boolean; problems: Problems },
): Promise<number> {
  let pages = 0;
  while (!isOver()) {
    problems.addIf(await pageProblem(service, pages % 9, marked));
    pages++;
    await delay(5);
  }
  return pages;
}

/** Returns what is wrong with a page: its offers and totals must be from the same catalog. */
async function pageProblem(
  service: Service,
  page: number,
  { catalogs, markOf }: MarkedCatalogs,
): Promise<string | undefined> {
  const response = await fetchFrom(service, `/api/v1/offers?size=100&page=${page}`);
  if (response.status !== 200) {
    return `status ${response.status}`;
  }
  const { offers, totalElements } = offerListSchema.parse(jsonOf(response));
  const marks = new Set(offers.map(markOf));
  const [mark] = marks;
  const expected = catalogs.find((catalog) => catalog.mark === mark)?.count;
  return marks.size === 1 && totalElements === expected
    ? undefined
    : `a page has offers of ${[...marks].join(" and ")} and a total of ${totalElements}`;
}

/** What a row of kills needs. */
interface Kills<Catalog extends MarkedCatalog> {
  kind: string;
  n: number;
  /** From 0 to 1. */
  random: () => number;
  catalogs: readonly [Catalog, Catalog];
  /** The digest of each catalog. */
  digests: ReadonlyMap<Catalog, string>;
  /** The catalog that is stored. */
  stored: Catalog;
  /** Typical time that a writer works on a catalog. */
  usualMs: number;
  database: Database;
  /** Sends a writer the other catalog; resolves when its work begins. */
  begin: (next: Catalog) => Promise<RunningProcess>;
  /** Returns what is wrong after a writer ended, apart from the catalog. */
  check?: (isChanged: boolean) => Promise<string | undefined>;
  problems: Problems;
  progress: (text: string) => void;
}

/** Counts of kills, and the catalog they left. */
export interface Killed<Catalog extends MarkedCatalog = MarkedCatalog> {
  counts: KillCounts;
  /** The final time window of the kills. */
  windowMs: number;
  stored: Catalog;
}

/** Kills `n` writers, each at a random moment. The stored catalog must be one of the two, whole, each time. */
export async function killWriters<Catalog extends MarkedCatalog>({
  kind,
  n,
  random,
  catalogs,
  digests,
  usualMs,
  database,
  problems,
  progress,
  ...kills
}: Kills<Catalog>): Promise<Killed<Catalog>> {
  const counts: KillCounts = { killed: 0, ended: 0, changed: 0 };
  let { stored } = kills;
  let windowMs = usualMs;
  while (counts.killed < n) {
    const next = stored === catalogs[0] ? catalogs[1] : catalogs[0];
    const writer = await kills.begin(next);
    await delay(random() * windowMs);
    writer.child.kill("SIGKILL");
    const { signal } = await writer.ended;
    counts[signal === "SIGKILL" ? "killed" : "ended"]++;
    const digest = await catalogDigest(database);
    const found = catalogs.find((catalog) => digests.get(catalog) === digest);
    problems.addIf(await kills.check?.(found === next));
    if (found === undefined) {
      problems.add(`${kind}: after kill ${counts.killed} the stored catalog is neither of the two`);
    } else if (found === stored) {
      windowMs *= WINDOW_STEPS.longer;
    } else {
      stored = found;
      counts.changed++;
      windowMs *= WINDOW_STEPS.shorter;
    }
    if (signal === "SIGKILL" && counts.killed % 100 === 0) {
      progress(`${kind}: ${counts.killed} kills, ${counts.changed} times the new catalog`);
    }
  }
  if (n >= 100 && (counts.changed < n / 20 || counts.ended > n)) {
    problems.add(`${kind}: the kills came at the wrong time: ${counts.changed} changes, ${counts.ended} writers ended`);
  }
  return { counts, windowMs, stored };
}

/** Returns what is wrong if a catalog is not served soon after it was stored. */
async function servedProblem(
  service: Service,
  { mark }: MarkedCatalog,
  markOf: (offer: Offer) => string,
): Promise<string | undefined> {
  const isServed = async (): Promise<boolean> => {
    const { offers } = offerListSchema.parse(jsonOf(await fetchFrom(service, "/api/v1/offers?size=1")));
    return offers.some((offer) => markOf(offer) === mark);
  };
  const ms = await msUntil(isServed, SERVED_WITHIN_MS);
  return ms === Number.POSITIVE_INFINITY ? "what is stored at the end is not served" : undefined;
}

/** Kills `n` writers on one database, and returns the result as text. */
export type KillOn = (
  database: TestDatabase,
  kills: { n: number; random: () => number; problems: Problems; progress: (text: string) => void },
) => Promise<string>;

/** A row that kills catalog writers on both databases. */
export function killRow({ killOn, ...facts }: Pick<Row, "name" | "what" | "bar"> & { killOn: KillOn }): Row {
  return {
    ...facts,
    unit: "kills on each database",
    n: 1_000,
    shortN: 3,
    run: async ({ n, seed, progress, problems }) => {
      const random = randomNumbers(seed);
      const results = await onBothDatabases((database) => killOn(database, { n, random, problems, progress }));
      return `${results}; ${problems.count} mixed`;
    },
  };
}

/** Reads pages of a service while writers are killed, then checks that the stored catalog is valid and served. */
export async function whileReading(
  {
    url,
    settings,
    marked,
    problems,
  }: {
    url: string;
    settings: Readonly<Record<string, string>>;
    marked: MarkedCatalogs;
    problems: Problems;
  },
  work: () => Promise<Killed>,
): Promise<string> {
  const service = await startService({ databasePath: url, settings: { LOG_LEVEL: "warn", ...settings } });
  let isOver = false;
  const reading = readPages(service, marked, { isOver: () => isOver, problems });
  const { counts, windowMs, stored } = await work();
  problems.addIf(await servedProblem(service, stored, marked.markOf));
  isOver = true;
  const pages = await reading;
  await adminDone(url, "verify");
  await service.stop();
  return `${shown(counts.killed)} kills within ${Math.round(windowMs)} ms at last, ${shown(counts.changed)} catalogs changed, ${shown(pages)} pages read meanwhile`;
}

/** Runs of writers without a kill, of each catalog in turn. */
const TRIALS = 4;

/**
 * Lets writers finish, each catalog in turn.
 * @param begin starts a writer, and resolves when it has all that it writes.
 * @returns the digests of the catalogs, and the typical milliseconds that a writer takes from then to its end.
 */
export async function tryWriters<Catalog>(
  database: Database,
  catalogs: readonly [Catalog, Catalog],
  begin: (catalog: Catalog) => Promise<RunningProcess>,
): Promise<{ digests: Map<Catalog, string>; usualMs: number }> {
  const digests = new Map<Catalog, string>();
  const times: number[] = [];
  for (let trial = 0; trial < TRIALS; trial++) {
    const catalog = catalogs[trial % 2 === 0 ? 0 : 1];
    const writer = await begin(catalog);
    const started = performance.now();
    const { code, stderr } = await writer.ended;
    if (code !== 0) {
      throw new Error(`A writer ended with ${code}: ${stderr}`);
    }
    times.push(performance.now() - started);
    digests.set(catalog, await catalogDigest(database));
  }
  return { digests, usualMs: quantile(times, 0.5) };
}

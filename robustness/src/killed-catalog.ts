import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { offerListSchema, type Offer } from "@gpu-offers/domain";
import { ask, jsonOf } from "@gpu-offers/testkit/http";
import type { RunningProcess } from "@gpu-offers/testkit/running-process";
import type { Service } from "@gpu-offers/testkit/service";
import type { Database } from "gpu-offers-server/dist/modules/store/database.js";
import { shown, type Problems } from "./row.ts";
import { msUntil } from "./timing.ts";

// What rows that kill the writers of a catalog share: two catalogs that replace each other, and kills at any moment of it.

/** One of two catalogs. All its offers have the same mark, which tells them from those of the other. */
export interface MarkedCatalog {
  mark: string;
  count: number;
}

/** Two catalogs, and how to distinguish their offers. */
export interface MarkedCatalogs {
  catalogs: readonly MarkedCatalog[];
  markOf: (offer: Offer) => string;
}

/** How many ends of writers were of which kind. */
export interface KillCounts {
  killed: number;
  /** Writers that were done before the kill. */
  ended: number;
  /** Kills that came too late to keep the old catalog. */
  changed: number;
}

/**
 * How the time within which kills come follows the machine, since other writers start beside: it grows by the first
 * with each old catalog and shrinks by the second with each new one, so that about a fifth of the kills come too late.
 */
const WINDOW_STEPS = { longer: 1.03, shorter: 0.9 };

const SERVED_WITHIN_MS = 10_000;

/** Digest of the whole catalog as it is stored, but for the time when it was written. */
export async function catalogDigest(database: Database): Promise<string> {
  const hash = createHash("sha256");
  const providers = database.selectFrom("provider").select(["name", "type", "as_of", "source"]);
  hash.update(JSON.stringify(await providers.orderBy("name").execute()));
  hash.update(JSON.stringify(await database.selectFrom("os_image").selectAll().orderBy("id").execute()));
  hash.update(JSON.stringify(await database.selectFrom("offer").selectAll().orderBy("id").execute()));
  return hash.digest("hex");
}

/** Reads pages until stopped; each must be of one of the catalogs. Returns their number. */
export async function readPages(
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

/** What is wrong with a page of the service: it is of one catalog, and its totals are those of the same. */
async function pageProblem(
  service: Service,
  page: number,
  { catalogs, markOf }: MarkedCatalogs,
): Promise<string | undefined> {
  const response = await ask(service, `/api/v1/offers?size=100&page=${page}`);
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

/** What a row of kills works with. */
export interface Kills<Catalog extends MarkedCatalog> {
  kind: string;
  n: number;
  /** From 0 to 1. */
  random: () => number;
  catalogs: readonly [Catalog, Catalog];
  /** The digest of each catalog. */
  digests: ReadonlyMap<Catalog, string>;
  /** The catalog that is stored. */
  stored: Catalog;
  /** How long a writer usually works on a catalog. */
  usualMs: number;
  database: Database;
  /** Gives a writer the other catalog; resolves when its work begins. */
  begin: (next: Catalog) => Promise<RunningProcess>;
  /** What is wrong after a writer ended, beside the catalog. */
  check?: (isChanged: boolean) => Promise<string | undefined>;
  problems: Problems;
  progress: (text: string) => void;
}

/** Kills `n` writers, each at a random moment. What is stored must be one of the catalogs, whole, each time. */
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
}: Kills<Catalog>): Promise<{ counts: KillCounts; windowMs: number; stored: Catalog }> {
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

/** What is wrong when a catalog is not served soon after it was stored. */
export async function servedProblem(
  service: Service,
  { mark }: MarkedCatalog,
  markOf: (offer: Offer) => string,
): Promise<string | undefined> {
  const isServed = async (): Promise<boolean> => {
    const { offers } = offerListSchema.parse(jsonOf(await ask(service, "/api/v1/offers?size=1")));
    return offers.some((offer) => markOf(offer) === mark);
  };
  const ms = await msUntil(isServed, SERVED_WITHIN_MS);
  return ms === Number.POSITIVE_INFINITY ? "what is stored at the end is not served" : undefined;
}

/** The result of killing writers of a catalog, in words. */
export function killResult({ killed, changed }: KillCounts, windowMs: number, pages: number): string {
  return `${shown(killed)} kills within ${Math.round(windowMs)} ms at last, ${shown(changed)} catalogs changed, ${shown(pages)} pages read meanwhile`;
}

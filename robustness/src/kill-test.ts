import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { offerListSchema, type Offer } from "@gpu-offers/domain";
import { openDatabase, type Database } from "@gpu-offers/store/database";
import { adminDone } from "@gpu-offers/testkit/admin";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import type { RunningProcess } from "@gpu-offers/testkit/running-process";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { randomNumbers } from "@gpu-offers/testkit/synthetic";
import { shown } from "@gpu-offers/testkit/table-row";
import { vi } from "vitest";
import { onBothDatabases } from "./both-databases.ts";
import { stressTest } from "./stress-test.ts";

// Kills writers of catalogs at random moments while a service serves their database. Stored and served catalogs must be
// wholly old or wholly new.

/** One of two catalogs that replace each other. All its offers have the same mark, which the other's don't have. */
export interface MarkedCatalog {
  mark: string;
  count: number;
}

export interface Writers<Catalog extends MarkedCatalog, Writer extends RunningProcess> {
  catalogs: readonly [Catalog, Catalog];
  markOf: (offer: Offer) => string;
  /** Starts a writer that waits, so that a kill hits its work and not its start. */
  ahead: () => Writer;
  /** Lets a writer store a catalog; resolves when its work begins. */
  feed: (writer: Writer, catalog: Catalog) => Promise<void>;
  /** Returns what is wrong after a writer ended, apart from the catalog. */
  check?: (isChanged: boolean) => Promise<string | undefined>;
  /** Stores a catalog after the last kill without any help of the test. */
  store?: (catalog: Catalog) => Promise<unknown>;
  close?: () => Promise<void>;
}

/** Writers started ahead of time. */
const AHEAD = 3;

/** Runs of writers without a kill, of each catalog in turn. */
const TRIALS = 4;

/**
 * Adapts the time window of kills to the machine, because other writers start meanwhile: it grows by the first factor
 * with each old catalog and shrinks by the second with each new one, so that about a fifth of the kills come too late.
 */
const WINDOW_STEPS = { longer: 1.03, shorter: 0.9 };

const SERVED_WITHIN_MS = 10_000;

/** Defines a row whose writers are killed on both databases. */
export function killTest<Catalog extends MarkedCatalog, Writer extends RunningProcess>(
  what: string,
  bar: string,
  start: (url: string, database: Database) => Promise<Writers<Catalog, Writer>>,
): void {
  const counts = { bar, unit: "per database", n: 1_000, shortN: 3 };
  stressTest(what, counts, async ({ n, isFull, seed, report }) => {
    const random = randomNumbers(seed);
    return onBothDatabases(async ({ kind, url }) => {
      const database = await openDatabase(url);
      const writers = await start(url, database);
      const { catalogs, markOf } = writers;
      const kills = new Kills(database, writers, (problem) => report(problem && `${kind}: ${problem}`));
      await kills.tryWriters();
      const settings = { LOG_LEVEL: "warn", LIVE_SYNC: "off" };
      const service = await startService({ databasePath: url, settings });
      const reading = readPages(service, catalogs, markOf, report);
      await kills.kill(n, random);
      if (isFull) {
        await kills.storeLast();
      }
      const isServed = async (): Promise<boolean> => {
        const { offers } = offerListSchema.parse(jsonOf(await fetchFrom(service, "/api/v1/offers?size=1")));
        return offers.some((offer) => markOf(offer) === kills.stored.mark);
      };
      await vi.waitUntil(isServed, { timeout: SERVED_WITHIN_MS });
      const pages = await reading.stop();
      await adminDone(url, "verify");
      await service.stop();
      await database.destroy();
      await writers.close?.();
      return `${shown(kills.changed)} changes, ${shown(pages)} pages`;
    });
  });
}

class Kills<Catalog extends MarkedCatalog, Writer extends RunningProcess> {
  readonly #database: Database;
  readonly #writers: Writers<Catalog, Writer>;
  readonly #report: (problem: string | undefined) => void;
  readonly #digests = new Map<string, Catalog>();
  #windowMs = 0;
  /** Kills that came too late to keep the old catalog. */
  changed = 0;
  stored: Catalog;

  constructor(database: Database, writers: Writers<Catalog, Writer>, report: (problem: string | undefined) => void) {
    this.#database = database;
    this.#writers = writers;
    this.#report = report;
    this.stored = writers.catalogs[1];
  }

  get #next(): Catalog {
    const [first, second] = this.#writers.catalogs;
    return this.stored === first ? second : first;
  }

  /** Lets writers finish, each catalog in turn: what they store, and the time that they take for it. */
  async tryWriters(): Promise<void> {
    const times: number[] = [];
    for (let trial = 0; trial < TRIALS; trial++) {
      const writer = this.#writers.ahead();
      await this.#writers.feed(writer, this.#next);
      const started = performance.now();
      const { code, stderr } = await writer.ended;
      if (code !== 0) {
        throw new Error(`A writer ended with ${code}: ${stderr}`);
      }
      times.push(performance.now() - started);
      this.stored = this.#next;
      this.#digests.set(await this.#digest(), this.stored);
    }
    this.#windowMs = times.sort((a, b) => a - b)[TRIALS / 2] ?? 0;
  }

  /** Kills `n` writers. The stored catalog must be one of the two, whole, each time. */
  async kill(n: number, random: () => number): Promise<void> {
    const ahead = Array.from({ length: AHEAD }, () => this.#writers.ahead());
    let killed = 0;
    let ended = 0;
    while (killed < n) {
      const writer = ahead.shift() as Writer;
      ahead.push(this.#writers.ahead());
      await this.#writers.feed(writer, this.#next);
      await delay(random() * this.#windowMs);
      writer.child.kill("SIGKILL");
      if ((await writer.ended).signal === "SIGKILL") {
        killed++;
      } else {
        ended++;
      }
      await this.#checkStored(killed);
    }
    for (const { child } of ahead) {
      child.kill("SIGKILL");
    }
    if (n >= 100 && (this.changed < n / 20 || ended > n)) {
      this.#report(`the kills came at the wrong time: ${this.changed} changes, ${ended} writers ended`);
    }
  }

  async #checkStored(killed: number): Promise<void> {
    const found = this.#digests.get(await this.#digest());
    this.#report(await this.#writers.check?.(found === this.#next));
    if (found === undefined) {
      this.#report(`after kill ${killed} the stored catalog is neither of the two`);
    } else if (found === this.stored) {
      this.#windowMs *= WINDOW_STEPS.longer;
    } else {
      this.stored = found;
      this.changed++;
      this.#windowMs *= WINDOW_STEPS.shorter;
    }
  }

  async storeLast(): Promise<void> {
    if (this.#writers.store !== undefined) {
      this.stored = this.#next;
      await this.#writers.store(this.stored);
    }
  }

  /** Digest of the whole stored catalog, except the time when it was written. */
  async #digest(): Promise<string> {
    const hash = createHash("sha256");
    const providers = this.#database.selectFrom("provider").select(["name", "type", "as_of", "source"]);
    hash.update(JSON.stringify(await providers.orderBy("name").execute()));
    for (const table of ["os_image", "offer"] as const) {
      hash.update(JSON.stringify(await this.#database.selectFrom(table).selectAll().orderBy("id").execute()));
    }
    return hash.digest("hex");
  }
}

/** Reads pages until stopped: the offers and the total of each must be those of one catalog. */
function readPages(
  service: Service,
  catalogs: readonly MarkedCatalog[],
  markOf: (offer: Offer) => string,
  report: (problem: string) => void,
): { stop: () => Promise<number> } {
  const stopping = new AbortController();
  const read = async (): Promise<number> => {
    let pages = 0;
    for (; !stopping.signal.aborted; pages++) {
      const response = await fetchFrom(service, `/api/v1/offers?size=100&page=${pages % 9}`);
      if (response.status !== 200) {
        report(`status ${response.status}`);
        continue;
      }
      const { offers, totalElements } = offerListSchema.parse(jsonOf(response));
      const marks = new Set(offers.map(markOf));
      if (marks.size !== 1 || totalElements !== catalogs.find(({ mark }) => marks.has(mark))?.count) {
        report(`a page has offers of ${[...marks].join(" and ")} and a total of ${totalElements}`);
      }
      await delay(5);
    }
    return pages;
  };
  const reading = read();
  return {
    stop: () => {
      stopping.abort();
      return reading;
    },
  };
}

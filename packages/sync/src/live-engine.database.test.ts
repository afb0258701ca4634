import { present, UNKNOWN_LISTING_FACTS } from "@gpu-offers/domain";
import { json, startReplay, type Replay, type ReplayServer } from "@gpu-offers/testkit/replay-server";
import type { LiveItem, LiveSource, SourceItem } from "@gpu-offers/sources";
import { nativeImage } from "@gpu-offers/testkit/native-catalogs";
import { databasesOfSuite } from "@gpu-offers/testkit/databases";
import { pino } from "pino";
import { sql } from "kysely";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { open } from "@gpu-offers/store/test/databases";
import { importCatalog } from "@gpu-offers/store/catalog-import";
import type { Database } from "@gpu-offers/store/database";
import { foldHistory } from "@gpu-offers/store/offer-history";
import { verifyDatabase } from "@gpu-offers/store/verification";
import { OFFER_COLUMNS } from "@gpu-offers/store/offer-row";
import { servedBody, staleCheck } from "@gpu-offers/store/staleness";
import { Freshness } from "@gpu-offers/store/freshness";
import { readSourceFacts } from "@gpu-offers/store/source-facts";
import type { LiveEngine } from "./live-engine.js";
import type { RunResult } from "./live-run.js";
import { removeExpired } from "./remove-expired.js";
import { testEngine } from "../test/engine.ts";
import { testOffer, testRows, testSource } from "@gpu-offers/testkit/live-source";
import { findStoredSource, saveSource } from "@gpu-offers/store/live.store";
import { findQuarantine } from "@gpu-offers/store/quarantine";
import { Secrets } from "@gpu-offers/fetch/secrets";

// Runs of live sources over a real socket into real databases.

describe.each(databasesOfSuite)("live sources in $kind", ({ create }) => {
  let database: Database;
  let server: ReplayServer;
  let replies: Record<string, Replay>;
  let nowMs: number;
  const clock = { now: () => nowMs, monotonic: () => performance.now(), sleep: async () => {} };

  beforeEach(async () => {
    database = await open(await create());
    replies = {};
    nowMs = Date.UTC(2026, 10, 22);
    server = await startReplay(({ target }) => replies[target] ?? { status: 404 });
  });

  async function enabled(...sources: Parameters<typeof testEngine>[1]): Promise<LiveEngine> {
    const engine = testEngine(database, sources, server.url, { clock });
    for (const source of sources) {
      await saveSource(database, source, engine.fetcher.settingsOf(source), true);
    }
    return engine;
  }

  async function sync(engine: LiveEngine): Promise<RunResult[]> {
    const runs = await Promise.all(engine.options.sources.map((source) => engine.fetch(source)));
    return engine.apply(runs.filter((run) => run !== undefined));
  }

  const outcomes = (results: readonly RunResult[]) =>
    Object.fromEntries(
      results.map(({ source, outcome, error }) => [source, error === null ? outcome : `${outcome}: ${error.code}`]),
    );

  const pricesOf = async (provider: string): Promise<number[]> =>
    (await database.selectFrom("offer").where("provider", "=", provider).select("price_hourly").execute())
      .map((row) => row.price_hourly)
      .sort((a, b) => a - b);

  test("add their offers in one revision, and no revision if nothing changed", async () => {
    const engine = await enabled(testSource("north"), testSource("south"));
    replies = { "/north/offers": json(testRows(3)), "/south/offers": json(testRows(2)) };
    const results = await sync(engine);
    expect(results.map(({ source, outcome, added, revision }) => [source, outcome, added, revision])).toEqual([
      ["north", "applied", 3, 1],
      ["south", "applied", 2, 1],
    ]);
    nowMs += 600_000;
    expect(outcomes(await sync(engine))).toEqual({ north: "unchanged", south: "unchanged" });
    expect(await findStoredSource(database, "north")).toMatchObject({
      outcome: "unchanged",
      checked_at: new Date(nowMs).toISOString(),
      lease_owner: null,
      failures: 0,
    });
    const { length } = await database.selectFrom("catalog_revision").selectAll().execute();
    expect(length).toBe(1);
    expect((await verifyDatabase(database)).filter(({ problems }) => problems > 0)).toEqual([]);
  });

  test("warn of one factor for all prices, in the run and until the next change, also after an import", async () => {
    const engine = await enabled(testSource("north"));
    const rows = (factor: number) => testRows(6).map(({ id, price }) => ({ id, price: price * factor }));
    const offers = rows(1).map((row) => testOffer("north", row));
    const items = offers.map((offer): SourceItem => ({
      kind: "offer",
      where: "",
      listing: UNKNOWN_LISTING_FACTS,
      offer,
    }));
    const named: SourceItem = { kind: "provider", where: "", provider: { name: "north", type: "vm" } };
    await importCatalog(database, { items: [named, ...items], cause: "test" });
    replies = { "/north/offers": json(rows(2)) };
    const warning = "Warning: north: nearly all of 6 prices changed by one factor, x2: another currency, tax or unit?";
    const results = await sync(engine);
    expect(results).toMatchObject([{ outcome: "applied", notes: [warning] }]);
    nowMs += 600_000;
    expect(outcomes(await sync(engine))).toEqual({ north: "unchanged" });
    expect(await findStoredSource(database, "north")).toMatchObject({ notes: [warning] });
    expect(new Freshness(await readSourceFacts(database), nowMs).warningsOf("north")).toBe(1);
  });

  test("that another instance has run since they were found due are not run again", async () => {
    const [one, other] = [await enabled(testSource("north")), await enabled(testSource("north"))];
    replies = { "/north/offers": json(testRows(3)) };
    const [north] = other.options.sources;
    const found = await findStoredSource(database, "north");
    await sync(one);
    expect(server.requests).toHaveLength(1);
    expect(await other.fetch(north as LiveSource, undefined, found?.next_run_at)).toBe(undefined);
    expect(server.requests).toHaveLength(1);
    const planned = (await findStoredSource(database, "north"))?.next_run_at;
    expect(await other.fetch(north as LiveSource, undefined, planned)).toMatchObject({ source: { name: "north" } });
  });

  test("apply their offers although an optional request fails, and leave what it is about as it is", async () => {
    const north = testSource("north");
    const optional: LiveSource = {
      ...north,
      *requests(context) {
        yield* north.requests(context);
        const url = "https://north.example/north/images";
        yield { part: "images", main: false, optional: true, method: "GET", url };
      },
      *read(all, context) {
        const listed = all.filter(({ request }) => request.part === "offers");
        const images = all.find((reply) => "body" in reply && reply.request.part === "images");
        const items = [...(north.read(listed, context) as Iterable<LiveItem>)].filter(
          ({ kind }) => kind !== "provider",
        );
        const provider = { name: "north", type: "vm" as const, ...(images && { images: [nativeImage("ubuntu")] }) };
        yield { kind: "provider", where: "the source", provider };
        yield* items;
      },
    };
    const engine = await enabled(optional);
    const imagesAfter = async (images: Replay, rows: number) => {
      nowMs += 600_000;
      replies = { "/north/offers": json(testRows(rows)), "/north/images": images };
      const [result] = await sync(engine);
      expect(result?.outcome).toBe("applied");
      expect(await pricesOf("north")).toHaveLength(rows);
      const stored = await database.selectFrom("os_image").select("id").execute();
      return { ids: stored.map(({ id }) => id), changed: result?.images };
    };
    expect(await imagesAfter({ status: 500 }, 2)).toEqual({ ids: [], changed: 0 });
    expect(await imagesAfter(json({}), 3)).toEqual({ ids: ["ubuntu"], changed: 1 });
    expect(await imagesAfter({ status: 403 }, 4)).toEqual({ ids: ["ubuntu"], changed: 0 });
    expect(await imagesAfter({ problem: "reset" }, 5)).toEqual({ ids: ["ubuntu"], changed: 0 });
  });

  test("that fail keep their last offers and change no others", async () => {
    const engine = await enabled(testSource("north"), testSource("south"));
    replies = { "/north/offers": json(testRows(3)), "/south/offers": json(testRows(2)) };
    await sync(engine);
    const problems: [Replay, string][] = [
      [{ status: 500 }, "http_error"],
      [{ status: 404 }, "http_error"],
      [{ status: 403 }, "unauthorized"],
      [{ status: 429, headers: { "retry-after": "600" } }, "rate_limited"],
      [{ problem: "reset" }, "network"],
      [{ problem: "silence" }, "timeout"],
      [{ problem: "drip" }, "timeout"],
      [{ problem: "cut-gzip" }, "bad_encoding"],
      [{ problem: "cut-json" }, "bad_response"],
      [{ problem: "bomb" }, "too_large"],
      [{ problem: "spaces" }, "too_large"],
      [{ headers: { "content-type": "text/html" }, body: "<html>Log in</html>" }, "bad_response"],
      [{ status: 204 }, "bad_response"],
      [{ status: 304 }, "http_error"],
      [{ status: 302, headers: { location: "http://169.254.169.254/latest" } }, "foreign_host"],
      [{ status: 302, headers: { location: "/north/offers" } }, "too_many_redirects"],
    ];
    for (const [index, [replay, code]] of problems.entries()) {
      nowMs += 600_000;
      replies = { "/north/offers": replay, "/south/offers": json(testRows(2, 2 + index / 100)) };
      expect(outcomes(await sync(engine))).toMatchObject({ north: `failed: ${code}` });
      expect(await pricesOf("north")).toHaveLength(3);
      expect(await pricesOf("south")).toEqual(testRows(2, 2 + index / 100).map(({ price }) => price));
    }
    expect(await findStoredSource(database, "north")).toMatchObject({ failures: problems.length, isStopped: false });
    replies["/north/offers"] = json(testRows(3));
    expect(outcomes(await sync(engine))).toMatchObject({ north: "unchanged" });
    expect(await findStoredSource(database, "north")).toMatchObject({ failures: 0, error_code: null });
  });

  test.for([
    ["has text", "2.01"],
    ["has null", null],
    ["has zero", 0],
    ["is negative", -2],
  ] as const)("change nothing if the price of more than every fifth row %s", async ([, price]) => {
    const engine = await enabled(testSource("north"));
    replies = { "/north/offers": json(testRows(10)) };
    await sync(engine);
    replies = { "/north/offers": json([...testRows(10), ...["x", "y", "z"].map((id) => ({ id, price }))]) };
    const [result] = await sync(engine);
    expect(result).toMatchObject({
      outcome: "quarantined",
      rejected: 3,
      quarantined: [{ gates: [{ gate: "rejected_rows" }] }],
    });
    expect(await pricesOf("north")).toEqual(testRows(10).map((row) => row.price));
    // Accepted, the others are what the catalog has; a source that was stopped stays so.
    await database.updateTable("live_source").set({ is_stopped: 1, secrets_mark: "key" }).execute();
    expect(await engine.accept(present(engine.options.sources[0]))).toMatchObject({ outcome: "unchanged" });
    expect(await findQuarantine(database, "north")).toBeUndefined();
    expect(await findStoredSource(database, "north")).toMatchObject({ isStopped: true });
  });

  test("are quarantined as a whole if the change is implausible, until an operator accepts it", async () => {
    const engine = await enabled(testSource("north"), testSource("south"));
    replies = { "/north/offers": json(testRows(10)), "/south/offers": json(testRows(2)) };
    await sync(engine);
    const cents = testRows(10).map(({ id, price }) => ({ id, price: Math.round(price * 100) }));
    replies = { "/north/offers": json(cents), "/south/offers": json(testRows(3)) };
    const results = await sync(engine);
    expect(outcomes(results)).toEqual({ north: "quarantined: quarantined", south: "applied" });
    expect(results.find(({ source }) => source === "north")?.error?.message).toContain(
      "prices changed by x100, so the unit may be wrong (cents?).",
    );
    expect(await pricesOf("north")).toEqual(testRows(10).map(({ price }) => price));
    await sync(engine);
    await sync(engine);
    expect(await findQuarantine(database, "north")).toMatchObject({ runs: 3, offers: 10, report: [{ repriced: 10 }] });
    const [north = testSource("north")] = engine.options.sources;
    const [readAt, planned] = [new Date(nowMs).toISOString(), (await findStoredSource(database, "north"))?.next_run_at];
    nowMs += 60_000;
    const running = await engine.fetch(north);
    expect(await engine.accept(north)).toMatchObject({ outcome: "imported", changed: 10 });
    // The lease of a run in another process stays, and the next one is when it was.
    const stored = { lease_owner: engine.owner, checked_at: readAt, next_run_at: planned };
    expect(await findStoredSource(database, "north")).toMatchObject(stored);
    await engine.discard(running === undefined ? [] : [running]);
    expect(await pricesOf("north")).toEqual(cents.map(({ price }) => price));
    expect(await findQuarantine(database, "north")).toBeUndefined();
    // Later runs are compared with the accepted catalog.
    expect(outcomes(await sync(engine))).toMatchObject({ north: "unchanged" });
  });

  test("of a marketplace may shrink after three runs, but never change prices unchecked", async () => {
    const engine = await enabled(testSource("market", { kind: "marketplace" }));
    replies = { "/market/offers": json(testRows(60)) };
    await sync(engine);
    replies = { "/market/offers": json(testRows(10)) };
    expect(outcomes(await sync(engine))).toEqual({ market: "quarantined: quarantined" });
    expect(outcomes(await sync(engine))).toEqual({ market: "quarantined: quarantined" });
    expect(outcomes(await sync(engine))).toEqual({ market: "applied" });
    expect(await pricesOf("market")).toHaveLength(10);
    replies = { "/market/offers": json(testRows(10, 40)) };
    for (let run = 0; run < 5; run++) {
      expect(outcomes(await sync(engine))).toEqual({ market: "quarantined: quarantined" });
    }
  });

  test("that reject too many rows, or have none, are quarantined", async () => {
    const engine = await enabled(testSource("north"), testSource("south"), testSource("east", { mayBeEmpty: true }));
    const half = testRows(4).map(({ id, price }, index) => ({ id, price: index < 2 ? null : price }));
    replies = { "/north/offers": json(half), "/south/offers": json([]), "/east/offers": json([]) };
    expect(outcomes(await sync(engine))).toEqual({
      north: "quarantined: quarantined",
      south: "quarantined: quarantined",
      east: "applied",
    });
  });

  test("no longer sell after 7 days of complete empty responses, which a failure doesn't count as; then their offers go", async () => {
    const warnings: string[] = [];
    const logger = pino({ level: "warn" }, { write: (line) => void warnings.push(line) });
    const plain = testSource("north");
    const north: LiveSource = {
      ...plain,
      async *read(received, context) {
        for await (const item of plain.read(received, context)) {
          const listing = { ...UNKNOWN_LISTING_FACTS, availability: "in_stock" };
          yield item.kind === "offer" ? { ...item, listing } : item;
        }
      },
    };
    const engine = testEngine(database, [north], server.url, { clock, logger });
    await saveSource(database, north, engine.fetcher.settingsOf(north), true);
    const offersOf = (rows: object) => (replies["/north/offers"] = json(rows));
    const stateOf = async () => {
      const [status] = new Freshness(await readSourceFacts(database), nowMs).describe(new Map());
      return [status?.state, status?.lastOfferedAt, status?.lastInStockAt];
    };
    offersOf(testRows(2));
    await sync(engine);
    const seen = new Date(nowMs).toISOString();
    nowMs += 9 * 86_400_000;
    replies["/north/offers"] = { status: 500 };
    await sync(engine);
    nowMs += 600_000;
    offersOf([]);
    expect(outcomes(await sync(engine))).toEqual({ north: "quarantined: quarantined" });
    nowMs += 7 * 86_400_000 - 1;
    expect(outcomes(await sync(engine))).toEqual({ north: "quarantined: quarantined" });
    expect(await stateOf()).toEqual(["quarantined", seen, seen]);
    expect(await pricesOf("north")).toHaveLength(2);
    nowMs += 1;
    expect(outcomes(await sync(engine))).toEqual({ north: "applied" });
    nowMs += 86_400_000;
    expect(outcomes(await sync(engine))).toEqual({ north: "unchanged" });
    expect(await stateOf()).toEqual(["no_longer_sells", seen, seen]);
    expect(await pricesOf("north")).toEqual([]);
    expect(warnings.filter((line) => line.includes("no longer sells"))).toHaveLength(1);
    offersOf(testRows(1));
    expect(outcomes(await sync(engine))).toEqual({ north: "applied" });
    expect(await stateOf()).toEqual(["fresh", new Date(nowMs).toISOString(), new Date(nowMs).toISOString()]);
  });

  test("lose the offers of an empty scope, and keep those of a failed one until they are too old", async () => {
    const engine = await enabled(testSource("zones", { scopeNames: ["a", "b", "c"] }));
    const zone = (name: string) => testRows(2).map(({ id, price }) => ({ id: `${name}-${id}`, price }));
    replies = {
      "/zones/offers/a": json(zone("a")),
      "/zones/offers/b": json(zone("b")),
      "/zones/offers/c": json(zone("c")),
    };
    await sync(engine);
    const oldest = new Date(nowMs).toISOString();
    replies["/zones/offers/a"] = { status: 500 };
    replies["/zones/offers/c"] = json(zone("c").slice(0, 1));
    nowMs += 600_000;
    expect(outcomes(await sync(engine))).toEqual({ zones: "applied" });
    expect(await pricesOf("zones")).toHaveLength(5);
    const stored = await findStoredSource(database, "zones");
    expect(stored).toMatchObject({
      error_code: "scopes_failed",
      scopes: { a: { error: expect.any(String) }, b: { error: null } },
    });

    const staleAt = nowMs + (stored?.stale_after_seconds ?? 0) * 1_000;
    await sync(engine);
    const facts = await readSourceFacts(database);
    const freshness = new Freshness(facts, staleAt - 1_000);
    expect(freshness.stale).toEqual([{ provider: "zones", scope: "a" }]);
    expect(freshness.ageOf(["zones"])).toEqual({ asOf: oldest, stale: ["zones"] });
    expect(freshness.describe(new Map())).toMatchObject([{ checkedAt: oldest, pricesAsOf: oldest }]);
    const offers = await database.selectFrom("offer").select(OFFER_COLUMNS).execute();
    const served = offers.map((offer) => servedBody(offer, staleCheck(freshness.stale)));
    expect(served.filter((body) => body.includes('"isAvailable":false'))).toHaveLength(2);

    nowMs += 31 * 86_400_000;
    replies["/zones/offers/a"] = { status: 500 };
    await sync(engine);
    expect(await removeExpired(database, { nowMs, historyDays: 400 })).toMatchObject({ dropped: 2 });
    expect(await pricesOf("zones")).toHaveLength(3);
    const later = new Freshness(await readSourceFacts(database), nowMs);
    expect(later.ageOf(["zones"]).asOf).toBe(new Date(nowMs).toISOString());
    expect((await foldHistory(database)).size).toBe(3);
  });

  test("run in one process at a time, and the lease of a killed one expires", async () => {
    const [north] = [testSource("north")];
    const first = await enabled(north);
    const second = testEngine(database, [north], server.url, { clock });
    replies = { "/north/offers": json(testRows(3)) };
    const run = await first.fetch(north);
    expect(await second.fetch(north)).toBeUndefined();
    // The first one is killed between download and import.
    run?.endLease();
    nowMs += 61_000;
    const other = await second.fetch(north);
    expect(other).toBeDefined();
    expect(outcomes(await first.apply(run === undefined ? [] : [run]))).toEqual({ north: "failed: lease_lost" });
    expect(await pricesOf("north")).toEqual([]);
    expect(outcomes(await second.apply(other === undefined ? [] : [other]))).toEqual({ north: "applied" });
  });

  test("that cannot begin no longer renew their lease", async () => {
    const north = testSource("north");
    const engine = await enabled(north);
    await sql`alter table catalog_revision rename to elsewhere`.execute(database);
    const started = vi.spyOn(globalThis, "setInterval");
    const ended = vi.spyOn(globalThis, "clearInterval");
    await expect(engine.fetch(north)).rejects.toThrow("catalog_revision");
    expect(started).toHaveBeenCalled();
    expect(ended).toHaveBeenCalledWith(started.mock.results.at(-1)?.value);
    vi.restoreAllMocks();
  });

  test("cannot take each other's providers, nor lose theirs to a file", async () => {
    const feed = testSource("feed", {
      kind: "feed",
      *read() {
        yield { kind: "provider", where: "1", provider: { name: "north", type: "vm", images: [] } };
        yield {
          kind: "offer",
          listing: UNKNOWN_LISTING_FACTS,
          where: "1",
          offer: testOffer("north", { id: "other", price: 1 }),
        };
      },
    });
    const engine = await enabled(feed, testSource("north"));
    replies = { "/north/offers": json(testRows(3)), "/feed/offers": json([]) };
    await sync(engine);
    expect(await pricesOf("north")).toHaveLength(3);
    const file = async function* (): AsyncGenerator<SourceItem> {
      yield { kind: "provider", where: "1", provider: { name: "north", type: "vm", images: [] } };
      yield {
        kind: "offer",
        listing: UNKNOWN_LISTING_FACTS,
        where: "2",
        offer: testOffer("north", { id: "by-hand", price: 1 }),
      };
    };
    expect(await importCatalog(database, { items: file(), cause: "test" })).toMatchObject({
      outcome: "rejected",
      remedy: { kind: "disable_source", source: "north" },
    });
    expect(await importCatalog(database, { items: file(), cause: "test", isForced: true })).toMatchObject({
      outcome: "imported",
    });
  });

  test("empty a provider that they no longer name, and fail if all of theirs belong to another", async () => {
    const naming = (source: string, ...providers: string[]) =>
      testSource(source, {
        kind: "feed",
        *read() {
          for (const name of providers) {
            yield { kind: "provider", where: "1", provider: { name, type: "vm", images: [] } };
            yield* testRows(10).map(
              (row) =>
                ({
                  kind: "offer",
                  listing: UNKNOWN_LISTING_FACTS,
                  where: "1",
                  scope: name,
                  offer: testOffer(name, row),
                }) as const,
            );
          }
        },
      });
    replies = { "/north/offers": json([]), "/south/offers": json([]) };
    await sync(await enabled(naming("north", "first", "second"), naming("south", "third")));
    const [renamed] = await sync(await enabled(naming("north", "first", "other")));
    expect(renamed).toMatchObject({ outcome: "applied", added: 10, removed: 10 });
    expect(await pricesOf("second")).toEqual([]);
    expect(await pricesOf("other")).toHaveLength(10);

    const before = await findStoredSource(database, "north");
    nowMs += 600_000;
    const taken = await enabled(naming("north", "third"), naming("south", "third", "fourth"));
    expect(await sync(taken)).toMatchObject([
      {
        source: "north",
        outcome: "failed",
        error: { code: "foreign_provider", message: expect.stringContaining("south owns third") },
      },
      { source: "south", outcome: "applied", added: 10 },
    ]);
    expect(await findStoredSource(database, "north")).toMatchObject({ checked_at: before?.checked_at, failures: 1 });
    expect(await pricesOf("first")).toHaveLength(10);
  });

  test("are independent of one whose offers cannot be imported", async () => {
    const copier = testSource("copier", {
      *read() {
        yield { kind: "provider", where: "1", provider: { name: "copier", type: "vm", images: [] } };
        const [row = { id: "", price: 0 }] = testRows(1);
        const offer = testOffer("copier", row);
        yield {
          kind: "offer",
          listing: UNKNOWN_LISTING_FACTS,
          where: "1",
          offer: { ...offer, id: testOffer("north", row).id },
        };
      },
    });
    replies = { "/north/offers": json(testRows(3)), "/copier/offers": json([]), "/south/offers": json(testRows(2)) };
    await sync(await enabled(testSource("north")));
    expect(outcomes(await sync(await enabled(copier, testSource("south"))))).toEqual({
      copier: "failed: rejected",
      south: "applied",
    });
  });

  test("send validators of a stored response, and treat 304 like that response", async () => {
    const engine = await enabled(testSource("north"), testSource("south"));
    const respond = (etag: string) => {
      const response = json(testRows(3), { etag });
      replies = { "/north/offers": response, "/south/offers": response };
    };
    respond('"one"');
    await sync(engine);
    respond('"two"');
    await sync(engine);
    replies = { "/north/offers": { status: 304 }, "/south/offers": { status: 304 } };
    expect(outcomes(await sync(engine))).toEqual({ north: "unchanged", south: "unchanged" });
    const validators = server.requests.map(({ headers }) => headers["if-none-match"]);
    expect(validators.slice(-4)).toEqual(['"one"', '"one"', '"two"', '"two"']);
  });

  test("are recorded even if the responses of one of them can't be kept", async () => {
    const engine = await enabled(testSource("north"), testSource("south"));
    replies = { "/north/offers": json(testRows(3), { etag: '"one"' }), "/south/offers": json(testRows(2)) };
    await sync(engine);
    nowMs += 600_000;
    const runs = (await Promise.all(engine.options.sources.map((source) => engine.fetch(source)))).flatMap(
      (run) => run ?? [],
    );
    const [north] = runs;
    if (north !== undefined && "kept" in north.result) {
      // No two have the same key.
      north.result = { ...north.result, kept: [...north.result.kept, ...north.result.kept] };
    }
    expect(outcomes(await engine.apply(runs))).toEqual({ north: "unchanged", south: "unchanged" });
    const checked = { checked_at: new Date(nowMs).toISOString(), lease_owner: null };
    expect(await findStoredSource(database, "north")).toMatchObject(checked);
    expect(await findStoredSource(database, "south")).toMatchObject(checked);
  });

  test("that an operator accepts count no failure, but the scopes that had failed are still told", async () => {
    const engine = await enabled(testSource("zones", { scopeNames: ["a", "b"] }));
    replies = { "/zones/offers/a": json(testRows(3)), "/zones/offers/b": json(testRows(9).slice(3)) };
    await sync(engine);
    const cents = testRows(9).map(({ id, price }) => ({ id, price: price * 100 }));
    replies = { "/zones/offers/a": { status: 500 }, "/zones/offers/b": json(cents.slice(3)) };
    expect(outcomes(await sync(engine))).toEqual({ zones: "quarantined: quarantined" });
    const [zones = testSource("zones")] = engine.options.sources;
    expect(await engine.accept(zones)).toMatchObject({ outcome: "imported", changed: 6 });
    const told = { failures: 0, error_code: "scopes_failed", scopes: { a: { error: expect.any(String) } } };
    expect(await findStoredSource(database, "zones")).toMatchObject(told);
  });

  test("count as stale without a successful run, and as quarantined until one, also if a key is missing", async () => {
    const engine = await enabled(testSource("north"), testSource("keyed", { secrets: ["KEYED_API_KEY"] }));
    replies = { "/north/offers": json(testRows(10)) };
    await sync(engine);
    replies = { "/north/offers": json(testRows(1)) };
    await sync(engine);
    replies = { "/north/offers": { status: 500 } };
    expect(outcomes(await sync(engine))).toMatchObject({ keyed: "failed: needs_key" });
    const { stale_after_seconds: seconds = 0 } = (await findStoredSource(database, "north")) ?? {};
    const facts = await readSourceFacts(database);
    const later = new Freshness(facts, nowMs + (seconds + 1) * 1_000);
    const now = new Freshness(facts, nowMs);
    expect([...now.staleSources]).toEqual(["keyed"]);
    expect([...facts.quarantined]).toEqual(["north"]);
    expect([...later.staleSources].sort()).toEqual(["keyed", "north"]);
  });

  test("log why a reader failed, without secrets", async () => {
    const secret = "canary-5f1d8a";
    const source = testSource("keyed", { secrets: ["KEYED_API_KEY"] });
    const broken: LiveSource = {
      ...source,
      read: () => {
        throw new TypeError(`cannot read ${secret}`);
      },
    };
    const lines: string[] = [];
    const engine = testEngine(database, [broken], server.url, {
      clock,
      secrets: new Secrets([source], { KEYED_API_KEY: secret }),
      logger: pino({ level: "warn" }, { write: (line: string) => void lines.push(line) }),
    });
    await saveSource(database, broken, engine.fetcher.settingsOf(broken), true);
    replies = { "/keyed/offers": json(testRows(1)) };
    expect(outcomes(await sync(engine))).toEqual({ keyed: "failed: internal_error" });
    expect(lines.join("")).toContain("TypeError: cannot read ***");
    expect(lines.join("")).not.toContain(secret);
  });

  test("leak no secret in errors, rows, quarantines or history", async () => {
    const secret = "canary-5f1d8a";
    const source = testSource("keyed", { secrets: ["KEYED_API_KEY"] });
    const engine = testEngine(database, [source], server.url, {
      clock,
      secrets: new Secrets([source], { KEYED_API_KEY: secret }),
    });
    await saveSource(database, source, engine.fetcher.settingsOf(source), true);
    const bodies: Replay[] = [
      { status: 401, body: `bad key ${secret}` },
      { body: `${secret} is not JSON` },
      json(testRows(30)),
      json(testRows(1)),
    ];
    for (const replay of bodies) {
      replies = { "/keyed/offers": replay };
      const results = await sync(engine);
      expect(JSON.stringify(results)).not.toContain(secret);
    }
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`);
    const tables = ["live_source", "live_quarantine", "offer_change", "catalog_revision"] as const;
    for (const table of tables) {
      expect(JSON.stringify(await database.selectFrom(table).selectAll().execute())).not.toContain(secret);
    }
  });
});

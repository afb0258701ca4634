import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { ListingIndex, type Offer } from "@gpu-offers/domain";
import { decodeCompactList, gpuText } from "@gpu-offers/list";
import { openDatabase } from "@gpu-offers/store/database";
import { adminDone, databaseUrlOf } from "@gpu-offers/testkit/admin";
import { fetchFrom, jsonOf, type HttpResponse } from "@gpu-offers/testkit/http";
import { starterDatabase, startService, type Service } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { HttpAdapterHost } from "@nestjs/core";
import fastify from "fastify";
import { pino } from "pino";
import { beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { Catalog } from "../src/catalog/catalog.ts";
import { loadSnapshotParts } from "../src/catalog/load-snapshot.ts";
import { preferredEncoding } from "../src/wire/accepted.ts";
import { QueryParameters } from "../src/http/query-parameters.ts";
import type { Config } from "../src/config.ts";
import type { Foundation } from "../src/foundation.ts";
import { GpuPriceReader } from "../src/gpus/gpu-prices.ts";
import { MarketSummaryReader } from "../src/gpus/market-summary.ts";
import { ListingViewCache } from "../src/listings/listing-view.ts";
import type { KeyCache } from "../src/keys/key-cache.ts";
import { WebPages } from "../src/web/web-pages.ts";
import { attachExchange, type Exchange } from "../src/wire/exchange.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

describe("the file of all listings", () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });

  const read = (encoding: string, headers = {}): Promise<HttpResponse> =>
    fetchFrom(service, "/web/listings.json", { headers: { "Accept-Encoding": encoding, ...headers } });

  test("has the listings of /listings, and the page of one offer at each position has its id", async () => {
    const { status, body, headers } = await read("br");
    expect([status, headers["content-encoding"], headers["vary"]]).toEqual([200, "br", "Accept-Encoding"]);
    const list = decodeCompactList(JSON.parse(brotliDecompressSync(body).toString()));
    const lines = await fetchFrom(service, "/api/v2/listings", { headers: { Accept: "application/x-ndjson" } });
    const listings = new Map(
      lines.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { offer: Offer; instanceType: string | null })
        .map((listing) => [listing.offer.id, listing]),
    );
    const index = new ListingIndex(list.columns);
    expect(index.size).toBe(listings.size);
    for (const position of [0, 1, 57, index.size - 1]) {
      const page = await fetchFrom(service, `/api/v1/offers?size=1&page=${position}`);
      expect(page.headers.etag).toBe(list.etag);
      const [offer] = (jsonOf(page) as { offers: Offer[] }).offers;
      const { offer: decoded, instanceType } = index.listingAt(position);
      expect({ ...decoded, id: offer?.id }).toEqual(offer);
      expect(instanceType).toBe(listings.get(offer?.id ?? "")?.instanceType);
    }
  });

  test("the HTML has all rows on its pages, as /listings has them", async () => {
    const wanted: string[] = [];
    const found: string[] = [];
    for (let path: string | undefined = "/?q=h100&hours=10"; path !== undefined;) {
      const { body } = await fetchFrom(service, path, { headers: { Accept: BROWSER } });
      const text = body.toString();
      expect(text).toContain('class="notice">sample prices of 2025-12-01, not for sale. For live prices, run ');
      found.push(...[...text.matchAll(/<a class="gpu" [^>]*>([^<]*)<\/a>/g)].map(([, name = ""]) => name));
      path = /href="\.([^"]+)">Next/.exec(text)?.[1]?.replaceAll("&amp;", "&");
      const page = Math.ceil(found.length / 25) - 1;
      const { listings } = JSON.parse(
        (await fetchFrom(service, `/api/v2/listings?q=h100&verified=not-false&page=${page}`)).body.toString(),
      ) as {
        listings: { offer: Offer }[];
      };
      wanted.push(...listings.map(({ offer }) => gpuText(offer)));
    }
    expect(found.length).toBeGreaterThan(50);
    expect(found).toEqual(wanted);
  });

  test("is at most 10 kB for the starter catalog", async () => {
    expect((await read("br")).body.length).toBeLessThanOrEqual(10_000);
  });

  test("has an entity tag for each encoding, and the same content", async () => {
    const [br, gzip, plain] = await Promise.all(["br", "gzip", "identity"].map((encoding) => read(encoding)));
    const texts = [brotliDecompressSync(br?.body ?? ""), gunzipSync(gzip?.body ?? ""), plain?.body].map(String);
    expect(new Set(texts).size).toBe(1);
    expect(new Set([br, gzip, plain].map((response) => response?.headers.etag)).size).toBe(3);
    const known = await read("br", { "If-None-Match": br?.headers.etag ?? "" });
    expect([known.status, known.body.length, known.headers["content-encoding"]]).toEqual([304, 0, undefined]);
    expect((await read("gzip", { "If-None-Match": br?.headers.etag ?? "" })).status).toBe(200);
  });

  test("changes with the catalog", async () => {
    const before = await read("br");
    const { stdout } = await adminDone(service.databasePath, "catalog", "status", "--json");
    const [provider] = (JSON.parse(stdout) as { providers: { name: string }[] }).providers;
    await adminDone(service.databasePath, "catalog", "remove", "--provider", provider?.name ?? "");
    await expect.poll(async () => (await read("br")).headers.etag, { timeout: 10_000 }).not.toBe(before.headers.etag);
  });

  test("is 405 for POST, and OPTIONS and metrics know its path", async () => {
    const { status, headers } = await fetchFrom(service, "/web/listings.json", { method: "POST" });
    expect([status, headers["allow"]]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect((await fetchFrom(service, "/web/listings.json", { method: "OPTIONS" })).status).toBe(204);
    expect((await fetchFrom(service, "/metrics")).text).toContain('"/web/listings.json"');
  });
});

describe("the page", () => {
  const TEMPLATE = `<!doctype html><title>t</title><main id="app"><!--first-rows--></main>`;

  /** The root with a page of the test's own, on the starter catalog. */
  async function servePage(isKeyRequired = false): Promise<{ port: number }> {
    const database = await openDatabase(databaseUrlOf(await starterDatabase()));
    const load = () => loadSnapshotParts(database);
    const catalog = new Catalog({ database, load, formatVersion: "1", logger: pino({ level: "silent" }) });
    await catalog.start();
    const folder = tempFolder();
    mkdirSync(join(folder, "assets"));
    writeFileSync(join(folder, "index.html"), TEMPLATE);
    writeFileSync(join(folder, "assets/page-1.js"), "let a;");
    writeFileSync(join(folder, "assets/page-1.js.br"), brotliCompressSync("let a;"));
    writeFileSync(join(folder, "assets/page-1.js.gz"), gzipSync("let a;"));
    const noCompiler = () => {
      throw new Error("No route has a schema.");
    };
    const server = fastify({
      schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
      routerOptions: { querystringParser: (text) => new QueryParameters(text) as never },
    });
    const views = new ListingViewCache(catalog);
    const config = { WEB: "on", REQUIRE_API_KEY: isKeyRequired } as Config;
    const foundation = { database, config, version: "1.2.3" } as Foundation;
    // The wire makes them.
    server.addHook("onRequest", (request, _reply, done) => {
      const exchange = { request: request.raw, keyHash: request.headers.authorization, admit: () => {} };
      attachExchange(exchange as unknown as Exchange);
      done();
    });
    const keys = { findAccountId: async (keyHash: string | undefined) => keyHash } as KeyCache;
    const summaries = new MarketSummaryReader(foundation, views, catalog);
    const prices = new GpuPriceReader(foundation);
    new WebPages(foundation, new HttpAdapterHost(), keys, catalog, views, prices, summaries).serve(
      server,
      pathToFileURL(`${folder}/`),
    );
    const url = await server.listen({ port: 0, host: "127.0.0.1" });
    onTestFinished(async () => {
      await server.close();
      await catalog.onModuleDestroy();
      await database.destroy();
    });
    return { port: Number(new URL(url).port) };
  }

  const get = (server: { port: number }, path: string, headers = {}): Promise<HttpResponse> =>
    fetchFrom(server, path, { headers: { Accept: BROWSER, ...headers } });

  test("is for browsers, and programs get the index of the API", async () => {
    const server = await servePage();
    const page = await get(server, "/");
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect([page.headers["vary"], page.headers["cache-control"]]).toEqual([
      "Accept, Accept-Encoding",
      "public, no-cache",
    ]);
    expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; .*; trusted-types 'none'$/);
    for (const accept of ["*/*", "application/json", "application/json, text/html;q=0.5"]) {
      expect(jsonOf(await get(server, "/", { Accept: accept }))).toMatchObject({
        name: "gpu-offers",
        version: "1.2.3",
      });
    }
    const known = await get(server, "/", { "If-None-Match": page.headers.etag });
    expect([known.status, known.text]).toEqual([304, ""]);
  });

  test("has the first rows of the query in its address, and the form has its values", async () => {
    const server = await servePage();
    const { text } = await get(server, "/?q=h100&disk=500&min_gpu_count=8&size=3");
    const rows = [...text.matchAll(/<a class="gpu" [^>]*>([^<]*)<\/a>/g)].map(([, name]) => name);
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.every((name) => name?.startsWith("8× H100 ") === true)).toBe(true);
    expect(text).toContain("$/h+500 GB");
    expect(text).toMatch(/name="q"\s+type="search"\s+value="h100"/);
    expect(text).toMatch(/type="hidden" name="min_gpu_count" value="8"/);
    expect(text).not.toContain('class="notice">size');
    // Words that ask for a number don't ask for at least as many
    expect((await get(server, "/?q=8xh100")).text).toMatch(/placeholder="8" value="" \/> GPUs<\/label>/);
  });

  test("has 25 rows, the job and the market in at most 3.7 kB compressed", async () => {
    const { body } = await get(await servePage(), "/", { "Accept-Encoding": "br" });
    expect(
      brotliDecompressSync(body)
        .toString()
        .match(/<tr class="row/g),
    ).toHaveLength(25);
    expect(body.length).toBeLessThanOrEqual(3_700);
  });

  test("says which parameters are invalid, and escapes what it repeats", async () => {
    const server = await servePage();
    const { text } = await get(server, "/?min_gpu_count=x&%3Cb%3E=1&provider=%22%3E%3Cscript%3E&view=list&disk=");
    expect(text).toMatch(/class="notice">min_gpu_count must be/);
    expect(text).toContain("There is no parameter &quot;&lt;b&gt;&quot;. It is ignored.");
    expect(text).not.toContain("<script");
    expect(text).not.toMatch(/class="notice">(?:view|disk)/);
  });

  test("has no rows where the catalog requires a key", async () => {
    const server = await servePage(true);
    const locked = await get(server, "/");
    expect(locked.text).not.toMatch(/<tr|class="tile"/);
    const opened = await get(server, "/", { Authorization: "Bearer x" });
    expect([opened.text.match(/<tr class="row/g)?.length, opened.headers["cache-control"]]).toEqual([
      25,
      "private, no-cache",
    ]);
  });

  test("loads files that are cached forever, in the encoding that the client prefers", async () => {
    const server = await servePage();
    const file = await get(server, "/assets/page-1.js", { "Accept-Encoding": "gzip, br" });
    expect([file.headers["content-type"], file.headers["content-encoding"]]).toEqual([
      "text/javascript; charset=utf-8",
      "br",
    ]);
    expect(file.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(brotliDecompressSync(file.body).toString()).toBe("let a;");
    expect((await get(server, "/assets/page-1.js")).text).toBe("let a;");
    expect((await get(server, "/assets/page-1.js.br")).status).toBe(404);
  });
});

test.for([
  [undefined, "identity"],
  ["br", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=1, br;q=0.5", "gzip"],
  ["br;q=0, *", "gzip"],
  ["identity, gzip;q=0.5", "identity"],
  ["deflate", "identity"],
  ["*;q=0", "identity"],
] as const)("a client that accepts %s gets %s", ([accepted, encoding]) => {
  expect(preferredEncoding(accepted)).toBe(encoding);
});

describe("errors outside the API", () => {
  const service = inject("service");

  test.for(["/nothing", "/no/such/path?x=%3Cb%3E", "/listings/00000000-0000-4000-8000-000000000000", "/web/%ff"])(
    "are pages for browsers, and JSON for programs: %s",
    async (path) => {
      const page = await fetchFrom(service, path, { headers: { Accept: BROWSER } });
      const json = await fetchFrom(service, path);
      expect([page.headers["content-type"], json.headers["content-type"]]).toEqual([
        "text/html; charset=utf-8",
        "application/json; charset=utf-8",
      ]);
      expect(page.status).toBe(json.status);
      const { message } = jsonOf(json) as { message: string };
      expect(page.text).toContain(message);
      expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'self'/);
      const [, sheet = ""] = /rel="stylesheet" href="([^"]+)"/.exec(page.text) ?? [];
      const styles = await fetchFrom(service, new URL(sheet, `http://x${path}`).pathname);
      expect([styles.status, styles.headers["content-type"]]).toEqual([200, "text/css; charset=utf-8"]);
    },
  );

  test("stay JSON below /api, for browsers too", async () => {
    const { headers } = await fetchFrom(service, "/api/v1/nothing", { headers: { Accept: BROWSER } });
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  });
});

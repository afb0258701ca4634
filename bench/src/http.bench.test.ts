import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeAccount } from "@gpu-offers/testkit/accounts";
import { freePort } from "@gpu-offers/testkit/free-port";
import { nginxProgram, startNginx, startSite } from "@gpu-offers/testkit/nginx";
import { syntheticQueries } from "@gpu-offers/testkit/synthetic";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { makeCatalog } from "./catalogs.ts";
import { compare } from "./load.ts";
import { addMeasured } from "./measured-row.ts";
import { compareWithRaw, startQuiet, startRaw } from "./servers.ts";
import { median } from "./timing.ts";

// The list endpoint with different settings, and the start of the service.

const OFFERS = 50_000;
const QUERIES = 200;
const STARTS = 5;

/** Service settings and request headers of one row. */
interface Way {
  what: string;
  bar: string;
  settings?: Readonly<Record<string, string>>;
  headers?: (key: string, etag: string) => Record<string, string>;
  uniqueParameter?: string;
}

const WAYS: readonly Way[] = [
  { what: "GET /api/v1/offers", bar: ">= 0.75, aim 0.85" },
  {
    what: "with RATE_LIMIT and REQUIRE_API_KEY",
    bar: ">= 0.65, aim 0.80",
    settings: { REQUIRE_API_KEY: "true", RATE_LIMIT: "9999999" },
    // Without a proxy, callers on the same machine aren't limited.
    headers: (key) => ({ Authorization: `Bearer ${key}`, Via: "1.1 proxy" }),
  },
  { what: "with If-None-Match (304)", bar: ">= 0.70", headers: (_key, etag) => ({ "If-None-Match": etag }) },
  { what: "no two requests alike", bar: ">= 0.35, aim 0.50", uniqueParameter: "&max_gpu_count=" },
];

const pathsOf = (queries: readonly string[]): string[] =>
  queries.slice(0, QUERIES).map((query) => `/api/v1/offers?${query}`);

test.for(WAYS)("$what", async ({ what, bar, settings = {}, headers, ...way }, context) => {
  const databasePath = await makeCatalog(OFFERS);
  const { key } = await makeAccount(databasePath);
  const service = await startQuiet(databasePath, settings);
  const queries = syntheticQueries(QUERIES * 2, OFFERS);
  const paths = pathsOf(
    way.uniqueParameter === undefined ? queries : queries.filter((query) => !query.includes("max_gpu_count")),
  );
  const withKey = { headers: { Authorization: `Bearer ${key}` } };
  const etag = (await fetch(service.url + (paths[0] ?? ""), withKey)).headers.get("etag") ?? "";
  const load = { ...way, paths, ...(headers && { headers: headers(key, etag) }) };
  const { ours, ...compared } = await compareWithRaw(service, load);
  await service.stop();
  addMeasured(context, { what, ...compared, measured: ours, bar });
});

test.skipIf(nginxProgram === undefined)("through nginx", async (context) => {
  const service = await startQuiet(await makeCatalog(OFFERS), { TRUST_PROXY: "127.0.0.1", RATE_LIMIT: "off" });
  const paths = pathsOf(syntheticQueries(QUERIES, OFFERS));
  const folder = tempFolder();
  const files = await Promise.all(
    paths.map(async (path, number) => {
      writeFileSync(join(folder, `${number}.json`), await (await fetch(service.url + path)).text());
      return `/${number}.json`;
    }),
  );
  const nginx = await startNginx([service.port], "on");
  const filePort = await freePort();
  const site = `access_log access.log; server { listen 127.0.0.1:${filePort}; root ${folder}; keepalive_requests 1000000; }`;
  const fileNginx = await startSite(tempFolder(), filePort, site);
  const target = ({ port, process }: typeof nginx, ...more: number[]) => ({
    url: `http://127.0.0.1:${port}`,
    pids: [process.child.pid ?? 0, ...more],
  });
  const { ours, reference, ratio } = await compare(
    [target(nginx, service.process.child.pid ?? 0), { paths }],
    [target(fileNginx), { paths: files }],
  );
  nginx.process.child.kill();
  fileNginx.process.child.kill();
  await service.stop();
  addMeasured(context, {
    what: "through nginx, with its cache of one second",
    reference: `nginx, files: ${reference}`,
    measured: ours,
    ratio,
    bar: ">= 0.50",
  });
});

test("start to first response", async (context) => {
  const databasePath = await makeCatalog(OFFERS);
  const startMs = async (start: () => ReturnType<typeof startRaw>): Promise<number> => {
    const started = performance.now();
    const { url, process } = await start();
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    const ms = performance.now() - started;
    process.child.kill();
    await process.ended;
    return ms;
  };
  const [ours, raw]: [number[], number[]] = [[], []];
  for (let start = 0; start < STARTS; start++) {
    ours.push(await startMs(() => startQuiet(databasePath)));
    raw.push(await startMs(() => startRaw()));
  }
  addMeasured(context, {
    what: "start to first response",
    reference: `node:http: ${Math.round(median(raw))} ms`,
    measured: `${Math.round(median(ours))} ms`,
    ratio: median(ours) / median(raw),
    bar: "<= 1,000 ms more",
    value: median(ours) - median(raw),
  });
});

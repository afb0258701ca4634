import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalog } from "./catalogs.ts";
import { makeAccount } from "@gpu-offers/testkit/accounts";
import { nginxProgram, startFileNginx, startNginx } from "@gpu-offers/testkit/nginx";
import { measure, type Load, type Measured, type Target } from "./load.ts";
import type { Row } from "./row.ts";
import { startRawServer, startService, type Service } from "./service.ts";
import { syntheticQueries } from "@gpu-offers/testkit/synthetic";

/** Seconds per turn. The two servers alternate in short turns, because the speed of a shared machine changes within seconds. */
const SECONDS = 2;
const WARM_UP_SECONDS = 2;

/** Requests after which V8 has optimized the code they use. On a busy machine, two seconds are not enough. */
const WARM_UP_REQUESTS = 50_000;

/** Maximum number of warm-up turns. */
const MAX_WARM_UPS = 10;
const ROUNDS = 8;
const QUERIES = 200;

/** A query parameter name; each request appends a new number to it, so that no two requests are alike. */
const UNIQUE_PARAMETER = "&max_gpu_count=";

/** Service settings and request headers of one row. */
interface Way {
  what: string;
  bar: number;
  aim?: number;
  settings?: Readonly<Record<string, string>>;
  headers?: (key: string, etag: string) => Record<string, string>;
  isUnique?: boolean;
}

const WAYS: readonly Way[] = [
  { what: "GET /api/v1/offers", bar: 0.75, aim: 0.85 },
  {
    what: "the same with RATE_LIMIT and REQUIRE_API_KEY",
    bar: 0.65,
    aim: 0.8,
    settings: { REQUIRE_API_KEY: "true", RATE_LIMIT: "9999999" },
    headers: (key) => ({ Authorization: `Bearer ${key}` }),
  },
  { what: "304 of the same", bar: 0.7, headers: (_key, etag) => ({ "If-None-Match": etag }) },
  { what: "the same, no two requests alike", bar: 0.35, aim: 0.5, isUnique: true },
];

/** The list endpoint with different settings, against raw node:http that sends the same bytes. */
export async function benchHttp(folder: string, { databasePath, count }: Catalog): Promise<Row[]> {
  const { key } = await makeAccount(databasePath);
  const rows: Row[] = [];
  for (const way of WAYS) {
    rows.push(await benchWay(folder, databasePath, count, way, key));
  }
  return rows;
}

/** Repeated requests of a running service, against raw node:http that sends the same bytes. */
export async function comparedWithRaw(
  folder: string,
  service: Service,
  paths: readonly string[],
  { what, bar }: { what: string; bar: number },
): Promise<Row> {
  const bodies: Record<string, string> = {};
  for (const path of paths) {
    bodies[path] = await (await fetch(service.url + path)).text();
  }
  const bodiesFile = join(folder, "bodies.json");
  writeFileSync(bodiesFile, JSON.stringify(bodies));
  const raw = await startRawServer(bodiesFile, UNIQUE_PARAMETER);
  try {
    const { ours, reference, ratio } = await compare([targetOf(service), { paths }], [targetOf(raw), { paths }]);
    return {
      what,
      reference: `raw node:http, same bytes: ${reference}`,
      measured: ours,
      ratio,
      bar: barText(bar, undefined),
      isMet: ratio >= bar,
    };
  } finally {
    await raw.stop();
  }
}

async function benchWay(folder: string, databasePath: string, offers: number, way: Way, key: string): Promise<Row> {
  const { what, bar, aim, settings = {}, headers: makeHeaders, isUnique = false } = way;
  const paths = syntheticQueries(QUERIES * 2, offers)
    .filter((query) => !isUnique || !query.includes("max_gpu_count"))
    .slice(0, QUERIES)
    .map((query) => `/api/v1/offers?${query}`);
  const service = await startService(databasePath, settings);
  try {
    const bodies: Record<string, string> = {};
    let etag = "";
    for (const path of paths) {
      const response = await fetch(service.url + path, { headers: { Authorization: `Bearer ${key}` } });
      if (!response.ok) {
        throw new Error(`${path} has status ${response.status}`);
      }
      etag = response.headers.get("etag") ?? "";
      bodies[path] = await response.text();
    }
    const bodiesFile = join(folder, "bodies.json");
    writeFileSync(bodiesFile, JSON.stringify(bodies));
    const raw = await startRawServer(bodiesFile, UNIQUE_PARAMETER);
    try {
      const load = {
        paths,
        ...(makeHeaders === undefined ? {} : { headers: makeHeaders(key, etag) }),
        ...(isUnique ? { uniqueParameter: `${UNIQUE_PARAMETER}1` } : {}),
      };
      const { ours, reference, ratio } = await compare([targetOf(service), load], [targetOf(raw), load]);
      return {
        what: `${what}, ${QUERIES} queries, ${offers.toLocaleString("en-US")} offers`,
        reference: `raw node:http, same bytes: ${reference}`,
        measured: ours,
        ratio,
        bar: barText(bar, aim),
        isMet: ratio >= bar,
      };
    } finally {
      await raw.stop();
    }
  } finally {
    await service.stop();
  }
}

const barText = (bar: number, aim: number | undefined): string =>
  [...(bar === 0 ? [] : [`>= ${bar.toFixed(2)}`]), ...(aim === undefined ? [] : [`aim ${aim.toFixed(2)}`])].join(", ");

const targetOf = ({ url, process: { pid = 0 } }: Service): Target => ({ url, pids: [pid] });

/**
 * The service behind nginx with the deployed template and its cache, against nginx that sends the same bytes from files.
 * Undefined if nginx is not installed.
 */
export async function benchNginx(folder: string, { databasePath, count }: Catalog): Promise<Row | undefined> {
  if (nginxProgram === undefined) {
    return undefined;
  }
  const queries = syntheticQueries(QUERIES, count);
  const service = await startService(databasePath, { TRUST_PROXY: "127.0.0.1" });
  const paths = queries.map((query) => `/api/v1/offers?${query}`);
  const files = await Promise.all(
    paths.map(async (path, number) => {
      writeFileSync(join(folder, `${number}.json`), await (await fetch(service.url + path)).text());
      return `/${number}.json`;
    }),
  );
  const nginx = await startNginx([Number(new URL(service.url).port)], "on");
  const fileNginx = await startFileNginx(folder);
  const ours: Target = {
    url: `http://127.0.0.1:${nginx.port}`,
    pids: [nginx.process.child.pid ?? 0, service.process.pid ?? 0],
  };
  const reference: Target = { url: `http://127.0.0.1:${fileNginx.port}`, pids: [fileNginx.process.child.pid ?? 0] };
  try {
    const compared = await compare([ours, { paths }], [reference, { paths: files }]);
    return {
      what: `through the nginx template with its cache of one second, ${QUERIES} queries`,
      reference: `nginx, same bytes from files: ${compared.reference}`,
      measured: compared.ours,
      ratio: compared.ratio,
      bar: ">= 0.50",
      isMet: compared.ratio >= 0.5,
    };
  } finally {
    nginx.process.child.kill();
    fileNginx.process.child.kill();
    await service.stop();
  }
}

/** Loads two servers in turn after a warm-up. Returns the lowest cost per request of each, and their ratio. */
async function compare(
  ours: [Target, Load],
  reference: [Target, Load],
): Promise<{ ours: string; reference: string; ratio: number }> {
  const rounds: { ours: Measured[]; reference: Measured[] } = { ours: [], reference: [] };
  await warmUp(...ours);
  await warmUp(...reference);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [side, [target, load]] of [
      ["ours", ours],
      ["reference", reference],
    ] as const) {
      rounds[side].push(await measure(target, load, SECONDS));
    }
  }
  const ratio = Math.min(...rounds.reference.map(costOf)) / Math.min(...rounds.ours.map(costOf));
  return { ours: shown(rounds.ours), reference: shown(rounds.reference), ratio };
}

async function warmUp(target: Target, load: Load): Promise<void> {
  let requests = 0;
  for (let turn = 0; turn < MAX_WARM_UPS && requests < WARM_UP_REQUESTS; turn++) {
    const { perSecond } = await measure(target, load, WARM_UP_SECONDS);
    requests += perSecond * WARM_UP_SECONDS;
  }
}

/** CPU time per request, or wall-clock time where CPU time is unknown. */
const costOf = ({ microseconds, perSecond }: Measured): number => microseconds ?? 1_000_000 / perSecond;

function shown(turns: readonly Measured[]): string {
  const best = turns.reduce((a, b) => (costOf(a) < costOf(b) ? a : b));
  const perSecond = `${Math.round(best.perSecond).toLocaleString("en-US")}/s`;
  return best.microseconds === undefined ? perSecond : `${best.microseconds.toFixed(1)} us (${perSecond})`;
}

/**
 * The list endpoint with a large catalog against itself with a small one. It uses queries whose pages have the same number
 * of offers in both catalogs, because a longer response costs more regardless of catalog size.
 */
export async function benchSize(small: Catalog, large: Catalog): Promise<Row> {
  const services = [await startService(small.databasePath), await startService(large.databasePath)] as const;
  try {
    const paths = await pathsOfEqualPages(
      services.map(({ url }) => url),
      syntheticQueries(QUERIES * 5, small.count).map((query) => `/api/v1/offers?${query}`),
    );
    const [itself, service] = services;
    const { ours, reference, ratio } = await compare([targetOf(service), { paths }], [targetOf(itself), { paths }]);
    return {
      what: `the same at ${large.count.toLocaleString("en-US")} offers`,
      reference: `itself at ${small.count.toLocaleString("en-US")}: ${reference}`,
      measured: ours,
      ratio,
      bar: ">= 0.90",
      isMet: ratio >= 0.9,
    };
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

/** The first paths whose responses have the same number of offers from every server. */
async function pathsOfEqualPages(urls: readonly string[], paths: readonly string[]): Promise<string[]> {
  const equal: string[] = [];
  for (const path of paths) {
    const counts = await Promise.all(urls.map((url) => countOffers(url + path)));
    if (new Set(counts).size === 1) {
      equal.push(path);
    }
    if (equal.length === QUERIES) {
      return equal;
    }
  }
  throw new Error(`Of ${paths.length} requests only ${equal.length} have pages of equal length; need ${QUERIES}.`);
}

async function countOffers(url: string): Promise<number> {
  const response = await fetch(url);
  const { offers } = (await response.json()) as { offers: readonly unknown[] };
  return offers.length;
}

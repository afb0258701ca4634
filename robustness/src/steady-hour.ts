import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import autocannon from "autocannon";
import { saturatingLoad } from "@gpu-offers/testkit/saturating-load";
import { syntheticQueries } from "@gpu-offers/testkit/synthetic";
import { makeAccount, withKey } from "@gpu-offers/testkit/accounts";
import { adminDone } from "@gpu-offers/testkit/admin";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { nativeFile, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { shown, type Problems, type Row } from "./row.ts";

// A service at half of its maximum rate, with occasional imports, credits and balance requests.

/** Seconds of load per step; progress is reported between steps. */
const TURN_S = 10;
const CONNECTIONS = 16;
/** Share of the run during which the service fills its caches. */
const WARM_UP = 0.25;
/** Maximum growth after the warm-up that still counts as flat, as a share of the memory. */
const MAX_GROWTH = 0.1;
/** Steps between two imports, and offers per import. */
const IMPORT_TURNS = 6;
const OFFERS = 5_000;

/** Resident memory of a process in MB (Linux). */
const residentMegabytes = (id: number | undefined): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]) / 1024;

interface Sample {
  second: number;
  megabytes: number;
}

/** Slope of the least-squares line through the samples, in MB per second. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const second = mean(samples.map((sample) => sample.second));
  const megabytes = mean(samples.map((sample) => sample.megabytes));
  const above = samples.reduce((sum, sample) => sum + (sample.second - second) * (sample.megabytes - megabytes), 0);
  return above / samples.reduce((sum, sample) => sum + (sample.second - second) ** 2, 0);
}

const meanOf = (samples: readonly Sample[]): number =>
  samples.reduce((sum, { megabytes }) => sum + megabytes, 0) / samples.length;

/** Imports another catalog, adds credit and reads the balance. */
async function changeSomething(service: Service, turn: number, account: string, key: string, problems: Problems) {
  const { databasePath } = service;
  const rows = nativeRows(OFFERS, { region: `region-${turn}` });
  await adminDone(databasePath, "catalog", "import", nativeFile(rows), "--format", "native", "--accept-changes");
  await adminDone(databasePath, "credit", "add", "--account", account, "--amount", "1", "--reference", `t-${turn}`);
  const { text } = await fetchFrom(service, "/api/v1/account/balance", withKey(key));
  const expected = `"${turn / IMPORT_TURNS + 1}.0000"`;
  if (!text.includes(expected)) {
    problems.add(`the balance should be ${expected}: ${text}`);
  }
}

async function loadFor(service: Service, paths: readonly string[], seconds: number, rate: number, key: string) {
  return autocannon({
    url: service.url,
    connections: CONNECTIONS,
    duration: seconds,
    overallRate: rate,
    requests: [
      ...paths.map((path) => ({ method: "GET" as const, path })),
      { method: "GET", path: "/api/v1/account/balance", headers: { authorization: `Bearer ${key}` } },
    ],
  });
}

export const steadyHour: Row = {
  name: "steady-hour",
  what: "an hour at half load, with imports, credits and balances",
  unit: "seconds",
  bar: "memory flat: the line through it after the first quarter rises by no more than 10%",
  n: 3_600,
  shortN: 10,
  isAlone: true,
  run: async ({ n, seed, patience, progress, problems }) => {
    const service = await startService({ settings: { LOG_LEVEL: "silent" } });
    const account = await makeAccount(service.databasePath);
    const paths = syntheticQueries(200, OFFERS, seed).map((query) => `/api/v1/offers?${query}`);
    await adminDone(service.databasePath, "catalog", "import", nativeFile(nativeRows(OFFERS)), "--format", "native");
    const turnS = Math.min(TURN_S, Math.ceil(n / 6));
    const rate = Math.floor((await saturatingLoad(service.url, paths, turnS)) / 2);
    const started = performance.now();
    const secondsSince = (): number => (performance.now() - started) / 1_000;
    const samples: Sample[] = [];
    const sampling = setInterval(
      () => samples.push({ second: secondsSince(), megabytes: residentMegabytes(service.process.child.pid) }),
      500,
    );
    let served = 0;
    for (let turn = 0; secondsSince() < n; turn++) {
      const changing =
        turn % IMPORT_TURNS === 0 ? changeSomething(service, turn, account.id, account.key, problems) : undefined;
      const load = await loadFor(service, paths, turnS, rate, account.key);
      await changing;
      served += load.requests.total;
      if (load.non2xx + load.errors + load.timeouts > 0) {
        problems.add(`${load.non2xx} responses that were not 200, ${load.errors} errors, ${load.timeouts} timeouts`);
      }
      if (turn % IMPORT_TURNS === 0) {
        progress(`${Math.round(secondsSince())} of ${n} s, ${samples.at(-1)?.megabytes.toFixed(0)} MB`);
      }
    }
    clearInterval(sampling);
    await delay(100);
    await service.stop();
    const warm = samples.filter(({ second }) => second >= secondsSince() * WARM_UP);
    const spanS = (warm.at(-1)?.second ?? 0) - (warm[0]?.second ?? 0);
    const quarter = Math.max(1, Math.floor(warm.length / 4));
    const [first, last] = [meanOf(warm.slice(0, quarter)), meanOf(warm.slice(-quarter))];
    const grown = slopeOf(warm) * spanS;
    if (grown > MAX_GROWTH * patience * meanOf(warm)) {
      problems.add(`memory grew by ${grown.toFixed(1)} MB of ${meanOf(warm).toFixed(0)} MB in ${Math.round(spanS)} s`);
    }
    return `${shown(served)} requests at ${shown(rate)}/s; memory ${meanOf(warm).toFixed(0)} MB, first quarter ${first.toFixed(0)}, last ${last.toFixed(0)}, the line through it rises by ${grown.toFixed(1)} MB in ${Math.round(spanS)} s`;
  },
};

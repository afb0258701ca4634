import { makeAccount, withKey } from "@gpu-offers/testkit/accounts";
import { adminDone } from "@gpu-offers/testkit/admin";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { load } from "@gpu-offers/testkit/load";
import { nativeFile, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { memoryMb } from "@gpu-offers/testkit/process-usage";
import { startService } from "@gpu-offers/testkit/service";
import { syntheticQueries } from "@gpu-offers/testkit/synthetic";
import { shown } from "@gpu-offers/testkit/table-row";
import { stressTest } from "./stress-test.ts";

/** Maximum seconds of load per turn. */
const TURN_S = 10;
/** Turns between two imports, and offers per import. */
const IMPORT_TURNS = 6;
const OFFERS = 5_000;
/** Share of the run during which the service fills its caches. */
const WARM_UP = 0.25;
/** Maximum growth after the warm-up that still counts as flat, as a share of the memory. */
const MAX_GROWTH = 0.1;

interface Sample {
  second: number;
  megabytes: number;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Slope of the least-squares line through the samples, in MB per second. */
function slopeOf(samples: readonly Sample[]): number {
  const second = mean(samples.map((sample) => sample.second));
  const above = samples.map((sample) => (sample.second - second) * sample.megabytes);
  return mean(above) / mean(samples.map((sample) => (sample.second - second) ** 2));
}

const bar = "memory rises <= 10% after the first quarter";
stressTest(
  "an hour at half load",
  { bar, unit: "seconds", n: 3_600, shortN: 10 },
  async ({ n, seed, patience, report }) => {
    const service = await startService({ settings: { LOG_LEVEL: "silent" } });
    const { databasePath } = service;
    const account = await makeAccount(databasePath);
    const importOffers = (region: string) => {
      const args = [nativeFile(nativeRows(OFFERS, { region })), "--format", "native", "--accept-changes"];
      return adminDone(databasePath, "catalog", "import", ...args);
    };
    const changeSomething = async (turn: number): Promise<void> => {
      await importOffers(`region-${turn}`);
      const amount = ["--amount", "1", "--reference", `t-${turn}`];
      await adminDone(databasePath, "credit", "add", "--account", account.id, ...amount);
      const { text } = await fetchFrom(service, "/api/v1/account/balance", withKey(account.key));
      const expected = `"${turn / IMPORT_TURNS + 1}.0000"`;
      report(text.includes(expected) ? undefined : `the balance should be ${expected}: ${text}`);
    };
    await importOffers("first");
    const requests = [
      ...syntheticQueries(200, OFFERS, seed).map((query) => ({ path: `/api/v1/offers?${query}` })),
      { path: "/api/v1/account/balance", ...withKey(account.key) },
    ];
    const turnS = Math.min(TURN_S, Math.ceil(n / 6));
    const rate = Math.floor((await load(service.url, requests, turnS)).perSecond / 2);
    const started = performance.now();
    const secondsSince = (): number => (performance.now() - started) / 1_000;
    const samples: Sample[] = [];
    const sample = (): unknown =>
      samples.push({ second: secondsSince(), megabytes: memoryMb(service.process.child.pid).now });
    const sampling = setInterval(sample, 500);
    let served = 0;
    for (let turn = 0; secondsSince() < n; turn++) {
      const changing = turn % IMPORT_TURNS === 0 ? changeSomething(turn) : undefined;
      const { total, failures } = await load(service.url, requests, turnS, { rate });
      await changing;
      served += total;
      report(failures === 0 ? undefined : `${failures} requests failed`);
    }
    clearInterval(sampling);
    await service.stop();
    const warm = samples.filter(({ second }) => second >= secondsSince() * WARM_UP);
    const spanS = (warm.at(-1)?.second ?? 0) - (warm[0]?.second ?? 0);
    const average = mean(warm.map(({ megabytes }) => megabytes));
    const figures = `rises by ${(slopeOf(warm) * spanS).toFixed(1)} MB in ${Math.round(spanS)} s`;
    if (slopeOf(warm) * spanS > MAX_GROWTH * patience * average) {
      report(`memory ${average.toFixed(0)} MB ${figures}`);
    }
    return `${shown(served)} requests at ${shown(rate)}/s; memory ${average.toFixed(0)} MB, the line through it ${figures}`;
  },
);

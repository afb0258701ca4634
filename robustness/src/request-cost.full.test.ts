import { readdirSync, readFileSync } from "node:fs";
import { gpuModels } from "@gpu-offers/domain";
import { adminDone } from "@gpu-offers/testkit/admin";
import { fetchFrom, type HttpRequest } from "@gpu-offers/testkit/http";
import { nativeFile, nativeRow, type NativeRow } from "@gpu-offers/testkit/native-catalogs";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { costlyRequests } from "./costly-requests.ts";
import { stressTest } from "./stress-test.ts";

// What the most expensive requests cost that anyone may send without a key, in processor time of the service, compared
// with a page of offers that was not requested before.

/** Offers in the catalog: as many as all peers have together. */
const FULL_OFFERS = 50_000;

/** A shorter run has a smaller catalog. */
const FULL = 40;
const SHORT_OFFERS = 10_000;

const MAX_RATIO = 100;
const MAX_HELD_MS = 100;

/** Pages that the cheap request is measured with; each is sent once. Twice as many warm the service up. */
const CHEAP_PAGES = 300;

/** Processor time of a thread, in milliseconds (Linux): its first figure is in nanoseconds. */
const threadMs = (path: string): number => Number(readFileSync(`${path}/schedstat`, "utf8").split(" ")[0]) / 1e6;

/** Processor time that a process and its main thread, which runs the event loop, have used (Linux). */
function processorMs(id: number | undefined): { process: number; main: number } {
  const tasks = readdirSync(`/proc/${id}/task`).map((task) => threadMs(`/proc/${id}/task/${task}`));
  return { process: tasks.reduce((sum, ms) => sum + ms, 0), main: threadMs(`/proc/${id}/task/${id}`) };
}

/** Number of files that the catalog is imported from: one may not have more than 600,000 values. */
const FILES = 4;

/** Six times as many as the SkyPilot catalogs of all clouds have together. */
const DISTINCT_TYPES = 3_000;

/** Rows of many models, providers and regions, half of them with selectable disks. Each file has providers of its own. */
function costlyRows(count: number, file: number): NativeRow[] {
  return Array.from({ length: count / FILES }, (_, number) => {
    const model = gpuModels[number % gpuModels.length];
    return nativeRow({
      provider: `cloud-${file}-${number % 15}`,
      instanceType: `type-${number}`,
      listing: { instanceType: `type-${number % DISTINCT_TYPES}` },
      gpu: model?.slug ?? "",
      gpuCount: [1, 2, 4, 8][number % 4] ?? 1,
      region: `region-${number % 97}`,
      priceHourly: (100 + ((number * 7919) % 100_000)) / 100,
      storage:
        number % 2 === 0 ? { costPerGB: 0.0001, minGB: 50, maxGB: 2000 } : { costPerGB: 0, minGB: 500, maxGB: 500 },
    });
  });
}

interface Cost {
  /** Processor time of a request. */
  ms: number;
  /** The longest processor time of the main thread for one request: the event loop was not held for longer. */
  heldMs: number;
  /** Distinct statuses of the responses. */
  statuses: readonly number[];
}

/** Sends requests one after the other. Returns the processor time of one, and the longest hold of the event loop. */
async function costOf(
  service: Service,
  count: number,
  requestOf: (number: number) => HttpRequest & { path: string },
): Promise<Cost> {
  const id = service.process.child.pid;
  const statuses = new Set<number>();
  const first = processorMs(id);
  let heldMs = 0;
  let before = first;
  for (let number = 0; number < count; number++) {
    const { path, ...request } = requestOf(number);
    statuses.add((await fetchFrom(service, path, request)).status);
    const after = processorMs(id);
    heldMs = Math.max(heldMs, after.main - before.main);
    before = after;
  }
  return { ms: (before.process - first.process) / count, heldMs, statuses: [...statuses] };
}

stressTest(
  "expensive requests without a key",
  {
    bar: `processor time <= ${MAX_RATIO} new pages, event loop held <= ${MAX_HELD_MS} ms`,
    unit: "of each kind",
    n: FULL,
    shortN: 5,
  },
  async ({ n, patience, report }) => {
    const offers = n < FULL ? SHORT_OFFERS : FULL_OFFERS;
    const databasePath = tempDatabase();
    for (let file = 0; file < FILES; file++) {
      const path = nativeFile(costlyRows(offers, file));
      await adminDone(databasePath, "catalog", "import", path, "--format", "native", "--accept-changes");
    }
    const service = await startService({ databasePath, settings: { MCP: "on", LOG_LEVEL: "silent" } });
    const cheapAt = (number: number) => ({ path: `/api/v1/offers?size=25&page=${number}` });
    await costOf(service, 2 * CHEAP_PAGES, (number) => ({
      path: `${cheapAt(number % 200).path}&min_gpu_count=${1 + Math.floor(number / 200)}`,
    }));
    const cheap = await costOf(service, CHEAP_PAGES, cheapAt);
    const { text } = await fetchFrom(service, "/api/v1/offers?size=1");
    if (!text.includes(`"totalElements":${offers},`)) {
      report(`the catalog does not have ${offers} offers: ${text.slice(-100)}`);
    }
    const id = /"id":"([^"]+)"/.exec(text)?.[1] ?? "";
    const kinds = costlyRequests(id);
    const measured: { name: string; ratio: number; heldMs: number }[] = [];
    for (const [name, status, request] of kinds) {
      // The first request after an idle phase compiles and caches.
      await costOf(service, 2, (number) => request(number));
      const { ms, heldMs, statuses } = await costOf(service, n, (number) => request(number + 2));
      const ratio = ms / cheap.ms;
      if (statuses.join() !== String(status)) {
        report(`${name} got status ${statuses.join(" and ")}`);
      }
      if (ratio > MAX_RATIO * patience) {
        report(`${name} costs ${ratio.toFixed(0)} cheap pages`);
      }
      if (heldMs > MAX_HELD_MS * patience) {
        report(`${name} held the event loop for ${heldMs.toFixed(0)} ms`);
      }
      measured.push({ name, ratio, heldMs });
    }
    await service.stop();
    const [dearest] = measured.toSorted((a, b) => b.ratio - a.ratio);
    const heldMs = Math.max(...measured.map((one) => one.heldMs));
    return `${kinds.length} kinds; ${dearest?.name}: ${dearest?.ratio.toFixed(0)} pages of ${cheap.ms.toFixed(2)} ms; held ${heldMs.toFixed(0)} ms`;
  },
);

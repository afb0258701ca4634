import { gpuModels } from "@gpu-offers/domain";
import { adminDone } from "@gpu-offers/testkit/admin";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { nativeFile, nativeRow, type NativeRow } from "@gpu-offers/testkit/native-catalogs";
import { startService } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { costlyRequests } from "./costly-requests.ts";
import { cheapPageMs, costOf } from "./service-cost.ts";
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
    const cheapMs = await cheapPageMs(service);
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
      const ratio = ms / cheapMs;
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
    return `${kinds.length} kinds; ${dearest?.name}: ${dearest?.ratio.toFixed(0)} pages of ${cheapMs.toFixed(2)} ms; held ${heldMs.toFixed(0)} ms`;
  },
);

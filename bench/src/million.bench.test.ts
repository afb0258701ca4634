import { setTimeout as delay } from "node:timers/promises";
import { test } from "vitest";
import { memoryMb } from "@gpu-offers/testkit/process-usage";
import { syntheticOffers, syntheticQueries } from "@gpu-offers/testkit/synthetic";
import { makeCatalog } from "./catalogs.ts";
import { benchIndex } from "./index-query.ts";
import { compare } from "./load.ts";
import { addMeasured } from "./measured-row.ts";
import { startQuiet, targetOf } from "./servers.ts";

// A service with a million offers beside one with ten thousand.

const SMALL = 10_000;
const LARGE = 1_000_000;
const QUERIES = 200;

/** After a start until its garbage is collected. */
const SETTLED_MS = 15_000;

test("memory of an offer, and requests that don't depend on the number of offers", async (context) => {
  const [small, large] = [await startQuiet(await makeCatalog(SMALL)), await startQuiet(await makeCatalog(LARGE))];
  await delay(SETTLED_MS);
  const [{ now: before }, { now: after }] = [memoryMb(small.process.child.pid), memoryMb(large.process.child.pid)];
  let json = 0;
  for (const offer of syntheticOffers(LARGE)) {
    json += Buffer.byteLength(JSON.stringify(offer)) / LARGE;
  }
  const bytes = ((after - before) * 2 ** 20) / (LARGE - SMALL);
  addMeasured(context, {
    what: "memory per offer",
    reference: `its JSON: ${Math.round(json)} bytes`,
    measured: `${Math.round(bytes)} bytes`,
    ratio: bytes / json,
    bar: "<= 1.5 times",
  });
  const paths = await pathsOfEqualPages([small.url, large.url]);
  const { ours, reference, ratio } = await compare([targetOf(large), { paths }], [targetOf(small), { paths }]);
  await Promise.all([small.stop(), large.stop()]);
  addMeasured(context, {
    what: "GET /api/v1/offers at 1,000,000 offers",
    reference: `itself at 10,000: ${reference}`,
    measured: ours,
    ratio,
    bar: ">= 0.90",
  });
});

test("query in the domain package", (context) => {
  benchIndex(context, LARGE);
});

/** Paths whose pages have as many offers from each service: a longer response costs more in a catalog of any size. */
async function pathsOfEqualPages(urls: readonly string[]): Promise<string[]> {
  const equal: string[] = [];
  for (const query of syntheticQueries(QUERIES * 5, SMALL)) {
    const path = `/api/v1/offers?${query}`;
    const pages = await Promise.all(
      urls.map(async (url) => (await (await fetch(url + path)).json()) as { offers: [] }),
    );
    if (pages.every(({ offers }) => offers.length === pages[0]?.offers.length) && equal.push(path) === QUERIES) {
      return equal;
    }
  }
  throw new Error(`Only ${equal.length} requests have pages of equal length; need ${QUERIES}.`);
}

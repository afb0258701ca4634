import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Catalog } from "./catalogs.ts";
import { pacedLoad } from "@gpu-offers/testkit/paced-load";
import type { Row } from "./row.ts";
import { startService } from "./service.ts";
import { syntheticQueries } from "@gpu-offers/testkit/synthetic";

const SECONDS = 10;
const REQUESTS_A_SECOND = 2_000;

/** Tail latency while a new catalog is imported, loaded and swapped in under load, against the steady state. */
export async function benchNewCatalog(folder: string, { databasePath, count }: Catalog): Promise<Row> {
  const copy = join(folder, "new-catalog.sqlite");
  copyFileSync(databasePath, copy);
  const paths = syntheticQueries(200, count).map((query) => `/api/v1/offers?${query}`);
  const service = await startService(copy);
  try {
    await pacedLoad(service.url, paths, REQUESTS_A_SECOND, 3);
    const steady = await pacedLoad(service.url, paths, REQUESTS_A_SECOND, SECONDS);
    const before = await etagOf(service.url);
    const importing = spawn(
      process.execPath,
      [fileURLToPath(new URL("./put-offers.ts", import.meta.url)), copy, `${count}`],
      {
        stdio: "inherit",
      },
    );
    const [changing] = await Promise.all([
      pacedLoad(service.url, paths, REQUESTS_A_SECOND, SECONDS),
      once(importing, "exit"),
    ]);
    if (before === (await etagOf(service.url))) {
      throw new Error("The new catalog was not served.");
    }
    const failures = steady.failures + changing.failures;
    return {
      what: `p99 while a new catalog of ${count.toLocaleString("en-US")} offers comes, ${REQUESTS_A_SECOND}/s`,
      reference: `steady: ${steady.p99Ms.toFixed(2)} ms`,
      measured: `${changing.p99Ms.toFixed(2)} ms, ${failures} of ${changing.requests} failed`,
      ratio: changing.p99Ms / steady.p99Ms,
      bar: "<= 2 times, none failed",
      isMet: changing.p99Ms <= 2 * steady.p99Ms && failures === 0,
    };
  } finally {
    await service.stop();
  }
}

async function etagOf(url: string): Promise<string | null> {
  const response = await fetch(`${url}/api/v1/providers`);
  await response.arrayBuffer();
  return response.headers.get("etag");
}

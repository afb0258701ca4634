import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { adminDone } from "@gpu-offers/testkit/admin";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { allOffers, publishedPageSchema } from "@gpu-offers/testkit/offer-queries";
import { findRealFile } from "@gpu-offers/testkit/real-file";
import { startService } from "@gpu-offers/testkit/service";

// Real price lists, which are not part of this repository.

const folder = findRealFile("data/skypilot-catalog");

const reportSchema = z.object({
  outcome: z.string(),
  providers: z.array(z.string()),
  rows: z.object({ offers: z.int() }),
});

/** Files as version/provider/file.csv, the newest version last, so that it is the one that remains. */
const files =
  folder === undefined
    ? []
    : readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".csv"))
        .sort();

test.skipIf(folder === undefined)(
  "every SkyPilot file is imported under load without a failed request (skipped if the files are absent)",
  { timeout: 120_000 },
  async () => {
    expect(files.length).toBeGreaterThanOrEqual(14);
    const service = await startService({ settings: { LOG_LEVEL: "warn" } });
    const over = new AbortController();
    let sent = 0;
    const readOn = async (worker: number): Promise<void> => {
      for (let round = worker; !over.signal.aborted; round++) {
        const response = await fetchFrom(
          service,
          `/api/v1/offers?size=${1 + (round % 40)}&page=${round % 5}&sort_by=priceHourly`,
        );
        expect(response.status).toBe(200);
        publishedPageSchema.parse(jsonOf(response));
        sent++;
      }
    };
    const readers = Promise.allSettled([0, 1].map(readOn));
    const offersOf = new Map<string, number>();
    for (const file of files) {
      const [, provider = ""] = file.split("/");
      // A provider's newer file may be an excerpt, whose changes an operator has to accept.
      const options = ["--provider", provider, "--accept-changes", "--json"];
      const path = join(folder ?? "", file);
      const { stdout } = await adminDone(service.databasePath, "catalog", "import", path, ...options);
      const { outcome, providers, rows } = reportSchema.parse(JSON.parse(stdout));
      expect([file, outcome, providers, rows.offers > 0]).toEqual([file, "imported", [provider], true]);
      offersOf.set(provider, rows.offers);
    }
    const served = async (): Promise<Record<string, number>> => {
      const byProvider = Map.groupBy(await allOffers(service), (offer) => offer.provider.name);
      return Object.fromEntries([...byProvider].map(([provider, offers]) => [provider, offers.length]));
    };
    await expect.poll(served, { timeout: 10_000 }).toMatchObject(Object.fromEntries(offersOf));
    over.abort();
    expect(await readers).toEqual([0, 1].map(() => ({ status: "fulfilled", value: undefined })));
    expect(sent).toBeGreaterThan(100);
  },
);

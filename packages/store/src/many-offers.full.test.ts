import { createPostgresDatabase } from "@gpu-offers/testkit/postgres-server";
import { syntheticOffers } from "@gpu-offers/testkit/synthetic";
import { expect, inject, test } from "vitest";
import { open } from "../test/databases.ts";
import { addSources, liveRunOf } from "../test/live-runs.ts";
import { foldStock } from "./stock-memory.js";

// A PostgreSQL with so little memory that the ids of 8,000 offers don't fit, as those of 200,000 don't by default.

test("runs of a PostgreSQL don't compare each offer with each", { timeout: 60_000 }, async () => {
  const url = new URL(await createPostgresDatabase(inject("postgresUrl")));
  url.searchParams.set("options", "-c work_mem=64kB");
  const database = await open(url.href);
  await addSources(database, { synthetic: "list" }, 3_600_000);
  const offers = [...syntheticOffers(8_000)];
  const startMs = performance.now();
  await liveRunOf(database, "synthetic", offers, "2026-11-01T00:00:00Z");
  const firstMs = performance.now() - startMs;
  const report = await liveRunOf(database, "synthetic", offers.slice(1), "2026-11-01T01:00:00Z");
  await foldStock(database, { nowMs: Date.parse("2026-11-20T00:00:00Z"), keptSince: "2026-01-01T00:00:00Z" });
  expect(report).toMatchObject({ outcome: "imported", removed: 1, unchanged: 7_999 });
  // The first run writes all offers, which takes longer than to find one that is missing.
  expect(performance.now() - startMs - firstMs).toBeLessThan(3 * firstMs);
});

import { expect, test } from "vitest";
import { admin } from "@gpu-offers/testkit/admin";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { startService } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";

test("a source that needs a key and the imported offers that it will replace are one row, other imports apart", async () => {
  const databasePath = tempDatabase();
  await storeCatalog(databasePath, nativeRows(2, { provider: "lambda" }));
  await storeCatalog(databasePath, nativeRows(3, { provider: "fjord" }));
  expect((await admin(databasePath, "source", "enable", "lambda")).stderr).toContain("Set LAMBDA_API_KEY");
  const service = await startService({ databasePath, settings: { LIVE_SYNC: "on" } });
  const rows = async () => {
    const { sources } = jsonOf(await fetchFrom(service, "/api/v2/sources")) as { sources: Record<string, unknown>[] };
    return sources.map(({ name, providers, kind, state, offers }) => [name, providers, kind, state, offers]);
  };
  await expect.poll(rows, { timeout: 15_000 }).toEqual([
    ["lambda", ["lambda"], "list", "needs_key", 2],
    ["fjord", ["fjord"], "import", "imported", 3],
  ]);
  const { text } = await fetchFrom(service, "/metrics");
  const counted = text.split("\n").filter((line) => /^gpu_offers_source_offers\{.*lambda/.test(line));
  expect(counted).toHaveLength(1);
});

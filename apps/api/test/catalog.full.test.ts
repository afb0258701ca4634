import { describe, expect, test } from "vitest";
import { contentOf } from "@gpu-offers/store/test/database-content";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { startService } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { removeProvider } from "@gpu-offers/store/catalog-removal";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { withDatabase } from "@gpu-offers/store/test/databases";

const remove = (databasePath: string, provider: string) =>
  withDatabase(databasePath, (database) => removeProvider(database, provider, "test"));

describe.concurrent("a start", () => {
  test("of several services at the same time fills a new database once", async () => {
    const databasePath = tempDatabase();
    const services = await Promise.all([0, 1, 2].map(() => startService({ databasePath })));
    const tags = await Promise.all(
      services.map(async (started) => (await fetchFrom(started, "/api/v1/offers")).headers.etag),
    );
    expect(new Set(tags).size).toBe(1);
    expect(contentOf(databasePath)["revisions"]).toHaveLength(1);
  });

  test("does not refill an emptied database", async () => {
    const databasePath = tempDatabase();
    await storeCatalog(databasePath, nativeRows(2));
    await remove(databasePath, "fjord");
    const emptied = await startService({ databasePath });
    expect(jsonOf(await fetchFrom(emptied, "/api/v1/offers"))).toEqual({
      offers: [],
      page: 0,
      totalPages: 0,
      totalElements: 0,
      hasMore: false,
    });
    expect(jsonOf(await fetchFrom(emptied, "/api/v1/providers"))).toEqual({ data: [] });
    expect(jsonOf(await fetchFrom(emptied, "/health/ready"))).toEqual({ status: "ready", revision: 2, offers: 0 });
  });
});

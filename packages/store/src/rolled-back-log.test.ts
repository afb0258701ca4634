import { statSync } from "node:fs";
import type { SourceItem } from "@gpu-offers/sources";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { nativeRow } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { open } from "../test/databases.ts";
import { itemsOf } from "../test/catalog-items.ts";
import { importCatalog } from "./catalog-import.js";

const OFFERS = 20_000;

test("an import that fails on a full disk frees the space it used, while a service has the database open", async () => {
  const path = tempDatabase();
  const writer = await open(`sqlite:${path}`);
  const items = await itemsOf([nativeRow()]);
  await importCatalog(writer, { items, cause: "test" });
  const service = await open(`sqlite:${path}`, { isServing: true });
  await sql`select count(*) from offer`.execute(service);

  // Pages reach the log early, as in a large import.
  await sql`pragma cache_size = 10`.execute(writer);
  // SQLite reports a file at its maximum size as a full disk. Most of the import has been written by then.
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(writer);
  await sql`pragma max_page_count = ${sql.lit((rows[0]?.page_count ?? 0) + 3_000)}`.execute(writer);
  const many = items.flatMap((item): SourceItem[] =>
    item.kind !== "offer"
      ? [item]
      : Array.from({ length: OFFERS }, (_, number) => ({
          ...item,
          offer: { ...item.offer, id: `00000000-0000-5000-8000-${String(number).padStart(12, "0")}` },
        })),
  );
  await expect(importCatalog(writer, { items: many, cause: "test" })).rejects.toThrow(/full/);

  expect(statSync(`${path}-wal`).size).toBeLessThan(2 ** 20);
  expect((await sql<{ count: number }>`select count(*) as count from offer`.execute(service)).rows).toEqual([
    { count: 1 },
  ]);
});

import { UNKNOWN_LISTING_FACTS, type ListingFacts } from "@gpu-offers/domain";
import type { SourceItem } from "@gpu-offers/sources";
import { databasesOfSuite } from "@gpu-offers/testkit/databases";
import { nativeRow } from "@gpu-offers/testkit/native-catalogs";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { image, itemsOf, provider } from "../test/catalog-items.ts";
import { open } from "../test/databases.ts";
import { importCatalog, type ImportOptions, type ImportReport } from "./catalog-import.js";
import { listProviders, listRevisions, readCatalog } from "./catalog.store.js";
import type { Database } from "./database.js";
import { statementsOf } from "./migrations/step.js";
import { MIGRATIONS } from "./migrations/steps.js";
import { readFacts } from "./offer-row.js";
import { readSourceFacts } from "./source-facts.js";

const spot = (priceHourly: number): Partial<ListingFacts> => ({ spot: { priceHourly, kind: "bid" } });

describe.each(databasesOfSuite)("what sources state beyond offers, in $kind", ({ create }) => {
  let database: Database;

  beforeEach(async () => {
    database = await open(await create());
  });

  const importItems = (items: readonly SourceItem[], options: Partial<ImportOptions> = {}): Promise<ImportReport> =>
    importCatalog(database, { items, cause: "test", ...options });

  const stated = async (facts: Partial<ListingFacts>, price = 10): Promise<SourceItem[]> => {
    const items = await itemsOf([nativeRow({ instanceType: "type-0", priceHourly: price })]);
    return items.map((item) =>
      item.kind === "offer" ? Object.assign(item, { listing: { ...UNKNOWN_LISTING_FACTS, ...facts } }) : item,
    );
  };

  const stored = () =>
    readCatalog(database, async (_, offers) => {
      const facts: ListingFacts[] = [];
      for await (const row of offers) {
        facts.push(readFacts(row));
      }
      return facts;
    });

  const versions = async () => (await readSourceFacts(database)).providers.map(({ facts_version }) => facts_version);

  test("changes without a revision, and services notice it", async () => {
    await importItems(await stated({ instanceType: "type-0", ...spot(3) }));
    expect(await stored()).toEqual([{ ...UNKNOWN_LISTING_FACTS, instanceType: "type-0", ...spot(3) }]);
    const before = await versions();
    const again = await importItems(await stated({ instanceType: "type-0", ...spot(3) }));
    expect(again).toMatchObject({ outcome: "unchanged", facts: 0 });
    expect(await versions()).toEqual(before);
    const report = await importItems(await stated({ instanceType: "type-0", ...spot(4) }));
    expect(report).toMatchObject({ outcome: "unchanged", facts: 1 });
    expect(await stored()).toMatchObject([spot(4)]);
    expect(await versions()).toEqual(before.map((version) => version + 1));
    expect(await listRevisions(database, 9)).toHaveLength(1);
    expect(await database.selectFrom("offer_change").selectAll().execute()).toHaveLength(1);
  });

  test("changes with a price in the same revision, and not in a dry run", async () => {
    await importItems(await stated(spot(3)));
    await importItems(await stated(spot(4)), { isDryRun: true });
    expect(await stored()).toMatchObject([spot(3)]);
    await importItems(await stated(spot(5), 11));
    expect(await stored()).toMatchObject([spot(5)]);
    await importItems(await stated({}, 11));
    expect(await stored()).toEqual([UNKNOWN_LISTING_FACTS]);
  });

  const live = (name: string): Partial<ImportOptions> => ({
    live: {
      readingsOf: () => [{ scope: null, at: "2026-11-01T00:00:00.000Z", isComplete: true, knowsStock: true }],
      sourceOf: () => name,
      emptied: [],
      scopesOf: () => [],
      keptScopes: [],
      record: async () => {},
    },
  });
  const offers = async () => (await stated({})).filter(({ kind }) => kind === "offer");
  const imagesOf = async () =>
    (await listProviders(database)).flatMap(({ images }) => images.map(({ id, isDefault }) => [id, isDefault]));

  test("images of an operator stay when a source brings its own, which it replaces itself", async () => {
    const [known] = await stated({});
    const name = known?.kind === "provider" ? known.provider.name : "";
    const run = async (ids: readonly string[], options: Partial<ImportOptions>) => {
      const images = ids.map((id, index) => Object.assign(image(id), { isDefault: index === 0 }));
      return (await importItems([provider(name, { images }), ...(await offers())], options)).changes.images;
    };
    await run(["mine"], {});
    expect(await run(["theirs", "mine"], live("fjord"))).toMatchObject({ added: 1, removed: 0 });
    expect(await imagesOf()).toEqual([
      ["mine", true],
      ["theirs", false],
    ]);
    expect(await run(["other"], live("fjord"))).toMatchObject({ added: 1, removed: 1, unchanged: 1 });
    expect((await imagesOf()).map(([id]) => id)).toEqual(["mine", "other"]);
    expect(await run(["third"], {})).toMatchObject({ added: 1, removed: 2 });
    expect(await imagesOf()).toEqual([["third", true]]);
  });

  test("images of the first starter catalog are examples, which a source replaces", async () => {
    const [known] = await stated({});
    const name = known?.kind === "provider" ? known.provider.name : "";
    const named = Object.assign(image("old"), { displayName: "Ubuntu (example)", isDefault: true });
    await importItems([provider(name, { images: [named] }), ...(await offers())]);
    // What the migration does to a database of the previous release.
    const update =
      statementsOf(MIGRATIONS["011-listings"], "sqlite").find((statement) => statement.startsWith("update")) ?? "";
    await sql.raw(update).execute(database);
    const mine = Object.assign(image("new"), { isDefault: true });
    await importItems([provider(name, { images: [mine] }), ...(await offers())], live("fjord"));
    expect(await imagesOf()).toEqual([["new", true]]);
  });
});

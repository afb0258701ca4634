import { UNKNOWN_LISTING_FACTS, type Offer } from "@gpu-offers/domain";
import { databasesOfSuite } from "@gpu-offers/testkit/databases";
import type { SourceItem } from "@gpu-offers/sources";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { open } from "../test/databases.ts";
import { addSources, liveRunOf } from "../test/live-runs.ts";
import { testOffer } from "@gpu-offers/testkit/live-source";
import { importCatalog } from "./catalog-import.js";
import { removeProvider } from "./catalog-removal.js";
import { readCatalog } from "./catalog.store.js";
import type { Database } from "./database.js";
import { findOfferChanges, foldHistory, listChanges, pruneHistory } from "./offer-history.js";

const SEED = 20_261_122;

async function* itemsOf(provider: string, offers: readonly Offer[]): AsyncGenerator<SourceItem> {
  yield { kind: "provider", where: "1", provider: { name: provider, type: "vm", images: [] } };
  for (const offer of offers) {
    yield { kind: "offer", listing: UNKNOWN_LISTING_FACTS, where: "2", offer };
  }
}

/** The current catalog, without what the history omits. */
async function catalogOf(database: Database): Promise<Record<string, Offer>> {
  const read = await readCatalog(database, async (_, offers) => {
    const found: Record<string, Offer> = {};
    for await (const { id, body } of offers) {
      found[id] = JSON.parse(body) as Offer;
    }
    return found;
  });
  return withoutStock(read ?? {});
}

const withoutStock = (offers: Record<string, Offer>): Record<string, Offer> =>
  Object.fromEntries(
    Object.entries(offers).map(([id, offer]) => [id, Object.assign({}, offer, { isAvailable: true })]),
  );

const folded = async (...args: Parameters<typeof foldHistory>) =>
  withoutStock(Object.fromEntries(await foldHistory(...args)));

/** A step in a catalog's life: a provider gets these offers, or is removed. */
const steps = fc.array(
  fc.record({
    provider: fc.constantFrom("north", "south"),
    offers: fc.option(
      fc.uniqueArray(
        fc.record({
          id: fc.constantFrom("a", "b", "c", "d"),
          price: fc.integer({ min: 1, max: 9 }),
          isAvailable: fc.boolean(),
          disk: fc.integer({ min: 1, max: 3 }),
          vcpu: fc.integer({ min: 1, max: 3 }),
        }),
        { minLength: 1, selector: ({ id }) => id },
      ),
    ),
  }),
  { minLength: 1, maxLength: 8 },
);

describe.each(databasesOfSuite)("the history in $kind", ({ create, runsOf }) => {
  test("reproduces the current and past catalogs, before and after truncation", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(7), async (life, cut) => {
        const database = await open(await create());
        const past: { at: string; catalog: Record<string, Offer> }[] = [];
        for (const { provider, offers } of life) {
          if (offers === null) {
            await removeProvider(database, provider, "test");
          } else {
            const made = offers.map(({ disk, vcpu, ...row }) => {
              const offer = testOffer(provider, row);
              return Object.assign(offer, { storageMaxGB: disk, storageMinGB: disk, specs: { ...offer.specs, vcpu } });
            });
            await importCatalog(database, { items: itemsOf(provider, made), cause: "test" });
          }
          const at = (await listChanges(database)).at(-1)?.at ?? "";
          const known = past.findIndex((moment) => moment.at === at);
          past.splice(known === -1 ? past.length : known, 1, { at, catalog: await catalogOf(database) });
        }
        const now = await catalogOf(database);
        expect(await folded(database)).toEqual(now);
        for (const { at, catalog } of past) {
          expect(await folded(database, { until: at })).toEqual(catalog);
        }
        await pruneHistory(database, past[cut % past.length]?.at ?? "");
        expect(await folded(database)).toEqual(now);
        await pruneHistory(database, "9999");
        expect(await listChanges(database)).toEqual([]);
        expect(await folded(database)).toEqual(now);
      }),
      { seed: SEED, numRuns: runsOf(8) },
    );
  });

  test("accepts no change and no removal of anything outside its base", async () => {
    const database = await open(await create());
    await importCatalog(database, {
      items: itemsOf("north", [testOffer("north", { id: "a", price: 1 })]),
      cause: "test",
    });
    await expect(database.updateTable("offer_change").set({ kind: "price" }).execute()).rejects.toThrow("append-only");
    await expect(database.deleteFrom("offer_change").execute()).rejects.toThrow("append-only");
    expect(await listChanges(database)).toHaveLength(1);
  });

  test("has of an offer that returns only what differs, also after truncation, but for those gone for long", async () => {
    const database = await open(await create());
    const of = (id: string, price: number, vcpu = 1) => {
      const offer = testOffer("north", { id, price });
      return { ...offer, specs: { ...offer.specs, vcpu } };
    };
    await addSources(database, { north: "list" }, 3_600_000);
    const run = (day: number, offers: Offer[]) =>
      liveRunOf(database, "north", offers, new Date(Date.UTC(2026, 9, day)).toISOString());
    const [stays, goes, late] = [of("a", 1), of("b", 2), of("c", 3)];
    await run(1, [stays, goes, late]);
    await run(2, [stays]);
    await run(3, [stays, of("b", 4, 7)]);
    await run(4, [stays]);
    await run(5, [stays, goes]);
    await run(17, [stays, goes, late]);
    const isWhole = (await listChanges(database, { kinds: ["added"] })).map(({ after }) => after);
    expect(isWhole.slice(3)).toEqual([
      { priceHourly: 4, pricePerGpu: 4, isAvailable: true, specs: of("b", 4, 7).specs },
      { priceHourly: 2, pricePerGpu: 2, isAvailable: true, specs: goes.specs },
      late,
    ]);
    const expected = withoutStock(Object.fromEntries([stays, goes, late].map((offer) => [offer.id, offer])));
    const days = [2, 3, 5, 17, 18].map((day) => new Date(Date.UTC(2026, 9, day)).toISOString());
    const on = (until: string) => folded(database, { until });
    expect(await on(days[1] ?? "")).toEqual(withoutStock({ [stays.id]: stays, [goes.id]: of("b", 4, 7) }));
    for (const day of days) {
      await pruneHistory(database, day);
      expect(await folded(database)).toEqual(expected);
    }
    expect(await database.selectFrom("offer_base").select("id").where("gone_at", "is not", null).execute()).toEqual([]);
  });

  test("records availability", async () => {
    const database = await open(await create());
    const stock = (isAvailable: boolean) => itemsOf("north", [testOffer("north", { id: "a", price: 1, isAvailable })]);
    await importCatalog(database, { items: stock(true), cause: "test" });
    await importCatalog(database, { items: stock(false), cause: "test" });
    await importCatalog(database, { items: stock(true), cause: "test" });
    expect((await listChanges(database)).map(({ kind }) => kind)).toEqual(["added", "stock", "stock"]);
  });
});

test("a change lists its kinds with the fields that differ", () => {
  const before = testOffer("north", { id: "a", price: 1 });
  const after = {
    ...testOffer("north", { id: "a", price: 2, isAvailable: false }),
    region: "elsewhere",
    storageMaxGB: 200,
  };
  expect(findOfferChanges(before, after)).toEqual([
    { kind: "price", before: { priceHourly: 1, pricePerGpu: 1 }, after: { priceHourly: 2, pricePerGpu: 2 } },
    { kind: "disk", before: { storageMaxGB: 100 }, after: { storageMaxGB: 200 } },
    { kind: "facts", before: { region: "somewhere" }, after: { region: "elsewhere" } },
    { kind: "stock", before: { isAvailable: true }, after: { isAvailable: false } },
  ]);
  expect(findOfferChanges(before, { ...before })).toEqual([]);
});

import type { SourceItem } from "@gpu-offers/sources";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { databases } from "@gpu-offers/testkit/databases";
import { open } from "../test/databases.ts";
import { nativeRow } from "@gpu-offers/testkit/native-catalogs";
import { importCatalog, isPristine } from "./catalog-import.js";
import { offersOf, provider, image, contentOf } from "../test/catalog-items.ts";

// Compares imports with a plain model of a catalog.

const SEED = 20_261_121;

describe.each(databases)("an import into $kind", ({ create, runsOf }) => {
  test("has the same result and counts as a plain model, for any catalog", { timeout: 120_000 }, async () => {
    const types = ["a", "b", "c", "d", "e"];
    const pool = new Map<string, SourceItem>();
    for (const name of ["north", "south"]) {
      for (const instanceType of types) {
        for (const priceHourly of [1, 2]) {
          const [offer] = await offersOf([nativeRow({ provider: name, instanceType, priceHourly })]);
          pool.set(`${name} ${instanceType} ${priceHourly}`, offer as SourceItem);
        }
      }
    }
    const arbitraryProvider = fc.record({
      prices: fc.array(fc.constantFrom(0, 1, 2), { minLength: types.length, maxLength: types.length }),
      type: fc.constantFrom("vm" as const, "container" as const),
      images: fc.subarray([image("x"), image("y", ["a"]), image("z", [])]),
      asOf: fc.constantFrom(undefined, null, "2026-10-01"),
    });
    const step = fc.record({
      told: fc.dictionary(fc.constantFrom("north", "south"), arbitraryProvider, { minKeys: 1, maxKeys: 2 }),
      asOf: fc.constantFrom(undefined, "2026-11-01"),
      isDryRun: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const database = await open(await create());
        let revision = 0;
        const providers = new Map<string, unknown>();
        const offers = new Map<string, SourceItem>();
        for (const { told, asOf, isDryRun } of steps) {
          const items: SourceItem[] = [];
          const given = new Map<string, SourceItem>();
          let areProvidersChanged = false;
          const after = new Map(providers);
          for (const [name, { prices, type, images, asOf: own }] of Object.entries(told)) {
            items.push(provider(name, { type, images, ...(own === undefined ? {} : { asOf: own }) }));
            for (const [index, price] of prices.entries()) {
              const item = pool.get(`${name} ${types[index]} ${price}`);
              if (item?.kind === "offer") {
                given.set(item.offer.id, item);
                items.push(item);
              }
            }
            const kept = {
              name,
              type,
              asOf: own === undefined ? (asOf ?? null) : own,
              isSample: false,
              images: images.map(({ instanceTypes = [], ...rest }) => Object.assign(rest, { instanceTypes })),
            };
            areProvidersChanged ||= JSON.stringify(after.get(name)) !== JSON.stringify(kept);
            after.set(name, kept);
          }
          const providerOf = (item: SourceItem) => (item.kind === "offer" ? item.offer.provider.name : "");
          const before = [...offers].filter(([, item]) => providerOf(item) in told);
          const names = Object.keys(told);
          const emptied = names.some(
            (name) =>
              before.some(([, item]) => providerOf(item) === name) &&
              ![...given.values()].some((item) => providerOf(item) === name),
          );
          const added = [...given.keys()].filter((id) => !offers.has(id)).length;
          const changed = before.filter(([id, item]) => given.has(id) && given.get(id) !== item).length;
          const removed = before.filter(([id]) => !given.has(id)).length;
          const isRejected = given.size === 0 || emptied;
          const isUnchanged = !areProvidersChanged && added + changed + removed === 0;
          const outcome = isRejected ? "rejected" : isUnchanged ? "unchanged" : isDryRun ? "dry_run" : "imported";
          const report = await importCatalog(database, {
            items,
            cause: "test",
            isDryRun,
            mayBeOlder: true,
            ...(asOf === undefined ? {} : { asOf: () => asOf }),
          });
          expect(report).toMatchObject({ outcome, providers: names.toSorted() });
          expect(report.rows).toEqual({ offers: given.size, rejected: 0, skipped: 0 });
          expect(report).toMatchObject(
            isRejected
              ? { added: 0, changed: 0, removed: 0, unchanged: 0 }
              : { added, changed, removed, unchanged: given.size - added - changed },
          );
          if (outcome === "imported") {
            revision += 1;
            for (const [id] of before) {
              offers.delete(id);
            }
            for (const [id, item] of given) {
              offers.set(id, item);
            }
            for (const [name, kept] of after) {
              providers.set(name, kept);
            }
          }
          expect(report.revision).toBe(outcome === "imported" ? revision : undefined);
          const content = await contentOf(database);
          expect(content.offers).toEqual(
            Object.fromEntries([...offers].map(([id, item]) => [id, item.kind === "offer" ? item.offer : item])),
          );
          expect(content.providers).toEqual([...providers.keys()].toSorted().map((name) => providers.get(name)));
          expect(await isPristine(database)).toBe(revision === 0);
        }
      }),
      { seed: SEED, numRuns: runsOf(20) },
    );
  });
});

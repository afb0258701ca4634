import type { Offer } from "@gpu-offers/domain";
import { readNative, type SourceImage, type SourceItem } from "@gpu-offers/sources";
import { expect } from "vitest";
import { nativeDocument, nativeImage, type NativeRow } from "@gpu-offers/testkit/native-catalogs";
import { readCatalog } from "../src/catalog.store.ts";
import type { Database } from "../src/database.ts";
import { readFacts, toStoredOffer } from "../src/offer-row.ts";

// Items as a parser yields them, and the catalog stored from them.

/** The items of native rows, preceded by their providers. */
export async function itemsOf(rows: readonly NativeRow[], images: readonly SourceImage[] = []): Promise<SourceItem[]> {
  const chunks = (async function* () {
    yield Buffer.from(nativeDocument(rows, images));
  })();
  const items = [];
  for await (const item of readNative(chunks)) {
    items.push(item);
  }
  return items;
}

/** The items of native rows without their providers. */
export const offersOf = async (rows: readonly NativeRow[]): Promise<SourceItem[]> =>
  (await itemsOf(rows)).filter(({ kind }) => kind === "offer");

/** A provider as a source states it. */
export const provider = (
  name: string,
  { type = "vm", images = [], asOf }: { type?: "vm" | "container"; images?: SourceImage[]; asOf?: string | null } = {},
): SourceItem => ({
  kind: "provider",
  where: "line 1",
  provider: { name, type, images, ...(asOf === undefined ? {} : { asOf }) },
});

export const image = (id: string, instanceTypes?: string[]): SourceImage =>
  nativeImage(id, instanceTypes === undefined ? {} : { instanceTypes });

/** Providers as stored, and offers as served, by id. */
export async function contentOf(database: Database) {
  const content = await readCatalog(database, async ({ providers }, offers) => {
    const bodies: Record<string, unknown> = {};
    for await (const row of offers) {
      const offer = JSON.parse(row.body) as Offer;
      bodies[offer.id] = offer;
      expect(row).toEqual(toStoredOffer(offer, row.scope, readFacts(row)));
    }
    return { providers, offers: bodies };
  });
  return content ?? { providers: [], offers: {} };
}

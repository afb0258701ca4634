import { createReadStream } from "node:fs";
import { compareOsImages, type ListedOffer, type Provider } from "@gpu-offers/domain";
import {
  compareDuplicates,
  duplicateItem,
  openCatalog,
  SourceError,
  withdrawCrossProducts,
  type OfferItem,
  type RejectionItem,
  type SourceImage,
  type SourceItem,
} from "@gpu-offers/sources";
import type { RejectedRow } from "./offer-source.js";
import { OfferSourceError } from "./offer-source-error.js";

// Reads catalog files in all formats of `catalog import`. The format is detected.

/** Content of a file. */
export interface CatalogFile {
  offers: ListedOffer[];
  providers: ListedProvider[];
  rejected: RejectedRow[];
}

/** A provider of a catalog. */
export interface ListedProvider extends Provider {
  images: readonly SourceImage[];
  /** Date of its prices, for catalogs that have one. */
  pricesAsOf?: string | undefined;
}

/** A file, or standard input for `-`, and the provider of its offers where the file may not name one. */
export interface CatalogPlace {
  path: string;
  provider?: string | undefined;
}

/** Reads a catalog. @throws OfferSourceError with the path and the reason if it can't be read. */
export async function readCatalogFile({ path, provider }: CatalogPlace): Promise<CatalogFile> {
  try {
    let asOf: string | undefined;
    const content = path === "-" ? process.stdin : createReadStream(path);
    const opened = await openCatalog(content, { path, provider, onHeader: (header) => (asOf = header.asOf) });
    const catalog = await collectCatalog(opened.items, () => asOf);
    if (opened.format === "skypilot" && opened.provider !== undefined) {
      catalog.providers.push({ name: opened.provider, type: "vm", images: [] });
    }
    return catalog;
  } catch (error) {
    throw new OfferSourceError({ kind: "file", message: `cannot read the catalog ${path}: ${reasonOf(error)}` });
  }
}

/** The catalog of all items; `headerDate` gives the date of prices whose provider has none of its own. */
export async function collectCatalog(
  items: AsyncIterable<SourceItem> | Iterable<SourceItem>,
  headerDate: () => string | undefined,
): Promise<CatalogFile> {
  const catalog: CatalogFile = { offers: [], providers: [], rejected: [] };
  const unique = new Map<string, OfferItem>();
  for await (const item of items) {
    switch (item.kind) {
      case "offer": {
        const existing = unique.get(item.offer.id);
        const [better, worse] =
          existing !== undefined && compareDuplicates(existing, item) <= 0 ? [existing, item] : [item, existing];
        unique.set(item.offer.id, better);
        if (worse !== undefined) {
          catalog.rejected.push(rejectedRow(duplicateItem(worse, better)));
        }
        break;
      }
      case "provider": {
        const { name, type, images = [], asOf = headerDate() } = item.provider;
        // null means that the provider's date is unknown.
        catalog.providers.push({ name, type, images: images.toSorted(compareOsImages), pricesAsOf: asOf ?? undefined });
        break;
      }
      case "rejection":
        catalog.rejected.push(rejectedRow(item));
        break;
      case "skipped":
      case "note":
        break;
    }
  }
  catalog.offers = withdrawCrossProducts([...unique.values()]).map(({ offer, listing }) =>
    Object.assign({ listing }, offer),
  );
  return catalog;
}

function rejectedRow({ where, code, reason }: RejectionItem): RejectedRow {
  return { where, code, reason };
}

function reasonOf(error: unknown): string {
  if (error instanceof SourceError) {
    // The reader names its own options.
    return error.problem === "no_provider"
      ? "A SkyPilot CSV does not name its provider. Add --provider, such as --provider aws."
      : error.message;
  }
  return `${error instanceof Error ? error.message : String(error)}. Pass a file to --catalog, or - for standard input.`;
}

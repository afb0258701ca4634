import { createReadStream } from "node:fs";
import { compareOsImages, type ListedOffer, type Provider } from "@gpu-offers/domain";
import { readCatalog, SourceError, type Catalog, type SourceImage, type SourceProvider } from "@gpu-offers/sources";
import type { RejectedRow } from "./offer-source.js";
import { OfferSourceError } from "./offer-source-error.js";

// Reads catalog files in all formats of `catalog import`. The format is detected.

export interface CatalogFile {
  offers: ListedOffer[];
  providers: ListedProvider[];
  rejected: RejectedRow[];
}

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
    const catalog = await readCatalog(content, { path, provider, onHeader: (header) => (asOf = header.asOf) });
    return catalogFileOf(catalog, asOf);
  } catch (error) {
    throw new OfferSourceError({ kind: "file", message: `cannot read the catalog ${path}: ${reasonOf(error)}` });
  }
}

/** The content of a catalog. @param date The date of prices whose provider has none of its own. */
export function catalogFileOf({ listings, providers, rejections }: Catalog, date: string | undefined): CatalogFile {
  const named = new Set(providers.map(({ name }) => name));
  // A SkyPilot CSV doesn't name its provider.
  const others = new Set(listings.map(({ offer }) => offer.provider.name).filter((name) => !named.has(name)));
  const all = [...providers, ...Array.from(others, (name): SourceProvider => ({ name, type: "vm" }))];
  return {
    offers: listings.map(({ offer, ...listing }) => ({ ...offer, listing })),
    // null means that the provider's date is unknown.
    providers: all.map(({ name, type, images = [], asOf = date }) => ({
      name,
      type,
      images: images.toSorted(compareOsImages),
      pricesAsOf: asOf ?? undefined,
    })),
    rejected: rejections.map(({ where, code, reason }) => ({ where, code, reason })),
  };
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

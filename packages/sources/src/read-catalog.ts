import type { ListingFacts, Offer } from "@gpu-offers/domain";
import { compareDuplicates, duplicateItem } from "./duplicates.js";
import { withdrawCrossProducts } from "./cross-product.js";
import type { CatalogContent } from "./input/content.js";
import { openCatalog, type CatalogOptions } from "./open-catalog.js";
import type { OfferItem, RejectionItem, SourceItem, SourceProvider } from "./source-item.js";

/** An offer with what its row states beyond it. */
export interface CatalogListing extends ListingFacts {
  /** The offer: prices in USD per hour, sizes in GB. */
  offer: Offer;
}

/** A whole catalog in memory. */
export interface Catalog {
  /** Its offers, one for each id. */
  offers: Offer[];
  /** The offers with what their rows state beyond them: instance type, seller, spot price ... */
  listings: CatalogListing[];
  /** Its providers with their types and images, as far as it names them. */
  providers: SourceProvider[];
  /** The rows that are not offers, and why. */
  rejections: RejectionItem[];
  /** What one should know about it besides, such as a currency that was assumed. */
  notes: string[];
}

/**
 * Reads a catalog in any format: native, SkyPilot, a response of a service, or a CSV of your own with `columns`.
 * @param content Text, bytes, a stream of them, a response of `fetch`, or a file that someone chose in a browser.
 * @throws SourceError if it cannot be read at all, or lacks a provider or a column.
 * @example const { offers } = await readCatalog(await fetch("https://example.com/aws/vms.csv"));
 * @example const { offers } = await readCatalog(createReadStream("aws/vms.csv"), { path: "aws/vms.csv" });
 */
export async function readCatalog(content: CatalogContent, options: CatalogOptions = {}): Promise<Catalog> {
  const { format, items } = await openCatalog(content, options);
  const others: SourceItem[] = [];
  const unique = new Map<string, OfferItem>();
  for await (const item of items) {
    const known = item.kind === "offer" ? unique.get(item.offer.id) : undefined;
    if (item.kind !== "offer") {
      others.push(item);
    } else if (known === undefined) {
      unique.set(item.offer.id, item);
    } else {
      const [kept, lost] = compareDuplicates(known, item) <= 0 ? [known, item] : [item, known];
      unique.set(item.offer.id, kept);
      others.push(duplicateItem(lost, kept));
    }
  }
  const kept = [...unique.values()];
  // Authors of their own lists know what they list.
  const offers = format === "csv" ? kept : [...withdrawCrossProducts(kept)].filter((item) => item.kind === "offer");
  return {
    offers: offers.map(({ offer }) => offer),
    listings: offers.map(listingOf),
    providers: others.flatMap((item) => (item.kind === "provider" ? [item.provider] : [])),
    rejections: others.filter((item) => item.kind === "rejection"),
    notes: others.flatMap((item) => (item.kind === "note" ? [item.note] : [])),
  };
}

function listingOf({ offer, listing }: OfferItem): CatalogListing {
  return { ...listing, offer };
}

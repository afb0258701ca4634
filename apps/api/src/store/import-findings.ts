import { UNKNOWN_REGION, type Offer } from "@gpu-offers/domain";
import { CrossProductDetector, type CrossProduct, type OfferItem } from "@gpu-offers/sources";

// What an import notices beyond its rejected rows: what an operator may want to teach or to know.

/** A region of which nobody knows where it lies. */
export interface UnplacedRegion {
  provider: string;
  region: string;
  offers: number;
}

/** A name that is not in the table of GPU models. */
export interface UnknownGpu {
  name: string;
  rows: number;
}

/** What an import noticed; the most frequent first. */
export interface Findings {
  unplacedRegions: UnplacedRegion[];
  unknownGpus: UnknownGpu[];
  crossProducts: CrossProduct[];
  /** Offers that are available. */
  available: number;
}

// A source with more different texts than this has no regions or names of GPUs in that column.
const MAX_TEXTS = 10_000;

/** Collects the findings of one import. */
export class FindingsCollector {
  private readonly regions = new Map<string, UnplacedRegion>();
  private readonly names = new Map<string, UnknownGpu>();
  private readonly detector = new CrossProductDetector();
  private available = 0;

  /** Adds an offer. Of duplicates, only the first is to be added. */
  addOffer(item: OfferItem): void {
    const { offer } = item;
    this.detector.add(item);
    this.available += offer.isAvailable ? 1 : 0;
    if (offer.regionInfo.countryCode === UNKNOWN_REGION.countryCode) {
      this.addRegion(offer);
    }
  }

  /** Adds a rejected row with a GPU that is not known. */
  addUnknownGpu(name: string): void {
    const known = this.names.get(name);
    if (known !== undefined) {
      known.rows += 1;
    } else if (this.names.size < MAX_TEXTS) {
      this.names.set(name, { name, rows: 1 });
    }
  }

  /** All that was found. */
  list(): Findings {
    return {
      unplacedRegions: [...this.regions.values()].sort((a, b) => b.offers - a.offers),
      unknownGpus: [...this.names.values()].sort((a, b) => b.rows - a.rows),
      crossProducts: this.detector.found(),
      available: this.available,
    };
  }

  private addRegion({ provider: { name: provider }, region }: Offer): void {
    const key = JSON.stringify([provider, region]);
    const known = this.regions.get(key);
    if (known !== undefined) {
      known.offers += 1;
    } else if (this.regions.size < MAX_TEXTS) {
      this.regions.set(key, { provider, region, offers: 1 });
    }
  }
}

import type { DEPLOYMENT_TYPES, ListingFacts, Offer, OsImage, PROVIDER_TYPES } from "@gpu-offers/domain";
import { REJECTIONS, type Rejection, type RejectionCode } from "./rejection.js";

/** Values of a provider's type in our catalogs. */
export type ProviderType = (typeof PROVIDER_TYPES)[number];

/** How a provider's offers are deployed, by the type of provider. */
export const DEPLOYMENT_TYPE_OF = {
  vm: "virtual",
  container: "container",
  "bare-metal": "bare-metal",
} as const satisfies Record<ProviderType, (typeof DEPLOYMENT_TYPES)[number]>;

/** An OS image as the source states it; `instanceTypes` restricts it to some of the provider's types. */
export type SourceImage = OsImage & {
  /** Instance types that it fits; all if undefined. */
  instanceTypes?: string[];
};

/** A provider as the source states it. */
export interface SourceProvider {
  /** Name of the provider, lower-case and URL-safe. */
  name: string;
  /** What it rents out: `vm`, `container` or `bare-metal`. */
  type: ProviderType;
  /** Date of its figures if it differs from that of the whole source; null if unknown. */
  asOf?: string | null;
  /** Its OS images; unset if the source says nothing about them, so that known ones stay. */
  images?: SourceImage[];
  /** Set if its offers are a sample, not for sale. */
  sample?: true;
}

/**
 * Why a row doesn't show that its offer can be rented: its provider lists every type in every place (`cross_product`), or
 * its region names no place, such as `default` (`no_place`).
 */
export type UnavailableReason = "cross_product" | "no_place";

interface Placed {
  /** Location in the source, such as `line 17`. */
  where: string;
}

interface ReadRow extends Placed {
  /** A rule that the row's own fields contradict; see `suspendRules`. Readers don't yield it. */
  contradicts?: {
    /** The rule, as a clause: `what types say`. */
    rule: string;
    /** One sentence with what contradicts. */
    reason: string;
    /** The offer by the row's own fields. */
    unruled: OfferItem;
  };
}

/** An offer of a source. */
export interface OfferItem extends ReadRow {
  kind: "offer";
  /** The offer: prices in USD per hour, sizes in GB. */
  offer: Offer;
  /** What the row states beyond the offer. */
  listing: ListingFacts;
  /** The name that identifies the configuration in the source, ours or the provider's; `listing` has what one rents. */
  instanceType?: string;
  /** Why its row doesn't show that it can be rented; unset if it is available, or if the source says that it isn't. */
  unavailableReason?: UnavailableReason;
  /**
   * Location of an earlier offer with the same id, in a source too large for memory. Only one of the two is kept; see
   * `compareDuplicates`. Other sources never have two offers with the same id.
   */
  duplicateOf?: string;
  /** The part of a live source that it is from. */
  scope?: string;
}

/** A row that is not an offer. */
export interface RejectionItem extends ReadRow {
  kind: "rejection";
  /** Why it was rejected: a key of REJECTIONS. */
  code: RejectionCode;
  /** One sentence with the invalid value. */
  reason: string;
  /** Whether the row counts against a limit of rejected GPU rows. */
  countsAsGpuRow: boolean;
  /** The name of the GPU if the code is `unknown_gpu`, as the source spells it. */
  gpuName?: string;
  /** Memory of one such GPU in GB, if the row states it. */
  gpuMemoryGb?: number;
  /** The part of a live source that it is from. */
  scope?: string;
}

/** Something that people should know about a source, such as a gap or an exchange rate. One or two sentences. */
export interface SourceNote {
  kind: "note";
  /** The part of the source that it is about. */
  where: string;
  /** One or two sentences. */
  note: string;
}

/**
 * One entry of a source. Every row of a source gives exactly one item; notes are besides. `where` is the location in
 * the source: `line 17` (the line where the row starts, from 1) or, in a JSON document, `offers[12]`.
 */
export type SourceItem =
  | (Placed & {
      kind: "provider";
      /** The provider. */
      provider: SourceProvider;
    })
  | OfferItem
  | RejectionItem
  | SourceNote
  /** A row that is not rentable by itself: one without an accelerator, or cards whose price is part of other offers. */
  | (Placed & { kind: "skipped" });

/** Whether an item is an offer. */
export function isOffer(item: { kind: string }): item is OfferItem {
  return item.kind === "offer";
}

/** The item of a rejected row. */
export function rejectionItem(where: string, { code, reason, gpuName, gpuMemoryGb }: Rejection): RejectionItem {
  const countsAsGpuRow = REJECTIONS[code].isGpuRow;
  const gpu = { ...(gpuName !== undefined && { gpuName }), ...(gpuMemoryGb !== undefined && { gpuMemoryGb }) };
  return { kind: "rejection", where, code, reason, countsAsGpuRow, ...gpu };
}

/** The items of a source that only names providers in its offers: each provider comes before its first offer. */
export function* withProviders(items: Iterable<SourceItem>, type: ProviderType): Generator<SourceItem> {
  const named = new Set<string>();
  for (const item of items) {
    const name = item.kind === "offer" ? item.offer.provider.name : undefined;
    if (name !== undefined && !named.has(name)) {
      named.add(name);
      yield { kind: "provider", where: item.where, provider: { name, type } };
    }
    yield item;
  }
}

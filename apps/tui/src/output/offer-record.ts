import {
  availabilityOfOffer,
  paidDisk,
  plainOffer,
  storageOf,
  UNKNOWN_LISTING_FACTS,
  type Balance,
  type ListedOffer,
} from "@gpu-offers/domain";
import { rentUrl } from "@gpu-offers/domain/launching";
import { estimateOf } from "./result.js";

// An offer as scripts get it, in rows of lists and from `show`: its fields, then what its source states beyond it, and an
// estimate of its cost.

/** Context of an estimate. */
export interface RecordOptions {
  diskGb?: number | undefined;
  balance?: Balance | undefined;
  /** Date of the prices by provider. */
  pricesAsOf?: ReadonlyMap<string, string> | undefined;
}

/** The record of an offer, priced with the required disk. */
export function recordOf(offer: ListedOffer, { diskGb, balance, pricesAsOf }: RecordOptions) {
  const date = pricesAsOf?.get(offer.provider.name);
  const estimate = estimateOf(offer, { diskGb: paidDisk(offer, diskGb), pricesAsOf: date, balance });
  const { listing = UNKNOWN_LISTING_FACTS } = offer;
  return {
    ...plainOffer(offer),
    listing: {
      ...listing,
      storage: storageOf(offer),
      availability: availabilityOfOffer(offer),
      stock14d: offer.listing?.stock14d ?? null,
    },
    estimate,
    /** Page on which one rents it in a browser; null if unknown. */
    rentUrl: rentUrl(offer, () => listing),
  };
}

/** Only these fields of a value, named by path such as `gpu.slug`; members that it lacks are null. */
export function fieldsOf(value: object, paths: readonly string[]): object {
  return Object.fromEntries(paths.map((path) => [path, memberOf(value, path.split("."))]));
}

function memberOf(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) {
    return value;
  }
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? memberOf((value as Readonly<Record<string, unknown>>)[name], rest)
    : null;
}

import { parseModelNeed, weightsDiskGb, weightsGb } from "../text/model-need.js";
import { limitsTotal } from "../listing-query/listing-filter.js";
import type { ListingQuery } from "../listing-query/listing-query-schema.js";
import { DEFAULT_DISK_GB, diskFor, isDiskFixed, storageOf, usualDisk, type DiskTerms } from "../offer/storage.js";

/** The disk of a launch. */
export interface LaunchDisk {
  /** Whole GB; undefined if there is none to choose, so that the included one or the provider's default is used. */
  diskGb: number | undefined;
  /** One sentence about a disk by default; undefined if it was asked for or is included. */
  note: string | undefined;
}

/**
 * The disk that every door launches with: the smallest that is enough for `askedGb`. Without it, the weights of the
 * model `fits`, as in a query, and a fifth more, else 100 GB, or what is nearest to it; none where one is included or
 * nothing is known. A size that the offer doesn't have stays as asked, and `checkDisk` says what is wrong with it.
 */
export function launchDisk(
  offer: DiskTerms,
  { askedGb, fits }: { askedGb?: number | undefined; fits?: string | undefined },
): LaunchDisk {
  const { includedGb, minGb } = storageOf(offer);
  if (askedGb !== undefined) {
    const isIncluded = isDiskFixed(offer)
      ? askedGb <= (includedGb ?? 0)
      : includedGb !== null && askedGb <= includedGb && includedGb > 0;
    // 0 is no choice where sizes are unknown.
    const isNone = askedGb === 0 && minGb === null;
    return { diskGb: isIncluded || isNone ? undefined : (diskFor(offer, askedGb) ?? askedGb), note: undefined };
  }
  const parsed = fits === undefined ? undefined : parseModelNeed(fits);
  const model = parsed?.ok === true ? parsed.need : undefined;
  const neededGb = model === undefined ? DEFAULT_DISK_GB : weightsDiskGb(model);
  const hasOwn =
    includedGb === null ? model === undefined : includedGb > 0 && (model === undefined || includedGb >= neededGb);
  if (isDiskFixed(offer) || hasOwn) {
    const isSmall = model !== undefined && includedGb !== null && includedGb < neededGb;
    return { diskGb: undefined, note: isSmall ? smallText(includedGb, neededGb) : undefined };
  }
  const diskGb = usualDisk(offer, neededGb);
  if (model !== undefined && diskGb < neededGb) {
    return { diskGb, note: smallText(diskGb, neededGb) };
  }
  const why = model === undefined ? "the default" : `for ${Math.ceil(weightsGb(model))} GB of weights and a fifth more`;
  return { diskGb, note: `The disk has ${diskGb} GB, ${why}.` };
}

/** The disk in GB that a query asks for: 0, the smallest, where it limits totals, which count with that one. */
export function askedDisk(query: ListingQuery): number | undefined {
  return query.disk ?? (query.fits === undefined && limitsTotal(query) ? 0 : undefined);
}

function smallText(diskGb: number, neededGb: number): string {
  return `The disk has at most ${diskGb} GB; the weights and a fifth more are ${neededGb} GB.`;
}

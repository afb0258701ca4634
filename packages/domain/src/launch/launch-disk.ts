import { diskFor, isDiskFixed, storageOf, type DiskTerms } from "../offer/storage.js";

/** Disk that texts state unless another is asked for, GB: the default of most clouds' GPU images, and room for a model. */
const DEFAULT_DISK_GB = 100;

/** Part of a model's weights that its disk has beside them, for the system and the libraries. */
const SPARE_PART = 1.2;

/** The disk of a launch. */
export interface LaunchDisk {
  /** Whole GB; undefined if there is none to choose, so that the included one or the provider's default is used. */
  diskGb: number | undefined;
  /** One sentence about a disk by default; undefined if it was asked for or is included. */
  note: string | undefined;
}

/**
 * The disk that every door launches with: the smallest that is enough for `askedGb`. Without it, the weights of a model
 * (GB) and a fifth more, else 100 GB or what is nearest to it; none where one is included or nothing is known. A size that the
 * offer doesn't have stays as asked, and `checkDisk` says what is wrong with it.
 */
export function launchDisk(
  offer: DiskTerms,
  { askedGb, weightsGb }: { askedGb?: number | undefined; weightsGb?: number | undefined },
): LaunchDisk {
  const { includedGb, maxGb } = storageOf(offer);
  if (askedGb !== undefined) {
    const isIncluded = isDiskFixed(offer)
      ? askedGb <= (includedGb ?? 0)
      : includedGb !== null && askedGb <= includedGb && includedGb > 0;
    return { diskGb: isIncluded ? undefined : (diskFor(offer, askedGb) ?? askedGb), note: undefined };
  }
  const neededGb = weightsGb === undefined ? DEFAULT_DISK_GB : Math.ceil(weightsGb * SPARE_PART);
  const hasOwn =
    includedGb === null
      ? weightsGb === undefined
      : includedGb > 0 && (weightsGb === undefined || includedGb >= neededGb);
  if (isDiskFixed(offer) || hasOwn) {
    return { diskGb: undefined, note: undefined };
  }
  const diskGb = diskFor(offer, neededGb) ?? maxGb ?? neededGb;
  const why = weightsGb === undefined ? "the default" : `for ${Math.ceil(weightsGb)} GB of weights and a fifth more`;
  return { diskGb, note: `The disk has ${diskGb} GB, ${why}.` };
}

/** The offer fields of the storage rule. */
export interface StorageTerms {
  /** USD per hour for each GB of the chosen disk. */
  storageCostPerGB: number;
  /** Minimum disk size in GB. */
  storageMinGB: number;
  /** Maximum disk size in GB. */
  storageMaxGB: number;
}

/** Result of a disk check: the size to pay for in GB, or a sentence that says what is invalid. */
export type DiskCheck =
  | {
      ok: true;
      /** The size in GB; undefined if the disk is fixed. */
      diskGb: number;
    }
  | {
      ok: false;
      /** What is invalid, and what would be valid. */
      reason: string;
    };

/**
 * Whether the disk is fixed and included (docs/interface.md, Offers): minimum equals maximum, and a GB costs
 * nothing. Then disk_gb may be omitted.
 */
export function isDiskFixed(terms: StorageTerms): boolean {
  return terms.storageMinGB === terms.storageMaxGB && terms.storageCostPerGB === 0;
}

/**
 * Checks the disk_gb of a deployment against an offer (docs/interface.md, Offers).
 * If the disk is fixed, it may be omitted or must equal that size. Otherwise it is required: a whole number of GB from
 * storageMinGB to storageMaxGB.
 */
export function checkDisk(terms: StorageTerms, diskGb: number | undefined): DiskCheck {
  const { storageMinGB, storageMaxGB } = terms;
  if (isDiskFixed(terms)) {
    return diskGb === undefined || diskGb === storageMinGB
      ? { ok: true, diskGb: storageMinGB }
      : {
          ok: false,
          reason: `disk_gb must be omitted or ${storageMinGB}, because the disk of this offer is fixed and included.`,
        };
  }
  if (diskGb === undefined) {
    return { ok: false, reason: `disk_gb is required: a whole number from ${storageMinGB} to ${storageMaxGB} GB.` };
  }
  if (!Number.isSafeInteger(diskGb) || diskGb < storageMinGB || diskGb > storageMaxGB) {
    return {
      ok: false,
      reason: `disk_gb must be a whole number from ${storageMinGB} to ${storageMaxGB}, not ${diskGb}.`,
    };
  }
  return { ok: true, diskGb };
}

/**
 * The smallest valid disk in whole GB of at least `neededGb`. Undefined if the offer has none that large, or if its disk
 * options are unknown (bounds of 0) and a disk is needed.
 */
export function diskFor(terms: StorageTerms, neededGb: number): number | undefined {
  const diskGb = Math.max(Math.ceil(neededGb), terms.storageMinGB);
  return diskGb <= terms.storageMaxGB ? diskGb : undefined;
}

/** Whether the offer's disk options are unknown, including their price. */
export function isDiskUnknown({ storageMaxGB, costDataComplete }: DiskPricing): boolean {
  return storageMaxGB === 0 && !costDataComplete;
}

/** Whether the price of a required disk is known. A limit on an unknown price can't be met. */
export function isDiskPriced(offer: DiskPricing, neededGb = 0): boolean {
  return neededGb === 0 || !isDiskUnknown(offer);
}

/** The offer fields that price a disk. */
export type DiskPricing = StorageTerms & {
  /** False if a part of the cost is unknown, so that prices are lower bounds. */
  costDataComplete: boolean;
};

/**
 * The disk in GB with which an offer is priced if `neededGb` are required: see {@link diskFor}. An offer with unknown
 * disk options is priced without one, and its price is a minimum. Undefined if the offer has no disk that large.
 */
export function pricedDisk(offer: DiskPricing, neededGb: number): number | undefined {
  return isDiskUnknown(offer) ? offer.storageMinGB : diskFor(offer, neededGb);
}

/**
 * The disk in GB to pay for if `neededGb` are required. An offer without a sufficient disk is priced with its smallest;
 * excluding it is up to the disk filter.
 */
export function paidDisk(offer: DiskPricing, neededGb = 0): number {
  return pricedDisk(offer, neededGb) ?? offer.storageMinGB;
}

import { HOURS_OF_A_MONTH } from "../money/money.js";
import type { Storage } from "./storage-schema.js";

/** The offer fields of the storage rule. */
export interface StorageTerms {
  /** USD per hour for each GB of the chosen disk. */
  storageCostPerGB: number;
  /** Minimum disk size in GB. */
  storageMinGB: number;
  /** Maximum disk size in GB. */
  storageMaxGB: number;
}

/** An offer, and what is known of its disks beyond its fields: its own, or that of its listing. */
export type DiskTerms = StorageTerms & {
  /** False if a part of the cost is unknown, so that prices are lower bounds. */
  costDataComplete?: boolean;
  /** The disks of its listing. */
  storage?: Storage | null | undefined;
  /** Whether the whole cost is known outside the API's fields. */
  isCostComplete?: boolean | null | undefined;
  /** What its source states beyond the offer. */
  listing?:
    | {
        /** Null if the offer's own fields say everything. */
        storage: Storage | null;
        /** Null if `costDataComplete` of the offer says it. */
        isCostComplete: boolean | null;
      }
    | undefined;
};

/** Result of a disk check: the size to pay for in GB, or a sentence that says what is invalid. */
export type DiskCheck =
  | {
      ok: true;
      /** The size in GB; 0 if none is given, and the sizes are unknown. */
      diskGb: number;
    }
  | {
      ok: false;
      /** What is invalid, and what would be valid. */
      reason: string;
    };

/** Storage of which nothing is known: no size is ruled out. */
export const UNKNOWN_STORAGE: Storage = Object.freeze({
  includedGb: null,
  minGb: null,
  maxGb: null,
  minAddedGb: null,
  pricePerGbMonth: null,
  steps: null,
  hoursPerMonth: HOURS_OF_A_MONTH,
  product: null,
  asOf: null,
  source: null,
});

/** The disks that a source states beside the offer; undefined if the offer's own fields say everything. */
export function statedStorage(offer: DiskTerms): Storage | undefined {
  return offer.storage ?? offer.listing?.storage ?? undefined;
}

/** The disks of an offer, from its listing or else from the API's fields. */
export function storageOf(offer: DiskTerms): Storage {
  const stated = statedStorage(offer);
  if (stated !== undefined) {
    return stated;
  }
  const { storageCostPerGB: cost, storageMinGB: minGb, storageMaxGB: maxGb, costDataComplete } = offer;
  if (maxGb === 0 && costDataComplete === false) {
    return UNKNOWN_STORAGE;
  }
  return minGb === maxGb && cost === 0
    ? { ...UNKNOWN_STORAGE, includedGb: minGb, minGb, maxGb }
    : { ...UNKNOWN_STORAGE, includedGb: 0, minGb, maxGb, pricePerGbMonth: Math.round(cost * 730e9) / 1e9 };
}

/** Whether the disk is included and no other can be chosen. Then disk_gb may be omitted. */
export function isDiskFixed(offer: DiskTerms): boolean {
  const { minGb, maxGb, pricePerGbMonth, steps } = storageOf(offer);
  return minGb !== null && minGb === maxGb && pricePerGbMonth === null && steps === null;
}

/** Whether the price of a disk of `diskGb` is unknown. By default: of a disk larger than the included one. */
export function isDiskUnknown(offer: DiskTerms, diskGb = Number.POSITIVE_INFINITY): boolean {
  const { includedGb, pricePerGbMonth, steps } = storageOf(offer);
  return pricePerGbMonth === null && steps === null && diskGb > (includedGb ?? 0) && !isDiskFixed(offer);
}

/** Whether the cost with a disk of `diskGb` is a lower bound, because a part of it is unknown. */
export function isAtLeast(offer: DiskTerms, diskGb = 0): boolean {
  const isComplete = offer.isCostComplete ?? offer.listing?.isCostComplete ?? offer.costDataComplete;
  return isComplete === false || isDiskUnknown(offer, diskGb);
}

/**
 * Checks the disk_gb of a deployment against an offer (docs/interface.md, Offers).
 * If the disk is fixed, it may be omitted or must equal that size. It may also be omitted if a disk is or may be included, or if
 * the price of disks is unknown: then any size is valid that isn't known to be impossible. Otherwise it is required. 0 stands for no choice
 * where sizes are unknown.
 */
export function checkDisk(offer: DiskTerms, diskGb: number | undefined): DiskCheck {
  const { includedGb, minGb, maxGb } = storageOf(offer);
  if (isDiskFixed(offer)) {
    return diskGb === undefined || diskGb === minGb
      ? { ok: true, diskGb: minGb ?? 0 }
      : {
          ok: false,
          reason: `disk_gb must be omitted or ${minGb}, because the disk of this offer is fixed and included.`,
        };
  }
  const sizes = sizesText(offer);
  if (diskGb === undefined) {
    const isOptional = isDiskUnknown(offer) || includedGb !== 0;
    return isOptional
      ? { ok: true, diskGb: minGb ?? 0 }
      : { ok: false, reason: `disk_gb is required: a whole number ${sizes} GB.` };
  }
  return Number.isSafeInteger(diskGb) && diskGb >= (minGb ?? 0) && diskGb <= (maxGb ?? MAX_DISK_GB)
    ? { ok: true, diskGb }
    : { ok: false, reason: `disk_gb must be a whole number ${sizes}, not ${diskGb}.` };
}

/** Maximum size where the provider's is unknown: the maximum of the parameters. */
const MAX_DISK_GB = 999_999_999;

/** The valid sizes, GB: `from 50 to 2000`. */
export function sizesText(offer: DiskTerms): string {
  const { minGb, maxGb } = storageOf(offer);
  return `from ${minGb ?? 0}${maxGb === null ? "" : ` to ${maxGb}`}`;
}

/** Disk of an offer unless another is asked for, GB: the default of most clouds' GPU images, and room for a model. */
export const DEFAULT_DISK_GB = 100;

/** The disk in GB that an offer is shown and launched with: its smallest of at least `neededGb`, else its largest. */
export function usualDisk(offer: DiskTerms, neededGb: number): number {
  return diskFor(offer, neededGb) ?? storageOf(offer).maxGb ?? neededGb;
}

/**
 * The smallest valid disk in whole GB of at least `neededGb`, with which an offer is priced; 0 if none is needed and its
 * sizes are unknown. Undefined if the offer has none that large.
 */
export function diskFor(offer: DiskTerms, neededGb: number): number | undefined {
  const { minGb, maxGb } = storageOf(offer);
  const diskGb = Math.max(Math.ceil(neededGb), minGb ?? 0);
  return diskGb <= (maxGb ?? MAX_DISK_GB) ? diskGb : undefined;
}

/**
 * The disk in GB to pay for if `neededGb` are required. An offer without a sufficient disk is priced with its smallest;
 * excluding it is up to the disk filter.
 */
export function paidDisk(offer: DiskTerms, neededGb = 0): number {
  return diskFor(offer, neededGb) ?? storageOf(offer).minGb ?? 0;
}

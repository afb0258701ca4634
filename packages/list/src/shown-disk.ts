import {
  DEFAULT_DISK_GB,
  limitsTotal,
  usualDisk,
  type ListingQuery,
  type ListingSelection,
  type Offer,
} from "@gpu-offers/domain";

/**
 * The disk in GB that a list shows its offers with: that of the query, else that of a launch. Undefined for the smallest of each
 * offer, where the query counts with it: if it sorts or limits totals without a disk.
 */
export function shownDiskGb({ disk }: ListingQuery, { filter, sort }: ListingSelection): number | undefined {
  const isSmallest = sort.sort === "total" || limitsTotal(filter);
  return filter.disk ?? disk ?? (isSmallest ? undefined : (filter.fits?.diskGb ?? DEFAULT_DISK_GB));
}

/** The disk in GB of an offer in a list that shows {@link shownDiskGb}. */
export function diskOf(offer: Offer, shownGb: number | undefined): number | undefined {
  return shownGb === undefined || shownGb === 0 ? undefined : usualDisk(offer, shownGb);
}

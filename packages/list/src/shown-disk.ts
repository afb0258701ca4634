import { DEFAULT_DISK_GB, usualDisk, type ListingQuery, type ListingSelection, type Offer } from "@gpu-offers/domain";

/**
 * The disk in GB that a list shows its offers with: that of the query, else that of a launch. Undefined for the smallest of each
 * offer, where the query counts with it: if it sorts or limits totals without a disk.
 */
export function shownDiskGb({ disk }: ListingQuery, { filter, sort }: ListingSelection): number | undefined {
  const { max_total: maxTotal, budget, fits } = filter;
  const isSmallest = sort.sort === "total" || maxTotal !== undefined || budget !== undefined;
  return filter.disk ?? disk ?? (isSmallest ? undefined : (fits?.diskGb ?? DEFAULT_DISK_GB));
}

/** The disk in GB of an offer in a list that shows {@link shownDiskGb}. */
export function diskOf(offer: Offer, shownGb: number | undefined): number | undefined {
  return shownGb === undefined || shownGb === 0 ? undefined : usualDisk(offer, shownGb);
}

import type { ListingFacts } from "./listing-schema.js";

// The sample that ships: dated prices for a first look and for tests. Readers mark its rows, and doors say so. It isn't for
// sale, and it enters no history.

/** Whether an offer is of the sample. */
export function isSample({ listing }: { listing?: Pick<ListingFacts, "sample"> | undefined }): boolean {
  return listing?.sample === true;
}

/** `sample prices of 2025-12-01, not for sale`. @param asOf Date or time of the prices (ISO 8601), if it is known. */
export function sampleText(asOf: string | null | undefined): string {
  return `sample prices${asOf == null ? "" : ` of ${asOf.slice(0, 10)}`}, not for sale`;
}

import { countOf } from "@gpu-offers/list";
import type { OfferSource, RejectedRow } from "./offer-source.js";

/**
 * Says how many rows of a catalog file were rejected, and which command lists the reasons.
 * @param sourceOptions The options that name the file.
 */
export function rejectedText(rejected: readonly RejectedRow[], sourceOptions: string): string {
  const { length } = rejected;
  const rows = `${countOf(length, "row")} ${length === 1 ? "was" : "were"} rejected`;
  return `${rows}. For the reasons, run gpu-offers rejected ${sourceOptions}.`;
}

/** Says how many offers are left out because their hosts aren't verified; undefined if none is. */
export function unverifiedText(count: number): string | undefined {
  return count > 0
    ? `${countOf(count, "offer")} of unverified hosts left out. --verified any includes them.`
    : undefined;
}

/** What people should know of the offers that were read: sample prices, what is left out, rejected rows of a catalog file. */
export async function sourceNotes(source: OfferSource, unverified: number): Promise<string[]> {
  const note = source.live?.note();
  const rejected = await source.listRejected();
  return [
    ...(note === undefined ? [] : [`${note}: no service is configured. --live fetches current prices.`]),
    ...[unverifiedText(unverified)].filter((text) => text !== undefined),
    ...(rejected.length === 0 ? [] : [rejectedText(rejected, source.options)]),
  ];
}

import type { LeftOut } from "@gpu-offers/domain";
import { countOf } from "@gpu-offers/list";
import type { OfferSource, RejectedRow } from "./offer-source.js";
import { FLAG_WORDS } from "./query-rejection.js";

/**
 * Says how many rows of a catalog file were rejected, and which command lists the reasons.
 * @param sourceOptions The options that name the file.
 */
export function rejectedText(rejected: readonly RejectedRow[], sourceOptions: string): string {
  const { length } = rejected;
  const rows = `${countOf(length, "row")} ${length === 1 ? "was" : "were"} rejected`;
  return `${rows}. For the reasons, run gpu-offers rejected ${sourceOptions}.`;
}

/** Says what defaults leave out, and which flags include it. */
export function leftOutTexts(all: readonly LeftOut[]): string[] {
  return all.map(
    ({ name, count, words, off }) =>
      `${countOf(count, "offer")} ${words} left out. ${FLAG_WORDS.assign(name, off)} includes them.`,
  );
}

/** What people should know of the offers that were read: what is left out, rejected rows of a catalog file. */
export async function sourceNotes(source: OfferSource, left: readonly LeftOut[]): Promise<string[]> {
  const rejected = await source.listRejected();
  return [...leftOutTexts(left), ...(rejected.length === 0 ? [] : [rejectedText(rejected, source.options)])];
}

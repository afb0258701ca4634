import type { Offer } from "@gpu-offers/domain";
import type { OfferSource } from "../catalog/offer-source.js";
import { cellFacts, COLUMNS, type Column } from "../output/columns.js";
import { formatList, offerGrid, type Format } from "../output/formats.js";
import type { Query } from "../query/query.js";
import { columnsFor, wantsTotal } from "../output/shown-columns.js";
import { nothingMatches, readMatches } from "../catalog/matches.js";

/** Columns of printed lists: those that need neither an account nor a request for each provider. */
const PRINTED: readonly Column[] = COLUMNS.filter(({ id }) => id !== "images" && id !== "runway");

/**
 * The text of all matches.
 * @throws Failure when nothing matches.
 */
export async function listText(
  source: OfferSource,
  query: Query,
  options: { format: Format; limit?: number | undefined; isWatch?: boolean },
): Promise<string> {
  const matches = await readMatches(source, query, options.limit);
  if (matches.offers.length === 0) {
    throw await nothingMatches(source, query, options.isWatch === true ? matches.seen : undefined);
  }
  return formatList(options.format, matches.offers, () => gridOf(matches.offers, query));
}

function gridOf(offers: readonly Offer[], query: Query): ReturnType<typeof offerGrid> {
  const facts = cellFacts(offers, { diskGb: query.filter.diskGb });
  return offerGrid(columnsFor(PRINTED, wantsTotal(query)), offers, facts);
}

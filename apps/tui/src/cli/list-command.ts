import { fromMicros, SHORT_ID, type Balance, type ListingQuery, type Offer } from "@gpu-offers/domain";
import {
  isTotalAtLeast,
  cellFacts,
  type CellFacts,
  type Column,
  COLUMNS,
  HIDDEN_AT_FIRST,
  printable,
  totalMicros,
} from "@gpu-offers/list";
import { budgetBalance } from "../catalog/read-source.js";
import type { OfferSource } from "../catalog/offer-source.js";
import { priceNote } from "../catalog/source-notes.js";
import { formatList, gridOf, type Grid, type GridColumn } from "../output/formats.js";
import { headingText, layOut, rowText, columnsFor, wantsTotal } from "../output/layout.js";
import { fieldsOf, recordOf } from "../output/result.js";
import { readMatches, type ScriptTerms } from "./first-command.js";
import type { Flags } from "./flags.js";

/**
 * Columns of printed lists: those that need no account, and no request per provider. The runway is that of a budget. A screen
 * marks what is sold out or unknown; a printed list says it.
 */
const PRINTED: readonly Column[] = COLUMNS.filter(
  ({ id }) => id === "stock" || (id !== "images" && !HIDDEN_AT_FIRST.includes(id)),
);

/** The text of all matches. @throws Failure if nothing matches. */
export async function listText(
  source: OfferSource,
  query: ListingQuery,
  { format = "table", fields, limit, live }: Flags,
  { isWatch, isSampleAllowed, notify }: ScriptTerms,
): Promise<string> {
  const terms = { isWatch, isSampleAllowed: isSampleAllowed || !isWatch, notify };
  const offers = await readMatches(source, query, terms, limit);
  const note = await priceNote(source, offers, live === true);
  if (note !== undefined) {
    notify(note);
  }
  if (format === "table") {
    const { isTTY, columns } = process.stdout;
    return isTTY ? fittedTable(offers, query, columns) : formatList("table", [], () => offerGrid(offers, query));
  }
  const { pricesAsOf } = await source.readAge();
  const { balance, diskGb } = costOf(query);
  const values = offers.map((offer) => {
    const record = recordOf(offer, { diskGb, balance, hours: query.hours, pricesAsOf });
    const row = format === "csv" ? { ...record, ...csvColumns(offer, query) } : record;
    return fields === undefined ? row : fieldsOf(row, fields);
  });
  return formatList(format, values, () => offerGrid(offers, query));
}

/** Derived columns of CSV: whether prices are minimums, the price with the disk. */
function csvColumns(offer: Offer, { disk }: ListingQuery): object {
  const total = disk === undefined ? {} : { total_hourly: fromMicros(totalMicros(offer, disk)) };
  return { ...total, price_is_minimum: isTotalAtLeast(offer, disk) };
}

/** The table as wide as a terminal, with short ids. Columns that don't fit are left out, as on the screen. */
function fittedTable(offers: readonly Offer[], query: ListingQuery, width: number): string {
  const { columns, facts } = printedColumns(offers, query);
  const shorts = offers.map(({ id }) => printable(id.slice(0, SHORT_ID)));
  const ids =
    new Set(shorts).size === new Set(offers.map(({ id }) => id)).size ? shorts : offers.map(({ id }) => printable(id));
  const idWidth = Math.max(...ids.map((id) => id.length));
  const sized = layOut(columns, offers, { facts, width: width - idWidth - 2, sort: query.sort_by });
  const lines = [
    `${headingText(sized, facts, () => "")}  ID`,
    ...offers.map((offer, index) => `${rowText(sized, { offer }, facts)}  ${ids[index]}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** The cells of offers as on the screen, and the id last, for use in scripts. */
function offerGrid(offers: readonly Offer[], query: ListingQuery): Grid {
  const { columns, facts } = printedColumns(offers, query);
  const cells = columns.map(({ title, cell, align }): GridColumn<Offer> => [
    title(facts.diskGb),
    (offer) => cell(offer, facts),
    align,
  ]);
  return gridOf(offers, [...cells, ["ID", ({ id }) => id]]);
}

function printedColumns(
  offers: readonly Offer[],
  query: ListingQuery,
): { columns: readonly Column[]; facts: CellFacts } {
  const { balance, diskGb } = costOf(query);
  const columns = columnsFor(PRINTED, wantsTotal(query), query.sort_by).filter(
    ({ id }) => id !== "runway" || balance !== undefined,
  );
  return { columns, facts: cellFacts(offers, { diskGb, balance }) };
}

/** What the cost of an offer depends on. */
function costOf({ budget, disk }: ListingQuery): { balance: Balance | undefined; diskGb: number | undefined } {
  return { balance: budget === undefined ? undefined : budgetBalance(budget), diskGb: disk };
}

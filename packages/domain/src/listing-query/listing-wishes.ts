import type { ListingQuery } from "./listing-query-schema.js";
import type { ParsedSearch, SearchWishes, Understood } from "../search/search-term.js";

// The words of a query may wish for spot prices, a disk and an order, which also have parameters. A parameter wins.

/** The query with what its words wish for, unless a parameter says otherwise. */
export function withWishes(query: ListingQuery, { spot, diskGb, sortBy, ...wishes }: SearchWishes): ListingQuery {
  return {
    ...query,
    spot: query.spot ?? (spot === true ? "true" : undefined),
    disk: query.disk ?? diskGb,
    sort_by: query.sort_by ?? sortBy,
    budget: query.budget ?? wishes.budgetUsd,
    hours: query.hours ?? wishes.hours,
    fits: query.fits ?? wishes.fits,
  };
}

/** Orders in which the cheapest come first. */
const PRICE_SORTS: ReadonlySet<ListingQuery["sort_by"]> = new Set(["pricePerGpu", "priceHourly", "total", "vramPrice"]);

/** What words were taken for, without wishes that a parameter overrules, such as `cheapest` in a list by GPU count. */
export function heldUnderstood(
  { understood, wishes }: Pick<ParsedSearch, "understood" | "wishes">,
  { sort_by: sortBy = wishes.sortBy, sort_order: order, spot }: Pick<ListingQuery, "sort_by" | "sort_order" | "spot">,
): Understood[] {
  const isOverruled = {
    sortBy: order === "desc" || !PRICE_SORTS.has(sortBy),
    spot: spot !== undefined && (spot !== "false") !== wishes.spot,
  };
  return understood.flatMap(({ text, as, doubt, instead, wish }) =>
    wish !== undefined && isOverruled[wish] ? [] : [{ text, as, doubt, instead }],
  );
}

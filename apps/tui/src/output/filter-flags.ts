import type { ListingParameterName, ListingQuery } from "@gpu-offers/domain";
import { chipOf } from "@gpu-offers/list";
import { flagOf } from "../catalog/refusal.js";

/** Describes what dropping a filter would show. `--first` excludes unavailable offers even without a flag. */
export function withoutText(name: ListingParameterName, query: ListingQuery): string {
  switch (name) {
    case "available":
      return "Unavailable offers";
    case "verified":
      return "With --verified any";
    default:
      return `Without ${flagOf(name)} (${chipOf(name, query)})`;
  }
}

import {
  LISTING_FILTER_NAMES,
  LISTING_PARAMETERS,
  oldKeyOf,
  type FilterKey,
  type OfferFilter,
} from "@gpu-offers/domain";
import { filterChip } from "@gpu-offers/list";

/** The flags that set a filter: `--image, --os, --cuda`. */
export function flagsOfFilter(key: FilterKey): string {
  const names = LISTING_FILTER_NAMES.filter((name) => oldKeyOf(name) === key);
  return names.map((name) => `--${LISTING_PARAMETERS[name].flag}`).join(", ");
}

/** Describes what dropping a filter would show. `--first` excludes unavailable offers even without a flag. */
export function withoutFilter(key: FilterKey, filter: OfferFilter): string {
  return key === "available" ? "Unavailable offers" : `Without ${flagsOfFilter(key)} (${filterChip(key, filter)})`;
}

import { LISTING_PARAMETERS, type ListingParameterName } from "./listing-parameters.js";

// The names of parameters, and which of them set one filter.

/** All names, in the order of documentation. */
// The keys of a literal are the names of its type
export const LISTING_PARAMETER_NAMES = Object.keys(LISTING_PARAMETERS) as ListingParameterName[];

/** The parameters that filter, in the order of documentation. */
export const LISTING_FILTER_NAMES = LISTING_PARAMETER_NAMES.filter((name) => "control" in LISTING_PARAMETERS[name]);

/** Whether a name is that of a parameter. */
export function isListingParameter(name: string): name is ListingParameterName {
  return Object.hasOwn(LISTING_PARAMETERS, name);
}

/** The filter that a parameter sets: `image` for `os` and `cuda`, `budget` for `hours`, else itself. */
export function filterOf(name: ListingParameterName): ListingParameterName {
  const row = LISTING_PARAMETERS[name];
  return "of" in row ? row.of : name;
}

/** All parameters that set a filter. */
export function parametersOf(filter: ListingParameterName): ListingParameterName[] {
  return LISTING_PARAMETER_NAMES.filter((name) => filterOf(name) === filter);
}

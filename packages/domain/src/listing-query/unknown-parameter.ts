import {
  findParameter,
  LISTING_PARAMETERS,
  LISTING_PARAMETER_NAMES,
  type ListingParameterName,
} from "./listing-parameters.js";
import { nearNames } from "../text/near-names.js";

// What is said about a parameter that doesn't exist, on every door.

const PAGING: ReadonlySet<ListingParameterName> = new Set(["page", "size"]);

/** Whether these are parameters of the listing query, which has names on other doors. v1's queries have none. */
function isListingQuery(known: readonly string[]): boolean {
  return LISTING_PARAMETER_NAMES.every((name) => known.includes(name) || PAGING.has(name));
}

/**
 * The parameter that was probably meant: the one that is nearly called so, or that another door calls so. A flag is found
 * with underscores, too: `min_gpus`.
 * @param known names of all parameters of the query.
 */
function nearestParameter(name: string, known: readonly string[]): string | undefined {
  const [nearest] = nearNames(name, known);
  if (nearest !== undefined || !isListingQuery(known)) {
    return nearest;
  }
  return findParameter("flag", name.replaceAll("_", "-")) ?? findParameter("argument", name);
}

/** The same for the arguments of agents. */
export function nearestArgument(name: string, known: readonly string[]): string | undefined {
  const [nearest] = nearNames(name, known);
  const called =
    LISTING_PARAMETER_NAMES.find((one) => one === name) ?? findParameter("flag", name.replaceAll("_", "-"));
  const argument = called === undefined ? undefined : LISTING_PARAMETERS[called].argument;
  return nearest ?? (argument !== undefined && known.includes(argument) ? argument : undefined);
}

/** Why a parameter is invalid that is none of these: a clause that follows its name. */
export function unknownParameter(name: string, known: readonly string[]): string {
  const nearest = nearestParameter(name, known);
  return nearest === undefined ? `is unknown; known are ${known.join(", ")}` : `is unknown; did you mean ${nearest}?`;
}

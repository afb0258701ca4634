import {
  isListingParameter,
  queryOf,
  readParameter,
  withDoorDefaults,
  type ListingParameterName,
  type ListingQuery,
} from "@gpu-offers/domain";

// The address of the page is its query, with the names of `GET /api/v2/listings`; beside them are `offer`, `compare` and `view`.

/** An address that was read. */
export interface Address {
  given: ReadonlyMap<ListingParameterName, string>;
  /** Id of the offer whose details are open. */
  offer?: string | undefined;
  compare?: readonly string[] | undefined;
  /** What the page shows. */
  view: "list" | "gpus";
  /** Since when the view of GPUs shows prices: `90d`. */
  since?: string | undefined;
  /** What is wrong with the address: sentences. */
  problems: readonly string[];
}

/** Maximum number of compared offers. */
export const MAX_COMPARED = 5;

/** Reads the parameters of an address. Unknown names and invalid values are problems, and have no effect. */
export function readAddress(parameters: Iterable<readonly [name: string, text: string]>): Address {
  const given = new Map<ListingParameterName, string>();
  const problems: string[] = [];
  let offer: string | undefined;
  let compare: readonly string[] | undefined;
  let since: string | undefined;
  let view: Address["view"] = "list";
  for (const [name, text] of parameters) {
    if (name === "offer") {
      offer = text === "" ? undefined : text;
    } else if (name === "compare") {
      const ids = [...new Set(text.split(","))].filter((id) => id !== "").slice(0, MAX_COMPARED);
      compare = ids.length === 0 ? undefined : ids;
    } else if (name === "since") {
      since = text;
    } else if (name === "view") {
      view = text === "gpus" ? "gpus" : "list";
      if (text !== "gpus" && text !== "list") {
        problems.push(`view must be list or gpus, not ${quoted(text)}. It is ignored.`);
      }
    } else if (!isListingParameter(name)) {
      problems.push(`There is no parameter ${quoted(name)}. It is ignored.`);
    } else if (given.has(name)) {
      problems.push(`${name} must be given once. The first value holds.`);
    } else if (text !== "" && name !== "size") {
      const read = readParameter(name, text);
      if (read.ok) {
        given.set(name, text);
      } else {
        problems.push(`${name} ${read.reason}, not ${quoted(text)}. It is ignored.`);
      }
    }
  }
  return { given, offer, compare, view, since, problems };
}

/** The typed query of given parameters, with the defaults of doors. */
export function pageQuery(given: Address["given"]): ListingQuery {
  return withDoorDefaults(givenQuery(given));
}

/** The typed query of given parameters alone. */
export function givenQuery(given: Address["given"]): ListingQuery {
  return queryOf(
    Array.from(given).flatMap(([name, text]) => {
      const read = readParameter(name, text);
      return read.ok ? [[name, read.value] as const] : [];
    }),
  );
}

/** JSON of at most 60 characters. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}

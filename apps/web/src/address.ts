import {
  DOOR_DEFAULTS,
  isListingParameter,
  LISTING_PARAMETERS,
  LISTING_PARAMETER_NAMES,
  parameterText,
  queryOf,
  readParameter,
  shellWord,
  withDoorDefaults,
  type ListingParameter,
  type ListingParameterName,
  type ListingQuery,
} from "@gpu-offers/domain";

// The address of the page is its query, with the names of `GET /listings`; beside them are `offer`, `compare` and `view`.

/** What the page shows. */
export type View = "list" | "gpus";

/** An address that was read. */
export interface Address {
  /** Given parameters as texts. */
  given: ReadonlyMap<ListingParameterName, string>;
  /** Id of the offer whose details are open. */
  offer?: string | undefined;
  /** Ids of the compared offers; undefined if the comparison is closed. */
  compare?: readonly string[] | undefined;
  view: View;
  /** What is wrong with the address: sentences. */
  problems: readonly string[];
}

/** Maximum number of compared offers. */
export const MAX_COMPARED = 5;

/** Reads the query of an address. Unknown names and invalid values are problems, and have no effect. */
export function readAddress(search: string): Address {
  const given = new Map<ListingParameterName, string>();
  const problems: string[] = [];
  let offer: string | undefined;
  let compare: readonly string[] | undefined;
  let view: View = "list";
  for (const [name, text] of new URLSearchParams(search)) {
    if (name === "offer") {
      offer = text === "" ? undefined : text;
    } else if (name === "compare") {
      const ids = [...new Set(text.split(","))].filter((id) => id !== "").slice(0, MAX_COMPARED);
      compare = ids.length === 0 ? undefined : ids;
    } else if (name === "view") {
      view = text === "gpus" ? "gpus" : "list";
      if (text !== "gpus" && text !== "list") {
        problems.push(`view must be list or gpus, not ${quoted(text)}. It is ignored.`);
      }
    } else if (!isListingParameter(name)) {
      problems.push(`There is no parameter ${quoted(name)}. It is ignored.`);
    } else if (given.has(name)) {
      problems.push(`${name} must be given once. The first value holds.`);
    } else if (text !== "" && name !== "page" && name !== "size") {
      const read = readParameter(name, text);
      if (read.ok) {
        given.set(name, text);
      } else {
        problems.push(`${name} ${read.reason}, not ${quoted(text)}. It is ignored.`);
      }
    }
  }
  return { given, offer, compare, view, problems };
}

/** The query of an address, from `?` on; empty if there is none. Unreadable parts of the original are gone. */
export function writeAddress({ given, offer, compare, view }: Omit<Address, "problems">): string {
  const params = new URLSearchParams(LISTING_PARAMETER_NAMES.flatMap((name) => pairOf(name, given.get(name))));
  if (view !== "list") {
    params.set("view", view);
  }
  if (compare !== undefined && compare.length > 0) {
    params.set("compare", compare.join(","));
  }
  if (offer !== undefined) {
    params.set("offer", offer);
  }
  return searchOf(params);
}

/** Commas, colons, at signs and, in values, equals signs need no escapes in a query. */
function searchOf(params: URLSearchParams): string {
  const text = params.toString().replace(/%(?:2C|3A|3D|40)/g, decodeURIComponent);
  return text === "" ? "" : `?${text}`;
}

function pairOf(name: ListingParameterName, text: string | undefined): [string, string][] {
  return text === undefined ? [] : [[name, text]];
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

/** The same query as a request, with the defaults of doors written out: it returns the page's list. */
export function requestOf(given: Address["given"]): string {
  const params = LISTING_PARAMETER_NAMES.flatMap((name) => {
    const value = DOOR_DEFAULTS[name];
    return pairOf(name, given.get(name) ?? (value === undefined ? undefined : parameterText(value)));
  });
  return `listings${searchOf(new URLSearchParams(params))}`;
}

/** The same query as a command; undefined if a parameter has no flag. */
export function commandOf(given: Address["given"]): string | undefined {
  const words = ["gpu-offers", "--list"];
  for (const name of LISTING_PARAMETER_NAMES) {
    const text = given.get(name);
    const { flag, kind, off }: ListingParameter = LISTING_PARAMETERS[name];
    if (text === undefined || (kind === "boolean" && text === String(off))) {
      continue;
    }
    if (flag === null || (kind === "boolean" && text === "false")) {
      return undefined;
    }
    words.push(...(kind === "boolean" ? [`--${flag}`] : [`--${flag}`, shellWord(text)]));
  }
  return words.join(" ");
}

/** The given parameters with one set, or removed if the text is blank. */
export function withParameter(given: Address["given"], name: ListingParameterName, text: string): Address["given"] {
  const next = new Map(given);
  if (text.trim() === "") {
    next.delete(name);
  } else {
    next.set(name, text);
  }
  return next;
}

/** JSON of at most 60 characters. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}

import {
  DOOR_DEFAULTS,
  LISTING_PARAMETERS,
  LISTING_PARAMETER_NAMES,
  parameterText,
  shellWord,
  type ListingParameter,
  type ListingParameterName,
} from "@gpu-offers/domain";
import { readAddress as readParameters, type Address } from "@gpu-offers/list";

// Reads and writes the address of the page, and writes its query as a request and as a command.

/** Reads the query of an address. The page shows the whole list, so `page` has no effect. */
export function readAddress(search: string): Address {
  return readParameters([...new URLSearchParams(search)].filter(([name]) => name !== "page"));
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

/** The same query as a request, with the defaults of doors written out: it returns the page's list. */
export function requestOf(given: Address["given"]): string {
  const params = LISTING_PARAMETER_NAMES.flatMap((name) => {
    const value = DOOR_DEFAULTS[name];
    return pairOf(name, given.get(name) ?? (value === undefined ? undefined : parameterText(value)));
  });
  return `api/v2/listings${searchOf(new URLSearchParams(params))}`;
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

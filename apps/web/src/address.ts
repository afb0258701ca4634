import { LISTING_PARAMETER_NAMES } from "@gpu-offers/domain";
import { readAddress as readParameters, type Address } from "@gpu-offers/list";

// Reads and writes the address of the page.

/** Reads the query of an address. The page shows the whole list, so `page` has no effect. */
export function readAddress(search: string): Address {
  return readParameters([...new URLSearchParams(search)].filter(([name]) => name !== "page"));
}

/** The query of an address, from `?` on; empty if there is none. Unreadable parts of the original are gone. */
export function writeAddress({ given, offer, compare = [], view }: Omit<Address, "problems">): string {
  return searchOf([
    ...LISTING_PARAMETER_NAMES.map((name) => [name, given.get(name)] as const),
    ["view", view === "list" ? undefined : view],
    ["compare", compare.length === 0 ? undefined : compare.join(",")],
    ["offer", offer],
  ]);
}

/** A query of what is given. Commas, colons, at signs and, in values, equals signs need no escapes in it. */
export function searchOf(pairs: readonly (readonly [name: string, text: string | undefined])[]): string {
  const params = new URLSearchParams();
  pairs.forEach(([name, value]) => value !== undefined && params.append(name, value));
  const text = params.toString().replace(/%(?:2C|3A|3D|40)/g, decodeURIComponent);
  return text === "" ? "" : `?${text}`;
}

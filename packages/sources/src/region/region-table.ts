import type { Continent } from "@gpu-offers/domain";

/** A location that a text names. The city is empty if the text has none. */
export interface Located {
  /** ISO 3166-1 alpha-2 code. */
  code: string;
  city: string;
  continent?: Continent;
}

/** Parses a text of one form; undefined for any other form. */
export type RegionRule = (text: string) => Located | undefined;

/** ISO 3166-1 alpha-2 code of the country, and city or state as the provider writes it (may be empty). */
export type Place = readonly [countryCode: string, cityState: string];

/** The regions of one provider, by names in lower case. */
export interface RegionTable {
  /** Suffix of a zone or data center that its region's name does not have. */
  suffix: RegExp;
  /** Prefix that the table's names do not have, such as a display name's continent. */
  prefix?: RegExp;
  /** Whether spaces are ignored: `East US 2` is `eastus2`. */
  ignoresSpaces?: boolean;
  places: ReadonlyMap<string, Place>;
  /** Finds zones in a different location than their region. */
  findSite?: RegionRule;
}

/** Places from a line for each: its name, the country, the location. */
export function places(lines: string): ReadonlyMap<string, Place> {
  return new Map(
    lines.split("\n").map((line) => {
      const [name = "", country = "", cityState = ""] = line.split("|");
      return [name, [country, cityState]] as const;
    }),
  );
}

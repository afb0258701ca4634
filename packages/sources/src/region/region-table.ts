import type { Continent } from "@gpu-offers/domain";

/** A place that a text names. The city is empty where it names none. */
export interface Located {
  /** ISO 3166-1 alpha-2 code. */
  readonly code: string;
  readonly city: string;
  readonly continent?: Continent;
}

/** Reads a text of one form; undefined for a text of another. */
export type RegionRule = (text: string) => Located | undefined;

// Tables locate the regions of a provider by public documentation, each with its source. Names are in lower case.

/** ISO 3166-1 alpha-2 code of the country, and city or state in the provider's words (may be empty). */
export type Place = readonly [countryCode: string, cityState: string];

/** The regions of one provider. */
export interface RegionTable {
  /** The public document that states the places. */
  readonly source: string;
  /** End of a zone's or data center's name that its region does not have. */
  readonly suffix: RegExp;
  /** Words before the name that the table does not have, such as a display name's continent. */
  readonly prefix?: RegExp;
  /** Whether spaces mean nothing: `East US 2` is `eastus2`. */
  readonly ignoresSpaces?: boolean;
  readonly places: ReadonlyMap<string, Place>;
  /** Finds zones that lie elsewhere than their region. */
  readonly findSite?: RegionRule;
}

/** One region a line: its name, the country, the place. */
export function places(text: string): ReadonlyMap<string, Place> {
  const lines = text.trim().split("\n");
  return new Map(
    lines.map((line) => {
      const [name = "", country = "", cityState = ""] = line.split("|").map((part) => part.trim());
      return [name, [country, cityState]] as const;
    }),
  );
}

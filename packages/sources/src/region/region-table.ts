// Where the regions of a provider lie whose names do not tell. The tables hold facts of public documentation, each with
// its source. Names are in small letters; a region that is missing is unknown, never guessed.

/** ISO 3166-1 alpha-2 code of the country, and city or state in the provider's words (may be empty). */
export type Place = readonly [countryCode: string, cityState: string];

/** The regions of one provider. */
export interface RegionTable {
  /** The public document that states the places. */
  readonly source: string;
  /** End of a zone's or data center's name that its region does not have. */
  readonly suffix: RegExp;
  readonly places: ReadonlyMap<string, Place>;
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

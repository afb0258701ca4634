import { providerKey, type RegionInfo, UNKNOWN_REGION } from "@gpu-offers/domain";
import { continentOf, countryCodeOf, findCountryCode, regionInCountry } from "./country.js";
import type { Located } from "./place-names.js";
import { continentIn, findStatement, readName } from "./region-grammar.js";
import { REGION_TABLES } from "./region-tables.js";

/** What a row states about its location, as the source writes it. Empty texts count as not stated. */
export interface StatedPlace {
  /** Provider whose region tables and naming rules apply, under any of its names: `aws`, `digitalocean`. */
  provider: string;
  /** Region, as named by the provider. */
  region?: string | undefined;
  /** Finer location within the region, such as an availability zone. */
  zone?: string | undefined;
  /** ISO 3166-1 alpha-2 code of the country, in either case. Any other text is ignored. */
  countryCode?: string | undefined;
  /** Country by its English name or its alpha-3 code. */
  country?: string | undefined;
  /** Continent by its English name or its two-letter code. */
  continent?: string | undefined;
  /** City or state, as it should be displayed. */
  city?: string | undefined;
}

// Longest text that may name a location, as in a published offer. Patterns are not run on longer texts.
const MAX_LENGTH = 200;

/**
 * Locates a row of a source; returns the `regionInfo` of its offer.
 *
 * What the row itself states comes first: its country and continent are never overridden. A region that spells out its
 * country (`US`, `NORWAY-1`, `Michigan, US, NA`) states it, too. Then the provider's region table decides, with the zone
 * before the region, then the provider's naming rules. If none applies, the country is unknown, and so is the continent
 * unless the row or the name of the region states it (`eu-west-3`); see {@link UNKNOWN_REGION}.
 */
export function locate(place: StatedPlace): RegionInfo {
  const region = bounded(place.region);
  const continent = continentOf(bounded(place.continent));
  const tables = providerKey(place.provider);
  // An offer's own region is "region/zone" if the zone alone does not contain the region.
  const [whole = "", part = ""] = region.split("/", 2);
  const texts = [bounded(place.zone), part, region, whole].filter((text) => text !== "");
  const found = [
    findStatement(tables, region) ?? findStatement(tables, whole),
    ...texts.map((text) => findTabled(tables, text)),
    ...texts.map((text) => readName(tables, text)),
  ].filter((located) => located !== undefined);
  const code = countryCodeOf(bounded(place.countryCode)) ?? findCountryCode(bounded(place.country)) ?? found[0]?.code;
  if (code === undefined) {
    const known = continent ?? texts.map(continentIn).find((stated) => stated !== undefined);
    return { ...UNKNOWN_REGION, ...(known !== undefined && { continent: known }) };
  }
  const inCountry = found.filter((located) => located.code === code);
  const city = bounded(place.city) || inCountry.find((located) => located.city !== "")?.city;
  const stated = continent ?? inCountry.find((located) => located.continent !== undefined)?.continent;
  return regionInCountry(code, city ?? "", stated) ?? { ...UNKNOWN_REGION };
}

/** A stated text, trimmed; one too long to name a location is dropped. */
function bounded(text = ""): string {
  return text.length > MAX_LENGTH ? "" : text.trim();
}

function findTabled(tables: string, text: string): Located | undefined {
  const table = REGION_TABLES.get(tables);
  if (table === undefined) {
    return undefined;
  }
  const name = text.toLowerCase().replace(table.prefix ?? "", "");
  const key = table.ignoresSpaces === true ? name.replaceAll(" ", "") : name;
  return table.places.get(key) ?? table.places.get(key.replace(table.suffix, "")) ?? table.findSite?.(text);
}

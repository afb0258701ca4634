import { findCountryName } from "./country.js";
import { findCity, form, type Located, located, type RegionRule } from "./place-names.js";
import { regionForms, regionLines, siteLines } from "./places.facts.js";

// How providers write their regions, which facts/regions.csv locates: facts/region-forms.csv, and the forms of zones here.

interface RegionTable {
  /** Suffix of a zone or data center that its region's name does not have. */
  suffix: RegExp;
  /** Prefix that the table's names do not have, such as a display name's continent. */
  prefix?: RegExp;
  /** Whether spaces are ignored: `East US 2` is `eastus2`. */
  ignoresSpaces?: boolean;
  /** By names in lower case. */
  places: ReadonlyMap<string, Located>;
  /** Finds zones in a different location than their region. */
  findSite: RegionRule | undefined;
}

/** Places from a line for each: its name, the country, the location. */
function places(lines = ""): ReadonlyMap<string, Located> {
  return new Map(
    lines.split("\n").map((line) => {
      const [name = "", code = "", city = ""] = line.split("|");
      return [name, { code, city }] as const;
    }),
  );
}

const AWS_SITES = places(siteLines["aws"]);
const IBM_SITES = places(siteLines["ibm"]);

// Local Zones and Wavelength Zones contain the code of a nearby airport: `us-west-2-lax-1a`, with the zone id
// `usw2-lax1-az1`, and `us-east-1-wl1-bos-wlz-1`, with `use1-wl1-bos-wlz1`. They may be in a different country than their region.
const AWS_ZONE =
  /^(?:[a-z]{2}(?:-[a-z]+)+-\d|[a-z]{2,4}\d)(?:-foe\d?|-wl\d)?-([a-z]{3})(?:-wlz)?-?\d+[a-z]?(?:-az\d+)?$/i;

const findAwsZone = form(AWS_ZONE, (airport) => AWS_SITES.get(airport.toLowerCase()));

// Directions as zone ids abbreviate them. Source: https://docs.aws.amazon.com/ram/latest/userguide/working-with-az-ids.html
const COMPASS: Readonly<Record<string, string>> = { c: "central", e: "east", n: "north", s: "south", w: "west" };

/** `use1-az4`: the id of a zone of us-east-1; `usgw1-az1` of us-gov-west-1. */
const findAwsZoneId = form(/^([a-z]{2})(g?)(c|e|ne|nw|n|se|s|w)(\d)-az\d+$/i, (...groups) => {
  const [area, isGov, letters = "", number] = groups.map((group) => group.toLowerCase());
  const direction = Array.from(letters, (letter) => COMPASS[letter]).join("");
  return placesOf("aws").get(`${area}${isGov === "" ? "" : "-gov"}-${direction}-${number}`);
});

/**
 * Locates an entry of the price list: `US East (N. Virginia)`, `Canada (Central)`, `US West (Los Angeles)`,
 * `US East (Verizon) - Boston`. A city within it is also looked up among those of the regions.
 */
const findAwsLocation = form(/^([^()]+) \(([^()]+)\)(?: - (.+))?$/, (area, inner, carrierCity) => {
  const name = (carrierCity || inner).replace(/ \d+$/, "");
  const country = findCountryName(area) ?? findCountryName(area.replace(/ (?:North|South|East|West|Central)$/, ""));
  const [known, ...others] = [...placesOf("aws").values()].filter(
    ({ code, city }) => city === name && (country === undefined || code === country),
  );
  return others.length === 0 && known !== undefined
    ? known
    : (findCity(name) ?? located(country ?? findCountryName(name)));
});

// The retail price list writes regions in reverse order (`US East 2`, `EU West`), with abbreviated geographies.
// `*` stands for the direction.
const RETAIL_GEOGRAPHIES: ReadonlyMap<string, string> = new Map(
  `ae uae*|ap *asia|at austria*|au australia*|be belgium*|br brazil*|ca canada*|ch switzerland*|cl chile*|
de germany*|dk denmark*|es spain*|eu *europe|fr france*|id indonesia*|il israel*|in *india|it italy*|
ja japan*|kr korea*|mx mexico*|my malaysia*|no norway*|nz newzealand*|pl poland*|qa qatar*|se sweden*|uk uk*|
us *us|za southafrica*`
    .split(/\|\n?/)
    .map((entry) => [entry.slice(0, 2), entry.slice(3)] as const),
);

/** `US East 2` of the retail price list. Source: `location` of https://prices.azure.com/api/retail/prices. */
const findAzureRetailName = form(/^([a-z]{2}) ([a-z ]+?) ?(\d?)$/i, (geography, direction, number) => {
  const name = RETAIL_GEOGRAPHIES.get(geography.toLowerCase());
  const key = name?.replace("*", direction.toLowerCase().replaceAll(" ", ""));
  return key === undefined ? undefined : placesOf("azure").get(`${key}${number}`);
});

/** Finds zones in a different location than their region. */
const SITES: Readonly<Record<string, RegionRule>> = {
  aws: (text) => findAwsZone(text) ?? findAwsZoneId(text) ?? findAwsLocation(text),
  azure: findAzureRetailName,
  // Data centers of classic infrastructure and Power: `dal10`, `mon1`.
  ibm: form(/^([a-z]{3})\d{1,2}$/i, (letters) => IBM_SITES.get(letters.toLowerCase())),
  // `Uocm:US-ASHBURN-AD-1`: an availability domain of us-ashburn-1, with a prefix of the tenancy.
  oci: form(/^(?:[a-z]{4}:)?([a-z-]+)-ad-\d$/i, (city) => placesOf("oci").get(`${city.toLowerCase()}-1`)),
};

/** Region tables by provider, under the name from {@link providerKey}. */
export const REGION_TABLES: ReadonlyMap<string, RegionTable> = new Map(
  Object.entries(regionLines).map(([provider, lines]) => [
    provider,
    { suffix: /$/, ...regionForms.get(provider), places: places(lines), findSite: SITES[provider] },
  ]),
);

/** Regions of a provider and their places. */
export function placesOf(provider: string): ReadonlyMap<string, Located> {
  return REGION_TABLES.get(provider)?.places ?? new Map();
}

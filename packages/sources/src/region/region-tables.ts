import { findCity } from "./cities.js";
import { findCountryName } from "./country.js";
import { regionLines, siteLines } from "./places.facts.js";
import { type Located, type Place, places, type RegionTable } from "./region-table.js";

// How providers write their regions, which facts/regions.csv locates.

/** What differs from the default, a provider whose regions are written as in the table. */
const FORMS: Readonly<Record<string, Omit<Partial<RegionTable>, "places">>> = {
  alibaba: { suffix: /-?[a-z]$/ },
  aws: {
    suffix: /[a-z]$/,
    findSite: (text) => findAwsZone(text) ?? findAwsZoneId(text) ?? findAwsLocation(text, placesOf("aws").values()),
  },
  azure: {
    // Display names in the portal start with their geography: `(US) East US`.
    prefix: /^\([^)]*\) ?/,
    ignoresSpaces: true,
    suffix: /-[1-3]$|stage$|stg$|euap$/,
    findSite: findAzureRetailName,
  },
  civo: { suffix: /\d$/ },
  coreweave: { suffix: /[a-z]$/ },
  crusoe: { suffix: /-[a-z]$/ },
  do: { suffix: /\d+$/ },
  exoscale: { suffix: /-\d$/ },
  // AI zones (`us-central1-ai1a`) belong to the region that their name starts with.
  gcp: { suffix: /-(?:ai\d+)?[a-z]$/ },
  genesis: { suffix: /-\d+$/ },
  hetzner: { suffix: /-dc\d+$/ },
  ibm: { suffix: /-\d$/, findSite: findIbmDataCenter },
  jarvislabs: { suffix: /-?\d+$/ },
  latitude: { suffix: /\d+$/ },
  linode: { suffix: /-\d+$/ },
  oci: { suffix: /-ad-\d$/, findSite: findOciDomain },
  ovh: {
    // Local zones: `EU-WEST-LZ-BRU-A`.
    prefix: /^[a-z]{2}-[a-z]+-(?=lz-)/,
    suffix: /-?\d+(?:-[a-z])?$|-[a-z]$|-sto$/,
  },
  scaleway: { suffix: /-\d+$/ },
  verda: { suffix: /-\d+$/ },
};

/** Region tables by provider, under the name from {@link providerKey}. */
export const REGION_TABLES: ReadonlyMap<string, RegionTable> = new Map(
  Object.entries(regionLines).map(([provider, lines]) => [
    provider,
    { suffix: /$/, ...FORMS[provider], places: places(lines) },
  ]),
);

/** Regions of a provider and their places. */
export function placesOf(provider: string): ReadonlyMap<string, Place> {
  return REGION_TABLES.get(provider)?.places ?? new Map();
}

const AWS_SITES = places(siteLines["aws"] ?? "");
const IBM_SITES = places(siteLines["ibm"] ?? "");

function locatedAt(table: ReadonlyMap<string, Place>, name: string): Located | undefined {
  const place = table.get(name);
  return place && { code: place[0], city: place[1] };
}

// Local Zones and Wavelength Zones contain the code of a nearby airport: `us-west-2-lax-1a`, with the zone id
// `usw2-lax1-az1`, and `us-east-1-wl1-bos-wlz-1`, with `use1-wl1-bos-wlz1`.
const AWS_ZONE =
  /^(?:[a-z]{2}(?:-[a-z]+)+-\d|[a-z]{2,4}\d)(?:-foe\d?|-wl\d)?-([a-z]{3})(?:-wlz)?-?\d+[a-z]?(?:-az\d+)?$/;

/** Locates a local or wavelength zone by its name or id; it may be in a different country than its region. */
function findAwsZone(text: string): Located | undefined {
  return locatedAt(AWS_SITES, AWS_ZONE.exec(text.toLowerCase())?.[1] ?? "");
}

// Directions as zone ids abbreviate them. Source: https://docs.aws.amazon.com/ram/latest/userguide/working-with-az-ids.html
const DIRECTIONS: Readonly<Record<string, string>> = {
  c: "central",
  e: "east",
  n: "north",
  ne: "northeast",
  nw: "northwest",
  s: "south",
  se: "southeast",
  w: "west",
};

/** `use1-az4`: the id of a zone of us-east-1; `usgw1-az1` of us-gov-west-1. */
function findAwsZoneId(text: string): Located | undefined {
  const [, area = "", isGov = "", direction = "", number = ""] =
    /^([a-z]{2})(g?)(c|e|ne|nw|n|se|s|w)(\d)-az\d+$/.exec(text.toLowerCase()) ?? [];
  return locatedAt(placesOf("aws"), `${area}${isGov === "" ? "" : "-gov"}-${DIRECTIONS[direction] ?? ""}-${number}`);
}

/**
 * Locates an entry of the price list: `US East (N. Virginia)`, `Canada (Central)`, `US West (Los Angeles)`,
 * `US East (Verizon) - Boston`. A city within it is also looked up among those of the regions.
 */
function findAwsLocation(text: string, regions: Iterable<Place>): Located | undefined {
  const [, area = "", inner = "", carrierCity] = /^([^()]+) \(([^()]+)\)(?: - (.+))?$/.exec(text) ?? [];
  if (inner === "") {
    return undefined;
  }
  const name = (carrierCity ?? inner).replace(/ \d+$/, "");
  const country = findCountryName(area) ?? findCountryName(area.replace(/ (?:North|South|East|West|Central)$/, ""));
  const named = [...regions].filter(([code, city]) => city === name && (country === undefined || code === country));
  if (named.length === 1 && named[0] !== undefined) {
    return { code: named[0][0], city: named[0][1] };
  }
  const code = country ?? findCountryName(name);
  return findCity(name) ?? (code === undefined ? undefined : { code, city: "" });
}

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
function findAzureRetailName(text: string): Located | undefined {
  const [, geography = "", direction = "", number = ""] = /^([a-z]{2}) ([a-z ]+?) ?(\d?)$/i.exec(text) ?? [];
  const name = RETAIL_GEOGRAPHIES.get(geography.toLowerCase())?.replace(
    "*",
    direction.toLowerCase().replaceAll(" ", ""),
  );
  return name === undefined ? undefined : locatedAt(placesOf("azure"), `${name}${number}`);
}

/** `Uocm:US-ASHBURN-AD-1`: an availability domain of us-ashburn-1, with a prefix of the tenancy. */
function findOciDomain(text: string): Located | undefined {
  const [, city = ""] = /^(?:[a-z]{4}:)?([a-z-]+)-ad-\d$/i.exec(text) ?? [];
  return locatedAt(placesOf("oci"), `${city.toLowerCase()}-1`);
}

/** Data centers of IBM's classic infrastructure and Power: `dal10`, `mon1`. */
function findIbmDataCenter(text: string): Located | undefined {
  const [, letters = ""] = /^([a-z]{3})\d{1,2}$/i.exec(text) ?? [];
  return locatedAt(IBM_SITES, letters.toLowerCase());
}

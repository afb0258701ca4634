import { findCity } from "./cities.js";
import { findCountryName } from "./country.js";
import type { Located, Place } from "./region-table.js";

// Local Zones and Wavelength Zones of AWS contain the code of a nearby airport: `us-west-2-lax-1a`, with the zone id
// `usw2-lax1-az1`, and `us-east-1-wl1-bos-wlz-1`, with `use1-wl1-bos-wlz1`.
// Sources: https://docs.aws.amazon.com/local-zones/latest/ug/available-local-zones.html and
// https://docs.aws.amazon.com/wavelength/latest/developerguide/available-wavelength-zones.html

const LOCAL_ZONE =
  /^(?:[a-z]{2}(?:-[a-z]+)+-\d|[a-z]{2,4}\d)(?:-foe\d?|-wl\d)?-([a-z]{3})(?:-wlz)?-?\d+[a-z]?(?:-az\d+)?$/;

/** Locates a local or wavelength zone by its name or id; it may be in a different country than its region. */
export function findAwsLocalZone(text: string): Located | undefined {
  return sites.get(LOCAL_ZONE.exec(text.toLowerCase())?.[1] ?? "");
}

/**
 * Locates an entry of the price list: `US East (N. Virginia)`, `Canada (Central)`, `US West (Los Angeles)`,
 * `US East (Verizon) - Boston`. A city within it is also looked up among those of the regions.
 */
export function findAwsLocation(text: string, regions: Iterable<Place>): Located | undefined {
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

const SITES = `
akl NZ Auckland
atl US Atlanta
ber DE Berlin
bkk TH Bangkok
bna US Nashville
bos US Boston
bue AR Buenos Aires
ccu IN Kolkata
chi US Chicago
cjj KR Daejeon
clt US Charlotte
cph DK Copenhagen
del IN Delhi
den US Denver
dfw US Dallas
dtm DE Dortmund
dus DE Düsseldorf
dtw US Detroit
ham DE Hamburg
han VN Hanoi
hel FI Helsinki
hnl US Honolulu
iah US Houston
kix JP Osaka
las US Las Vegas
lax US Los Angeles
lim PE Lima
lon GB London
los NG Lagos
man GB Manchester
mci US Kansas City
mct OM Muscat
mia US Miami
mnl PH Manila
msp US Minneapolis
muc DE Munich
nbo KE Nairobi
nrt JP Tokyo
nyc US New York
per AU Perth
phl US Philadelphia
phx US Phoenix
pdx US Portland
qro MX Querétaro
scl CL Santiago
sea US Seattle
sel KR Seoul
sfo US San Francisco
slc US Salt Lake City
tpa US Tampa
tpe TW Taipei
waw PL Warsaw
was US Washington D.C.
yto CA Toronto
`;

const sites: ReadonlyMap<string, Located> = new Map(
  SITES.trim()
    .split("\n")
    .map((line) => [line.slice(0, 3), { code: line.slice(4, 6), city: line.slice(7) }] as const),
);

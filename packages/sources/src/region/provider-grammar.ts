import { countryCodeOf, findCountryCode, findCountryName } from "./country.js";
import { form, located, type RegionRule, showCity, US_STATES } from "./place-names.js";

// Abbreviations of regions, by the provider known to use them. For others, the same letters mean something else:
// `LA1` is Los Angeles, not Laos, and `FRA` Frankfurt, not France.

/** `US`, `SA`: always a country. */
const isoCode = form(/^([A-Z]{2})$/, (letters) => located(countryCodeOf(letters)));

/** `Quebec, CA`, `, US`. */
const placeAndCode = form(/^([^,]*), ?([A-Z]{2})$/, (city, letters) => located(countryCodeOf(letters), city));

/** `US-KS-2`, `CA-MTL-1`, `EU-SE-1`, `EUR-IS-1`. */
const dataCenter = form(/^([A-Z]{2,3})-([A-Z]{2,3})-\d+$/, (area, part) => {
  if (area === "US") {
    return located("US", US_STATES.get(part));
  }
  return area === "CA" ? located("CA", part === "MTL" ? "Montreal" : "") : located(countryCodeOf(part));
});

/** `no-luster-1`; not `us-east-1`. */
const codeCityNumber = form(/^([a-z]{2})-(?!north|south|east|west|mid|central)([a-z]{3,})-\d+$/, (letters, city) =>
  located(countryCodeOf(letters), showCity(city)),
);

/** `de-fra-2`: the country and the airport. */
const codeAndSite = form(/^([a-z]{2})-[a-z]{2,3}(?:-?\d+)?$/i, (letters) => located(countryCodeOf(letters)));

/** `eu-iceland1-a`, `eu-norway1-SFD`: a part of the world and a country. */
const areaAndCountry = form(/^[a-z]{2}-([a-z]{4,})\d+(?:-[a-z]{1,3})?$/i, (country) =>
  located(findCountryCode(country)),
);

/** `us-east-nc-nr-1`: a country, a part of it, and in the USA the state. */
const codePartState = form(
  /^(?!af|as|eu|me|na|sa)([a-z]{2})-(?:north|south|east|west|mid|central)[a-z]*-(?:([a-z]{2})-)?\w+(?:-\d+)?$/,
  (letters, state) => located(countryCodeOf(letters), letters === "us" ? US_STATES.get(state.toUpperCase()) : ""),
);

/**
 * `malaysiasouth`, `southeastus3`, `taiwannorthwest`: every region of Azure is a country and a direction, in either order.
 * Source: https://learn.microsoft.com/azure/reliability/regions-list.
 */
const countryAndDirections: RegionRule = (text) => azureName(text.toLowerCase().replaceAll(" ", ""));

const DIRECTION = "(?:north|south|east|west|central)";
const azureName = form(
  new RegExp(`^${DIRECTION}*?([a-z]{2,}?)${DIRECTION}+\\d?$|^${DIRECTION}+([a-z]{2,})\\d?$`),
  (before, after) => located(findCountryName(before) ?? findCountryName(after)),
);

/** Forms in which a provider's region is or contains the ISO code of its country. */
export const STATEMENT_RULES: ReadonlyMap<string, readonly RegionRule[]> = new Map([
  // Country codes of the API's countryCodes.
  ["runpod", [isoCode]],
  // The country of GET /availability.
  ["primeintellect", [isoCode]],
  // `geolocation` of the API; SkyPilot adds the continent.
  ["vast", [isoCode, placeAndCode]],
  // `country_code` of GET /nodes.
  ["lium", [isoCode]],
]);

/** Forms in which a provider abbreviates locations. */
export const NAME_RULES: ReadonlyMap<string, readonly RegionRule[]> = new Map([
  // `cn-wulanchabu`, `cn-hangzhou-i`: every region that starts like this, except Hong Kong, is in China.
  ["alibaba", [form(/^cn-(?!hongkong\b)([a-z]+)(?:-\d)?(?:-[a-z])?$/, (name) => located("CN", showCity(name)))]],
  ["azure", [countryAndDirections]],
  ["cloudrift", [codePartState]],
  ["crusoe", [areaAndCountry]],
  ["cudo", [codeCityNumber]],
  // `US-1`, `no1`.
  ["hyperstack", [form(/^([a-z]{2})-?\d+$/i, (letters) => located(countryCodeOf(letters)))]],
  ["linode", [codeAndSite]],
  ["mithril", [areaAndCountry]],
  // An aggregator: it includes the data centers of RunPod, Cudo and others.
  ["primeintellect", [dataCenter, codeCityNumber]],
  ["runpod", [dataCenter]],
  ["scaleway", [codeAndSite]],
  ["seeweb", [codeAndSite]],
  // Samsung Cloud Platform, whose regions are all in South Korea: `KOREA-WEST-1-SCP-B001`, `KOREA_WEST-MAZ-SCP-B001`.
  ["scp", [form(/^korea[-_](?:north|south|east|west|central)[-_]/i, () => located("KR"))]],
  // UpCloud, whose key drops its "cloud": fi-hel1.
  ["up", [codeAndSite]],
  // `FIN-03`: an ISO 3166-1 alpha-3 code.
  ["verda", [form(/^([A-Z]{3})-\d+$/, (letters) => located(findCountryCode(letters)))]],
]);

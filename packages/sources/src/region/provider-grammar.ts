import { countryCodeOf, findCountryCode, findCountryName } from "./country.js";
import { showCity } from "./cities.js";
import type { Located, RegionRule } from "./region-table.js";
import { US_STATES } from "./us-states.js";

// Abbreviations of regions, by the provider known to use them. For others, the same letters mean something else:
// `LA1` is Los Angeles, not Laos, and `FRA` Frankfurt, not France.

/** Forms in which a provider's region is or contains the ISO code of its country. */
export function statementRules(provider: string): readonly RegionRule[] {
  return STATEMENT_RULES.get(provider) ?? [];
}

/** Forms in which a provider abbreviates locations. */
export function nameRules(provider: string): readonly RegionRule[] {
  return NAME_RULES.get(provider) ?? [];
}

const STATEMENT_RULES: ReadonlyMap<string, readonly RegionRule[]> = new Map([
  // Country codes of the API's countryCodes.
  ["runpod", [isoCode]],
  // The country of GET /availability.
  ["primeintellect", [isoCode]],
  // `geolocation` of the API; SkyPilot adds the continent.
  ["vast", [isoCode, placeAndCode]],
  // `country_code` of GET /nodes.
  ["lium", [isoCode]],
]);

const NAME_RULES: ReadonlyMap<string, readonly RegionRule[]> = new Map([
  ["alibaba", [chinesePart]],
  ["azure", [countryAndDirections]],
  ["cloudrift", [codePartState]],
  ["crusoe", [areaAndCountry]],
  ["cudo", [codeCityNumber]],
  ["hyperstack", [numberedCode]],
  ["linode", [codeAndSite]],
  ["mithril", [areaAndCountry]],
  // An aggregator: it includes the data centers of RunPod, Cudo and others.
  ["primeintellect", [dataCenter, codeCityNumber]],
  ["runpod", [dataCenter]],
  ["scaleway", [codeAndSite]],
  ["seeweb", [codeAndSite]],
  // Samsung Cloud Platform, whose regions are all in South Korea.
  ["scp", [koreanPart]],
  // UpCloud, whose key drops its "cloud": fi-hel1.
  ["up", [codeAndSite]],
  ["verda", [alpha3Number]],
]);

/** Names of the providers that have rules here. */
export const PROVIDERS_WITH_GRAMMAR: readonly string[] = [...STATEMENT_RULES.keys(), ...NAME_RULES.keys()];

/** `US`, `SA`: always a country. */
function isoCode(text: string): Located | undefined {
  const code = /^[A-Z]{2}$/.test(text) ? countryCodeOf(text) : undefined;
  return code === undefined ? undefined : { code, city: "" };
}

/** `Quebec, CA`, `, US`. */
function placeAndCode(text: string): Located | undefined {
  const [, city = "", letters = ""] = /^([^,]*), ?([A-Z]{2})$/.exec(text) ?? [];
  const code = countryCodeOf(letters);
  return letters === "" || code === undefined ? undefined : { code, city };
}

/** `US-KS-2`, `CA-MTL-1`, `EU-SE-1`, `EUR-IS-1`. */
function dataCenter(text: string): Located | undefined {
  const [, area = "", part = ""] = /^([A-Z]{2,3})-([A-Z]{2,3})-\d+$/.exec(text) ?? [];
  if (area === "US") {
    return { code: "US", city: US_STATES.get(part) ?? "" };
  }
  if (area === "CA") {
    return { code: "CA", city: part === "MTL" ? "Montreal" : "" };
  }
  const code = area === "" ? undefined : countryCodeOf(part);
  return code === undefined ? undefined : { code, city: "" };
}

// Words for a part of a country, in the position of a city.
const PART = /^(?:north|south|east|west|mid|central)/;

/** `no-luster-1`; not `us-east-1`. */
function codeCityNumber(text: string): Located | undefined {
  const [, letters = "", city = ""] = /^([a-z]{2})-([a-z]{3,})-\d+$/.exec(text) ?? [];
  if (PART.test(city)) {
    return undefined;
  }
  const code = countryCodeOf(letters);
  return letters === "" || code === undefined ? undefined : { code, city: showCity(city) };
}

/** `KOREA-WEST-1-SCP-B001`, `KOREA_WEST-MAZ-SCP-B001`. */
function koreanPart(text: string): Located | undefined {
  return /^korea[-_](?:north|south|east|west|central)[-_]/i.test(text) ? { code: "KR", city: "" } : undefined;
}

/**
 * `malaysiasouth`, `southeastus3`, `taiwannorthwest`: every region of Azure is a country and a direction, in either order.
 * Source: https://learn.microsoft.com/azure/reliability/regions-list.
 */
function countryAndDirections(text: string): Located | undefined {
  const name = text.toLowerCase().replaceAll(" ", "");
  const direction = "(?:north|south|east|west|central)";
  const [, before, after] =
    new RegExp(`^${direction}*?([a-z]{2,}?)${direction}+\\d?$|^${direction}+([a-z]{2,})\\d?$`).exec(name) ?? [];
  const code = [before, after].map((country) => findCountryName(country ?? "")).find((found) => found !== undefined);
  return code === undefined ? undefined : { code, city: "" };
}

/** `de-fra-2`: the country and the airport. */
function codeAndSite(text: string): Located | undefined {
  const [, letters = ""] = /^([a-z]{2})-[a-z]{2,3}(?:-?\d+)?$/.exec(text.toLowerCase()) ?? [];
  const code = countryCodeOf(letters);
  return letters === "" || code === undefined ? undefined : { code, city: "" };
}

/** `cn-wulanchabu`, `cn-hangzhou-i`: every region of Alibaba Cloud that starts like this, except Hong Kong, is in China. */
function chinesePart(text: string): Located | undefined {
  const [, name = ""] = /^cn-([a-z]+)(?:-\d)?(?:-[a-z])?$/.exec(text) ?? [];
  return name === "" || name === "hongkong" ? undefined : { code: "CN", city: showCity(name) };
}

/** `us-east-nc-nr-1`: a country, a part of it, and in the USA the state. */
function codePartState(text: string): Located | undefined {
  const [, letters = "", state = ""] =
    /^([a-z]{2})-(?:north|south|east|west|mid|central)[a-z]*-(?:([a-z]{2})-)?\w+(?:-\d+)?$/.exec(text) ?? [];
  const isContinent = /^(?:af|as|eu|me|na|sa)$/.test(letters);
  const code = letters === "" || isContinent ? undefined : countryCodeOf(letters);
  const city = code === "US" ? (US_STATES.get(state.toUpperCase()) ?? "") : "";
  return code === undefined ? undefined : { code, city };
}

/** `eu-iceland1-a`, `eu-norway1-SFD`: a part of the world and a country. */
function areaAndCountry(text: string): Located | undefined {
  const [, country = ""] = /^[a-z]{2}-([a-z]{4,})\d+(?:-[a-z]{1,3})?$/i.exec(text) ?? [];
  const code = findCountryCode(country);
  return code === undefined ? undefined : { code, city: "" };
}

/** `US-1`, `no1`. */
function numberedCode(text: string): Located | undefined {
  const [, letters = ""] = /^([a-z]{2})-?\d+$/i.exec(text) ?? [];
  const code = countryCodeOf(letters);
  return code === undefined ? undefined : { code, city: "" };
}

/** `FIN-03`: an ISO 3166-1 alpha-3 code. */
function alpha3Number(text: string): Located | undefined {
  const [, letters = ""] = /^([A-Z]{3})-\d+$/.exec(text) ?? [];
  const code = findCountryCode(letters);
  return code === undefined ? undefined : { code, city: "" };
}

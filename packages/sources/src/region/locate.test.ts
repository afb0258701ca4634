import { CONTINENTS, UNKNOWN_REGION } from "@gpu-offers/domain";
import { continents, countries } from "countries-list";
import * as fc from "fast-check";
import { anyText } from "@gpu-offers/domain/offer.fixture";
import { describe, expect, test } from "vitest";
import { regionInCountry } from "./country.js";
import { locate } from "./locate.js";
import { REGION_TABLES } from "./region-tables.js";

/** Country and location as one text: `US Kansas`. */
function told(provider: string, region: string, zone?: string): string {
  const { countryCode, cityState } = locate({ provider, region, zone });
  return `${countryCode} ${cityState}`.trim();
}

describe("a region", () => {
  test.each([
    ["aws", "us-east-1", "US N. Virginia"],
    ["aws", "us-east-1/use1-az4", "US N. Virginia"],
    ["aws", "us-east-1b", "US N. Virginia"],
    ["aws", "sa-east-1", "BR São Paulo"],
    ["aws", "af-south-1", "ZA Cape Town"],
    ["aws", "eu-west-1", "IE"],
    ["azure", "westus3", "US Phoenix"],
    ["azure", "northeurope", "IE"],
    ["azure", "eastus-2", "US Virginia"],
    ["gcp", "us-central1", "US Iowa"],
    ["gcp", "us-central1-a", "US Iowa"],
    ["gcp", "me-central2", "SA Dammam"],
    ["oci", "sa-saopaulo-1", "BR Sao Paulo"],
    ["cudo", "no-luster-1", "NO Luster"],
    ["cudo", "us-newyork-1", "US New York"],
    ["cudo", "gb-london-1", "GB London"],
    ["do", "nyc3", "US New York City"],
    ["digitalocean", "tor1", "CA Toronto"],
    ["fluidstack", "CANADA", "CA"],
    ["fluidstack", "FINLAND", "FI"],
    ["lambda", "me-west-1", "IL"],
    ["lambda", "europe-south-1", "IT"],
    ["lambda", "asia-northeast-1", "JP Osaka"],
    ["lambdalabs", "us-midwest-1", "US Illinois"],
    ["paperspace", "East Coast (NY2)", "US New York"],
    ["hyperstack", "NORWAY-1", "NO"],
    ["hyperstack", "US-1", "US"],
    ["runpod", "CA", "CA"],
    ["runpod", "CZ", "CZ"],
    ["runpod", "SA", "SA"],
    ["runpod", "US-KS-2", "US Kansas"],
    ["runpod", "US-ZZ-2", "US"],
    ["runpod", "CA-MTL-1", "CA Montreal"],
    ["runpod", "CA-TOR-1", "CA"],
    ["runpod", "EUR-IS-1", "IS"],
    ["runpod", "SEA-SG-1", "SG"],
    ["runpod", "OC-AU-1", "AU"],
    ["shadeform", "kansascity-usa-1", "US Kansas City"],
    ["shadeform", "calgary-canada-1", "CA Calgary"],
    ["shadeform", "warsaw-poland-1", "PL Warsaw"],
    ["shadeform", "london-unitedkingdom-2", "GB London"],
    ["vast", "Michigan, US, NA", "US Michigan"],
    ["vast", ", US, NA", "US"],
    ["vast", "Moldova, Republic of, MD", "MD"],
    ["somebody", "Moldova, Republic of, MD", "MD"],
    ["somebody", "ap-singapore-2", "SG"],
    ["somebody", "europe-finland-1", "FI"],
    ["alicloud", "ap-southeast-1", "SG"],
    ["aliyun", "cn-hangzhou", "CN Hangzhou"],
    ["genesiscloud", "NORD-NO-KRS-1", "NO Kristiansand"],
    ["oblivus", "OSL1", "NO Oslo"],
    ["koyeb", "fra", "DE Frankfurt"],
    ["latitude", "SIN", "SG"],
    ["vast", "France, FR, EU", "FR"],
    ["vast", "Hafnarfjarðarkaupstaður, IS, EU", "IS Hafnarfjarðarkaupstaður"],
    ["vast", "Georgia, US, NA", "US Georgia"],
    ["vast", ", CN, AS", "CN"],
    ["vast.ai", "Taichung City, TW, AS", "TW Taichung City"],
    ["verda", "FIN-03", "FI"],
    ["verda", "ICE-01", "IS"],
    ["datacrunch", "FIN-01", "FI"],
    ["vultr", "ewr", "US New Jersey"],
    ["nebius", "eu-north1", "FI"],
    ["crusoe", "us-east1-a", "US Virginia"],
    ["scaleway", "fr-par-2", "FR Paris"],
    ["ovh", "GRA11", "FR Gravelines"],
    ["ovh", "EU-WEST-PAR", "FR Paris"],
    ["primeintellect", "us-midwest-1", "US"],
    ["primeintellect", "us-south-1", "US"],
    ["primeintellect", "no-luster-1", "NO Luster"],
    ["scp", "KOREA-WEST-1-SCP-B001", "KR"],
    ["scp", "KOREA-WEST-MAZ-SCP-B001", "KR"],
    ["tensordock", "US", "US"],
    ["aws", "US East (N. Virginia)", "US N. Virginia"],
    ["aws", "EU (Ireland)", "IE"],
    ["aws", "Europe (Frankfurt)", "DE Frankfurt"],
    ["aws", "Canada (Central)", "CA Central"],
    ["aws", "Mexico (Central)", "MX Central"],
    ["aws", "Canada West (Calgary)", "CA Calgary"],
    ["aws", "AWS GovCloud (US-West)", "US US-West"],
    ["aws", "US West (Los Angeles)", "US Los Angeles"],
    ["aws", "US East (Verizon) - Boston", "US Boston"],
    ["aws", "Middle East (UAE)", "AE"],
    ["aws", "Argentina (Buenos Aires)", "AR Buenos Aires"],
    ["amazon-web-services", "cn-north-1", "CN Beijing"],
    ["aws", "us-gov-west-1", "US US-West"],
    ["azure", "East US 2", "US Virginia"],
    ["azure", "(US) East US 2", "US Virginia"],
    ["azure", "US East 2", "US Virginia"],
    ["azure", "EU West", "NL"],
    ["azure", "UK South", "GB London"],
    ["azure", "JA East", "JP Tokyo, Saitama"],
    ["azure", "DE West Central", "DE Frankfurt"],
    ["azure", "chinanorth3", "CN Hebei"],
    ["azure", "usgovvirginia", "US Virginia"],
    ["azure", "US Gov Virginia", "US Virginia"],
    ["azure", "malaysiawest", "MY Kuala Lumpur"],
    ["gcp", "us-central1-ai1a", "US Iowa"],
    ["gcp", "asia-southeast3-b", "TH Bangkok"],
    ["oci", "Uocm:US-ASHBURN-AD-1", "US Ashburn"],
    ["oci", "us-langley-1", "US Ashburn"],
    ["oci", "eu-dcc-rating-1", "DE Ratingen"],
    ["ibm", "eu-de-2", "DE Frankfurt"],
    ["ibm-cloud", "dal10", "US Dallas"],
    ["hetzner", "fsn1-dc14", "DE Falkenstein"],
    ["coreweave", "US-EAST-04A", "US Virginia"],
    ["coreweave", "EU-NORTH-02A", "NO Kristiansand"],
    ["coreweave", "LGA1", "US New York"],
    ["seeweb", "it-fr2", "IT Frosinone"],
    ["seeweb", "it-mi2", "IT Milan"],
    ["seeweb", "it-to1", "IT"],
    ["latitude.sh", "FRA2", "DE Frankfurt"],
    ["linode", "de-fra-2", "DE Frankfurt"],
    ["akamai", "us-ord", "US Chicago"],
    ["linode", "ap-west", "IN Mumbai"],
    ["linode", "pt-lis-1", "PT"],
    ["ovhcloud", "EU-WEST-LZ-BRU-A", "BE Brussels"],
    ["ovh", "BHS5", "CA Beauharnois"],
    ["crusoe", "eu-sweden1-a", "SE"],
    ["nebius", "uk-south1", "GB"],
    ["verda", "ISR-01", "IL"],
    ["primeintellect", "EUR-IS-1", "IS"],
    ["somebody", "norway", "NO"],
    ["somebody", "United Kingdom", "GB"],
    ["somebody", "UK-2", "GB"],
    ["somebody", "GB-2", "GB"],
    ["somebody", "us-east-1", "US"],
    ["somebody", "DE", "DE"],
    ["somebody", "US-1", "US"],
    ["somebody", "US-GA-1", "US Georgia"],
    ["somebody", "CA-QC-2", "CA Quebec"],
    ["somebody", "dallas-usa-1", "US Dallas"],
    ["somebody", "NO - no-kristiansand-1", "NO Kristiansand"],
    ["somebody", "US, Wichita, KS", "US Wichita, KS"],
    ["somebody", "Frankfurt, Germany", "DE Frankfurt"],
    ["somebody", "Miami, FL", "US Miami, FL"],
    ["somebody", "San Jose, CA", "US San Jose"],
    ["somebody", "San Jose, CA, US", "US San Jose, CA"],
    ["somebody", "Toronto, CA", "CA Toronto"],
    ["somebody", "Atlanta, Georgia", "US Atlanta"],
    ["somebody", "frankfurt-1", "DE Frankfurt"],
    ["somebody", "ca-sanjose-1", "US San Jose"],
    ["somebody", "sa-saopaulo-1", "BR São Paulo"],
    ["somebody", "Texas", "US Texas"],
    ["somebody", "us-texas-1", "US Texas"],
    ["somebody", "new-mexico-1", "US New Mexico"],
    ["somebody", "south-korea-1", "KR"],
    ["vast", "Quebec, CA", "CA Quebec"],
    ["vast", "San Jose, CA", "CA San Jose"],
    ["vast", ", US", "US"],
    ["vast", "The Netherlands, NL", "NL"],
    ["aws", "us-east-1/us-east-1-bue-1a", "AR Buenos Aires"],
    ["aws", "us-east-99", "US"],
    ["aws", "use1-az4", "US N. Virginia"],
    ["alibaba", "cn-wulanchabu", "CN Wulanchabu"],
    ["alibaba", "cn-hangzhou-i", "CN Hangzhou"],
    ["alibaba", "cn-hongkong-b", "HK"],
    ["cloudrift", "us-east-nc-nr-1", "US North Carolina"],
    ["cloudrift", "us-west-1", "US"],
    ["mithril", "eu-norway1-SFD", "NO"],
    ["upcloud", "fi-hel1", "FI"],
    ["ovh", "GRA-STO", "FR Gravelines"],
    ["aws", "apne2-az1", "KR Seoul"],
    ["aws", "usgw1-az2", "US US-West"],
    ["azure", "finlandcentral", "FI"],
    ["azure", "greececentral", "GR"],
    ["azure", "malaysiasouth", "MY"],
    ["azure", "southeastus3", "US"],
    ["azure", "northeastus5", "US"],
    ["azure", "taiwannorthwest", "TW"],
    ["azure", "saudiarabiawest", "SA"],
    ["azure", "uaesouth", "AE"],
    ["azure", "Israel Northwest", "IL"],
    ["ovh", "PAR", "FR Paris"],
    ["ovh", "MUM1", "IN Mumbai"],
    ["ovh", "YYZ", "CA Toronto"],
    ["ibm", "mon1", "CA Montreal"],
    ["hyperstack", "ca1", "CA"],
    ["hyperstack", "no1", "NO"],
    ["jarvislabs", "IN1", "IN"],
    ["jarvislabs", "EU1", "FI"],
    ["jarvislabs", "india-noida-01", "IN Noida"],
    ["fluidstack", "norway_4_eu", "NO"],
    ["fluidstack", "generic_1_canada", "CA"],
    ["fluidstack", "new_york_1_usa", "US New York"],
    ["fluidstack", "texas_2_usa", "US Texas"],
    ["fluidstack", "frankfurt_1_germany", "DE Frankfurt"],
    ["scp", "KOREA_WEST-MAZ-SCP-B001", "KR"],
    ["hyperbolic", "jp-east-1", "JP"],
    ["hyperbolic", "uk-southeast-3", "GB"],
    ["hyperbolic", "ca-east-1", "CA"],
    ["gpuai", "india-south", "IN"],
    ["somebody", "Europe-PL", "PL"],
    ["somebody", "North America-CA", "CA"],
    ["somebody", "Asia-JP", "JP"],
    ["shadeform", "hongkong-china-1", "HK"],
    ["shadeform", "shanghai-china-1", "CN Shanghai"],
    ["somebody", "Hong Kong", "HK"],
    ["somebody", "london-uk-1", "GB London"],
    ["somebody", "singapore-sg-1", "SG"],
    ["somebody", "oslo-no-2", "NO Oslo"],
    ["somebody", "san-jose-ca-1", "US San Jose"],
  ])("of %s, %j, is in %s", (provider, region, expected) => {
    expect(told(provider, region)).toBe(expected);
  });

  test.each([
    ["runpod", "US", "US-KS-2", "US Kansas"],
    ["latitude", "Germany", "FRA", "DE Frankfurt"],
    ["latitude", "United Kingdom", "LON2", "GB London"],
    ["latitude", "Germany", "LON", "DE"],
    ["somebody", "DE", "FRA", "DE"],
    ["vultr", "DE", "cdg", "DE"],
    ["aws", "us-west-2", "us-west-2-lax-1a", "US Los Angeles"],
    ["aws", "us-west-2", "usw2-lax1-az1", "US Los Angeles"],
    ["aws", "us-east-1", "us-east-1-bue-1a", "AR Buenos Aires"],
    ["aws", "us-east-1", "us-east-1-wl1-bos-wlz-1", "US Boston"],
    ["runpod", "SE", "EU-SE-1", "SE"],
    ["runpod", "NO", "somewhere new", "NO"],
    ["aws", "us-east-1", "use1-az4", "US N. Virginia"],
    ["azure", "eastus", "1", "US Virginia"],
  ])("of %s, %j with the zone %j, is in %s", (provider, region, zone, expected) => {
    expect(told(provider, region, zone)).toBe(expected);
  });

  test.each([
    ["hyperbolic", "default"],
    ["somebody", "me-west-1"],
    ["somebody", "LA1"],
    ["somebody", "VA1"],
    ["somebody", "IL1"],
    ["somebody", "GA1"],
    ["somebody", "LA-1"],
    ["somebody", "VA"],
    ["somebody", "FR2"],
    ["somebody", "SE-2"],
    ["somebody", "FRA"],
    ["somebody", "FRA-1"],
    ["somebody", "Georgia"],
    ["somebody", "georgia-1"],
    ["somebody", "foo-georgia-1"],
    ["somebody", "Portland"],
    ["somebody", "de-london-1"],
    ["somebody", "no-luster-x"],
    ["vast", "somewhere"],
    ["somebody", "SA"],
    ["somebody", "can-1"],
    ["somebody", ""],
    ["somebody", "XX, QQ, NA"],
    ["somebody", "__proto__"],
    ["__proto__", "constructor"],
    ["somebody", "ap-southeast-9"],
    ["somebody", "la-south-2"],
    ["somebody", "va-east-1"],
    ["somebody", "il-central-1"],
    ["somebody", "oslo-se-1"],
    ["somebody", "springfield-ma-1"],
    ["cudo", "xx-nowhere-1"],
    ["shadeform", "atlantis-nowhere-1"],
    ["runpod", "EU-QQ-1"],
  ])("of %s, %j, is unknown rather than guessed", (provider, region) => {
    expect(locate({ provider, region })).toEqual(UNKNOWN_REGION);
  });

  test.each([
    ["somebody", "eu-west-1", "Europe"],
    ["somebody", "EU-1", "Europe"],
    ["somebody", "NA-1", "North America"],
    ["aws", "eu-east-99", "Europe"],
    ["nebius", "eu-west2", "Europe"],
    ["gpuai", "eu-east", "Europe"],
    ["somebody", "Western Europe", "Europe"],
    ["gpuai", "asia-pacific", "Asia"],
    ["azure", "southeastasia3", "Asia"],
    ["azure", "northeurope2", "Europe"],
    ["gcp", "asia-southeast9-a", "Asia"],
    ["somebody", "North America", "North America"],
    ["somebody", "southamerica-north1", "South America"],
  ])("of %s, %j, has the continent that it states, and no country", (provider, region, continent) => {
    expect(locate({ provider, region })).toEqual({ ...UNKNOWN_REGION, continent });
  });

  test("has the continent that its row states, if that is all that is known", () => {
    expect(locate({ provider: "somebody", region: "site 4", continent: "EU" })).toEqual({
      ...UNKNOWN_REGION,
      continent: "Europe",
    });
  });

  test("has the continent and the English name of its country", () => {
    expect(locate({ provider: "hyperstack", region: "NORWAY-1" })).toEqual({
      countryCode: "NO",
      countryName: "Norway",
      cityState: "",
      continent: "Europe",
    });
    expect(locate({ provider: "runpod", region: "TR" })).toMatchObject({ countryName: "Türkiye", continent: "Asia" });
  });

  test("keeps the country, continent and city that the row states, despite tables and rules", () => {
    expect(locate({ provider: "aws", region: "us-east-1", countryCode: "de" })).toEqual({
      countryCode: "DE",
      countryName: "Germany",
      cityState: "",
      continent: "Europe",
    });
    expect(locate({ provider: "lium", region: "RU" }).continent).toBe("Europe");
    expect(locate({ provider: "vast", region: "St. Petersburg, RU, EU" })).toEqual({
      countryCode: "RU",
      countryName: "Russia",
      cityState: "St. Petersburg",
      continent: "Europe",
    });
    expect(locate({ provider: "lium", country: "united_states", region: "18", city: "Reston" })).toMatchObject({
      countryCode: "US",
      cityState: "Reston",
    });
    expect(locate({ provider: "x", countryCode: "TR", continent: "EU" })).toMatchObject({ continent: "Europe" });
    expect(locate({ provider: "x", countryCode: "QQ", region: "Norway" })).toMatchObject({ countryCode: "NO" });
  });

  test("is a new object each time if unknown, so that changes don't affect other offers", () => {
    expect(locate({ provider: "somebody", region: "?" })).not.toBe(locate({ provider: "somebody", region: "?" }));
  });

  test("of any length is located or unknown immediately", () => {
    const started = performance.now();
    for (const provider of ["ovh", "vast", "shadeform", "runpod"]) {
      expect(locate({ provider, region: `${"1".repeat(1_000_000)}x` })).toEqual(UNKNOWN_REGION);
      expect(locate({ provider, region: "-1".repeat(500_000), zone: ", ".repeat(500_000) })).toEqual(UNKNOWN_REGION);
    }
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test("has an unknown country, or a country with its name and continent, for any text", () => {
    const providers = fc.constantFrom(...REGION_TABLES.keys(), "vast", "cudo", "runpod", "shadeform", "other");
    const places = [...CONTINENTS, UNKNOWN_REGION.continent];
    fc.assert(
      fc.property(providers, anyText(), fc.option(fc.string()), (provider, region, zone) => {
        const info = locate({ provider, region, zone: zone ?? undefined });
        expect(places).toContain(info.continent);
        expect(info.countryCode === "ZZ").toBe(info.countryName === "Unknown");
        expect(info.countryCode === "ZZ" || info.continent !== "Unknown").toBe(true);
      }),
      { seed: 20_261_120 },
    );
  });
});

describe("the tables of regions", () => {
  test("contain existing countries and lower-case names", () => {
    for (const { places } of REGION_TABLES.values()) {
      for (const [name, { code, city }] of places) {
        expect(name).toBe(name.toLowerCase());
        expect(regionInCountry(code, city)).toBeDefined();
      }
    }
  });

  test("spell continents like the domain", () => {
    expect(Object.values(continents).toSorted()).toEqual([...CONTINENTS].toSorted());
    expect(Object.keys(countries)).not.toContain("ZZ");
  });
});

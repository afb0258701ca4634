import { places, type Located, type RegionTable } from "./region-table.js";

export const azure: RegionTable = {
  source:
    "Azure regions list, https://learn.microsoft.com/azure/reliability/regions-list; " +
    "Azure in China, https://learn.microsoft.com/azure/china/overview-datacenter; " +
    "Azure Government, https://learn.microsoft.com/azure/azure-government/documentation-government-overview-dod",
  // Display names in the portal start with their geography: `(US) East US`.
  prefix: /^\([^)]*\) ?/,
  ignoresSpaces: true,
  suffix: /-[1-3]$|stage$|stg$|euap$/,
  places: places(`
    attatlanta1|US|Atlanta
    attdallas1|US|Dallas
    attdetroit1|US|Detroit
    attnewyork1|US|New York
    australiacentral2|AU|Canberra
    australiacentral|AU|Canberra
    australiaeast|AU|New South Wales
    australiasoutheast|AU|Victoria
    austriaeast|AT|Vienna
    belgiumcentral|BE|Brussels
    brazilsoutheast|BR|Rio
    brazilsouth|BR|Sao Paulo State
    canadacentral|CA|Toronto
    canadaeast|CA|Quebec
    centralindia|IN|Pune
    centralus|US|Iowa
    chilecentral|CL|Santiago
    chinaeast2|CN|Shanghai
    chinaeast3|CN|Jiangsu
    chinaeast|CN|Shanghai
    chinanorth2|CN|Beijing
    chinanorth3|CN|Hebei
    chinanorth|CN|Beijing
    denmarkeast|DK|Copenhagen
    eastasia|HK|Hong Kong
    eastus2|US|Virginia
    eastus|US|Virginia
    francecentral|FR|Paris
    francesouth|FR|Marseille
    germanycentral|DE|Frankfurt
    germanynortheast|DE|
    germanynorth|DE|Berlin
    germanywestcentral|DE|Frankfurt
    indiasouthcentral|IN|Hyderabad
    indonesiacentral|ID|Jakarta
    israelcentral|IL|Israel
    italynorth|IT|Milan
    japaneast|JP|Tokyo, Saitama
    japanwest|JP|Osaka
    jioindiacentral|IN|Nagpur
    jioindiawest|IN|Jamnagar
    koreacentral|KR|Seoul
    koreasouth|KR|Busan
    losangeles|US|Los Angeles
    malaysiawest|MY|Kuala Lumpur
    mexicocentral|MX|Querétaro State
    newzealandnorth|NZ|Auckland
    northcentralus|US|Illinois
    northeurope|IE|Ireland
    norwayeast|NO|Norway
    norwaywest|NO|Norway
    polandcentral|PL|Warsaw
    qatarcentral|QA|Doha
    saudiarabiaeast|SA|
    sgxsingapore1|SG|
    southafricanorth|ZA|Johannesburg
    southafricawest|ZA|Cape Town
    southcentralus|US|Texas
    southeastasia|SG|Singapore
    southeastus|US|Georgia
    southindia|IN|Chennai
    spaincentral|ES|Madrid
    swedencentral|SE|Gävle
    swedensouth|SE|
    switzerlandnorth|CH|Zurich
    switzerlandwest|CH|Geneva
    taiwannorth|TW|Taipei
    uaecentral|AE|Abu Dhabi
    uaenorth|AE|Dubai
    uksouth|GB|London
    ukwest|GB|Cardiff
    usdodcentral|US|Iowa
    usdodeast|US|Virginia
    usgovarizona|US|Arizona
    usgoviowa|US|Iowa
    usgovtexas|US|Texas
    usgovvirginia|US|Virginia
    usnateast|US|
    usnatwest|US|
    usseceast|US|
    ussecwestcentral|US|
    ussecwest|US|
    westcentralus|US|Wyoming
    westeurope|NL|Netherlands
    westindia|IN|Mumbai
    westus2|US|Washington
    westus3|US|Phoenix
    westus|US|California
  `),
  findSite: findRetailName,
};

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
function findRetailName(text: string): Located | undefined {
  const [, geography = "", direction = "", number = ""] = /^([a-z]{2}) ([a-z ]+?) ?(\d?)$/i.exec(text) ?? [];
  const name = RETAIL_GEOGRAPHIES.get(geography.toLowerCase())?.replace(
    "*",
    direction.toLowerCase().replaceAll(" ", ""),
  );
  const place = name === undefined ? undefined : azure.places.get(`${name}${number}`);
  return place && { code: place[0], city: place[1] };
}

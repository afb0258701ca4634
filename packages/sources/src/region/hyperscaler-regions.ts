import { findAwsLocalZone, findAwsLocation } from "./aws-local-zones.js";
import { places, type Located, type RegionTable } from "./region-table.js";

// Regions of general-purpose clouds.

export const aws: RegionTable = {
  // Announced regions are on https://aws.amazon.com/about-aws/global-infrastructure/: Saudi Arabia and Chile.
  source: "AWS Regions, https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-regions.html",
  suffix: /[a-z]$/,
  places: places(`
    af-south-1|ZA|Cape Town
    ap-east-1|HK|Hong Kong
    ap-east-2|TW|Taipei
    ap-northeast-1|JP|Tokyo
    ap-northeast-2|KR|Seoul
    ap-northeast-3|JP|Osaka
    ap-south-1|IN|Mumbai
    ap-south-2|IN|Hyderabad
    ap-southeast-1|SG|Singapore
    ap-southeast-2|AU|Sydney
    ap-southeast-3|ID|Jakarta
    ap-southeast-4|AU|Melbourne
    ap-southeast-5|MY|Malaysia
    ap-southeast-6|NZ|New Zealand
    ap-southeast-7|TH|Thailand
    ca-central-1|CA|Central
    ca-west-1|CA|Calgary
    cn-north-1|CN|Beijing
    cn-northwest-1|CN|Ningxia
    eu-central-1|DE|Frankfurt
    eu-central-2|CH|Zurich
    eu-north-1|SE|Stockholm
    eu-south-1|IT|Milan
    eu-south-2|ES|Spain
    eu-west-1|IE|Ireland
    eu-west-2|GB|London
    eu-west-3|FR|Paris
    eusc-de-east-1|DE|Brandenburg
    il-central-1|IL|Tel Aviv
    me-central-1|AE|
    me-south-1|BH|Bahrain
    me-west-1|SA|
    mx-central-1|MX|Central
    sa-east-1|BR|São Paulo
    sa-west-1|CL|
    us-east-1|US|N. Virginia
    us-east-2|US|Ohio
    us-gov-east-1|US|US-East
    us-gov-west-1|US|US-West
    us-iso-east-1|US|US ISO East
    us-iso-west-1|US|US ISO West
    us-isob-east-1|US|US ISOB East
    us-isob-west-1|US|US ISOB West
    us-isof-east-1|US|US ISOF East
    us-isof-south-1|US|US ISOF South
    us-west-1|US|N. California
    us-west-2|US|Oregon
  `),
  findSite: (text) => findAwsLocalZone(text) ?? findAwsZoneId(text) ?? findAwsLocation(text, aws.places.values()),
};

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
  const region = `${area}${isGov === "" ? "" : "-gov"}-${DIRECTIONS[direction] ?? ""}-${number}`;
  const place = aws.places.get(region);
  return place && { code: place[0], city: place[1] };
}

export const gcp: RegionTable = {
  source: "Google Cloud regions and zones, https://cloud.google.com/compute/docs/regions-zones",
  // AI zones (`us-central1-ai1a`) belong to the region that their name starts with.
  suffix: /-(?:ai\d+)?[a-z]$/,
  places: places(`
    africa-south1|ZA|Johannesburg
    asia-east1|TW|Changhua County
    asia-east2|HK|Hong Kong
    asia-northeast1|JP|Tokyo
    asia-northeast2|JP|Osaka
    asia-northeast3|KR|Seoul
    asia-south1|IN|Mumbai
    asia-south2|IN|Delhi
    asia-southeast1|SG|Jurong West
    asia-southeast2|ID|Jakarta
    asia-southeast3|TH|Bangkok
    australia-southeast1|AU|Sydney
    australia-southeast2|AU|Melbourne
    europe-central2|PL|Warsaw
    europe-north1|FI|Hamina
    europe-north2|SE|Stockholm
    europe-southwest1|ES|Madrid
    europe-west1|BE|St. Ghislain
    europe-west10|DE|Berlin
    europe-west12|IT|Turin
    europe-west2|GB|London
    europe-west3|DE|Frankfurt
    europe-west4|NL|Eemshaven
    europe-west6|CH|Zurich
    europe-west8|IT|Milan
    europe-west9|FR|Paris
    me-central1|QA|Doha
    me-central2|SA|Dammam
    me-west1|IL|Tel Aviv
    northamerica-northeast1|CA|Montréal
    northamerica-northeast2|CA|Toronto
    northamerica-south1|MX|Querétaro
    southamerica-east1|BR|São Paulo
    southamerica-west1|CL|Santiago
    us-central1|US|Iowa
    us-central2|US|Oklahoma
    us-east1|US|South Carolina
    us-east4|US|Virginia
    us-east5|US|Ohio
    us-east7|US|Alabama
    us-south1|US|Texas
    us-west1|US|Oregon
    us-west2|US|California
    us-west3|US|Utah
    us-west4|US|Nevada
  `),
};

export const oci: RegionTable = {
  source: "OCI regions and availability domains, https://docs.oracle.com/iaas/Content/General/Concepts/regions.htm",
  suffix: /-ad-\d$/,
  places: places(`
    af-casablanca-1|MA|Casablanca
    af-johannesburg-1|ZA|Johannesburg
    ap-batam-1|ID|Batam
    ap-chiyoda-1|JP|Chiyoda
    ap-chuncheon-1|KR|Chuncheon
    ap-dcc-canberra-1|AU|Canberra
    ap-dcc-gazipur-1|BD|Gazipur
    ap-delhi-1|IN|Delhi
    ap-hobsonville-1|NZ|Hobsonville
    ap-hyderabad-1|IN|Hyderabad
    ap-ibaraki-1|JP|Ibaraki
    ap-kulai-1|MY|Kulai
    ap-kulai-2|MY|Kulai
    ap-melbourne-1|AU|Melbourne
    ap-mumbai-1|IN|Mumbai
    ap-osaka-1|JP|Osaka
    ap-seoul-1|KR|Seoul
    ap-seoul-2|KR|Seoul
    ap-silverdale-1|NZ|Silverdale
    ap-singapore-1|SG|Singapore
    ap-singapore-2|SG|Singapore
    ap-suwon-1|KR|Suwon
    ap-sydney-1|AU|Sydney
    ap-tokyo-1|JP|Tokyo
    ca-montreal-1|CA|Montreal
    ca-toronto-1|CA|Toronto
    eu-amsterdam-1|NL|Amsterdam
    eu-crissier-1|CH|Crissier
    eu-dcc-dublin-1|IE|Dublin
    eu-dcc-dublin-2|IE|Dublin
    eu-dcc-milan-1|IT|Milan
    eu-dcc-milan-2|IT|Milan
    eu-dcc-rating-1|DE|Ratingen
    eu-dcc-rating-2|DE|Ratingen
    eu-dcc-zurich-1|CH|Zurich
    eu-frankfurt-1|DE|Frankfurt
    eu-frankfurt-2|DE|Frankfurt
    eu-jovanovac-1|RS|Jovanovac
    eu-madrid-1|ES|Madrid
    eu-madrid-2|ES|Madrid
    eu-madrid-3|ES|Madrid
    eu-marseille-1|FR|Marseille
    eu-milan-1|IT|Milan
    eu-paris-1|FR|Paris
    eu-stockholm-1|SE|Stockholm
    eu-turin-1|IT|Turin
    eu-zurich-1|CH|Zurich
    il-jerusalem-1|IL|Jerusalem
    me-abudhabi-1|AE|Abu Dhabi
    me-abudhabi-2|AE|Abu Dhabi
    me-abudhabi-3|AE|Abu Dhabi
    me-abudhabi-4|AE|Abu Dhabi
    me-dcc-doha-1|QA|Doha
    me-dcc-muscat-1|OM|Muscat
    me-dubai-1|AE|Dubai
    me-jeddah-1|SA|Jeddah
    me-riyadh-1|SA|Riyadh
    mx-monterrey-1|MX|Monterrey
    mx-queretaro-1|MX|Queretaro
    sa-bogota-1|CO|Bogota
    sa-santiago-1|CL|Santiago
    sa-saopaulo-1|BR|Sao Paulo
    sa-valparaiso-1|CL|Valparaiso
    sa-vinhedo-1|BR|Vinhedo
    uk-cardiff-1|GB|Newport
    uk-gov-cardiff-1|GB|Newport
    uk-gov-london-1|GB|London
    uk-london-1|GB|London
    us-ashburn-1|US|Ashburn
    us-chicago-1|US|Chicago
    us-dallas-1|US|Dallas
    us-gov-ashburn-1|US|Ashburn
    us-gov-chicago-1|US|Chicago
    us-gov-phoenix-1|US|Phoenix
    us-langley-1|US|Ashburn
    us-luke-1|US|Phoenix
    us-newark-1|US|Newark
    us-phoenix-1|US|Phoenix
    us-saltlake-2|US|Salt Lake City
    us-sanjose-1|US|San Jose
    us-somerset-1|US|Somerset
    us-thames-1|US|Thames
  `),
  findSite: findOciDomain,
};

/** `Uocm:US-ASHBURN-AD-1`: an availability domain of us-ashburn-1, with a prefix of the tenancy. */
function findOciDomain(text: string): Located | undefined {
  const [, city = ""] = /^(?:[a-z]{4}:)?([a-z-]+)-ad-\d$/i.exec(text) ?? [];
  const place = oci.places.get(`${city.toLowerCase()}-1`);
  return place && { code: place[0], city: place[1] };
}

export const ibm: RegionTable = {
  source: "IBM Cloud region and data center locations, https://cloud.ibm.com/docs/overview?topic=overview-locations",
  suffix: /-\d$/,
  places: places(`
    au-syd|AU|Sydney
    br-sao|BR|São Paulo
    ca-mon|CA|Montreal
    ca-tor|CA|Toronto
    eu-de|DE|Frankfurt
    eu-es|ES|Madrid
    eu-fr2|FR|Paris
    eu-gb|GB|London
    in-che|IN|Chennai
    in-mum|IN|Mumbai
    jp-osa|JP|Osaka
    jp-tok|JP|Tokyo
    us-east|US|Washington DC
    us-south|US|Dallas
  `),
  findSite: findIbmDataCenter,
};

const IBM_SITES = places(`
  ams|NL|Amsterdam
  che|IN|Chennai
  dal|US|Dallas
  fra|DE|Frankfurt
  hkg|HK|Hong Kong
  lon|GB|London
  mad|ES|Madrid
  mil|IT|Milan
  mon|CA|Montreal
  osa|JP|Osaka
  osl|NO|Oslo
  par|FR|Paris
  sao|BR|São Paulo
  sjc|US|San Jose
  sng|SG|
  syd|AU|Sydney
  tok|JP|Tokyo
  tor|CA|Toronto
  wdc|US|Washington DC
`);

/** Data centers of IBM's classic infrastructure and Power: `dal10`, `mon1`. */
function findIbmDataCenter(text: string): Located | undefined {
  const [, letters = ""] = /^([a-z]{3})\d{1,2}$/i.exec(text) ?? [];
  const place = IBM_SITES.get(letters.toLowerCase());
  return place && { code: place[0], city: place[1] };
}

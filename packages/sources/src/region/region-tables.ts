// Where the regions of providers lie whose names do not tell. Facts of public documentation, each table
// with its source. Names are in small letters; a region that is missing here is unknown, never guessed.

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
function places(text: string): ReadonlyMap<string, Place> {
  const lines = text.trim().split("\n");
  return new Map(
    lines.map((line) => {
      const [name = "", country = "", cityState = ""] = line.split("|").map((part) => part.trim());
      return [name, [country, cityState]] as const;
    }),
  );
}

const aws: RegionTable = {
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
    il-central-1|IL|Tel Aviv
    me-central-1|AE|
    me-south-1|BH|Bahrain
    mx-central-1|MX|Central
    sa-east-1|BR|São Paulo
    us-east-1|US|N. Virginia
    us-east-2|US|Ohio
    us-gov-east-1|US|US-East
    us-gov-west-1|US|US-West
    us-west-1|US|N. California
    us-west-2|US|Oregon
  `),
};

const azure: RegionTable = {
  source: "Azure regions list, https://learn.microsoft.com/azure/reliability/regions-list",
  suffix: /-[1-3]$/,
  places: places(`
    australiacentral|AU|Canberra
    australiacentral2|AU|Canberra
    australiaeast|AU|New South Wales
    australiasoutheast|AU|Victoria
    austriaeast|AT|Vienna
    belgiumcentral|BE|Brussels
    brazilsouth|BR|Sao Paulo State
    brazilsoutheast|BR|Rio
    canadacentral|CA|Toronto
    canadaeast|CA|Quebec
    centralindia|IN|Pune
    centralus|US|Iowa
    chilecentral|CL|Santiago
    eastasia|HK|Hong Kong
    eastus|US|Virginia
    eastus2|US|Virginia
    francecentral|FR|Paris
    francesouth|FR|Marseille
    germanynorth|DE|Berlin
    germanywestcentral|DE|Frankfurt
    indonesiacentral|ID|Jakarta
    israelcentral|IL|Israel
    italynorth|IT|Milan
    japaneast|JP|Tokyo, Saitama
    japanwest|JP|Osaka
    jioindiacentral|IN|Nagpur
    jioindiawest|IN|Jamnagar
    koreacentral|KR|Seoul
    koreasouth|KR|Busan
    malaysiawest|MY|Kuala Lumpur
    mexicocentral|MX|Querétaro State
    newzealandnorth|NZ|Auckland
    northcentralus|US|Illinois
    northeurope|IE|Ireland
    norwayeast|NO|Norway
    norwaywest|NO|Norway
    polandcentral|PL|Warsaw
    qatarcentral|QA|Doha
    southafricanorth|ZA|Johannesburg
    southafricawest|ZA|Cape Town
    southcentralus|US|Texas
    southeastasia|SG|Singapore
    southindia|IN|Chennai
    spaincentral|ES|Madrid
    swedencentral|SE|Gävle
    swedensouth|SE|
    switzerlandnorth|CH|Zurich
    switzerlandwest|CH|Geneva
    uaecentral|AE|Abu Dhabi
    uaenorth|AE|Dubai
    uksouth|GB|London
    ukwest|GB|Cardiff
    westcentralus|US|Wyoming
    westeurope|NL|Netherlands
    westindia|IN|Mumbai
    westus|US|California
    westus2|US|Washington
    westus3|US|Phoenix
  `),
};

const gcp: RegionTable = {
  source: "Google Cloud regions and zones, https://cloud.google.com/compute/docs/regions-zones",
  suffix: /-[a-f]$/,
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
    us-east1|US|South Carolina
    us-east4|US|Virginia
    us-east5|US|Ohio
    us-south1|US|Texas
    us-west1|US|Oregon
    us-west2|US|California
    us-west3|US|Utah
    us-west4|US|Nevada
  `),
};

const oci: RegionTable = {
  source: "OCI regions and availability domains, https://docs.oracle.com/iaas/Content/General/Concepts/regions.htm",
  suffix: /-ad-\d$/,
  places: places(`
    af-johannesburg-1|ZA|Johannesburg
    ap-chuncheon-1|KR|Chuncheon
    ap-hyderabad-1|IN|Hyderabad
    ap-melbourne-1|AU|Melbourne
    ap-mumbai-1|IN|Mumbai
    ap-osaka-1|JP|Osaka
    ap-seoul-1|KR|Seoul
    ap-singapore-1|SG|Singapore
    ap-singapore-2|SG|Singapore
    ap-sydney-1|AU|Sydney
    ap-tokyo-1|JP|Tokyo
    ca-montreal-1|CA|Montreal
    ca-toronto-1|CA|Toronto
    eu-amsterdam-1|NL|Amsterdam
    eu-frankfurt-1|DE|Frankfurt
    eu-madrid-1|ES|Madrid
    eu-marseille-1|FR|Marseille
    eu-milan-1|IT|Milan
    eu-paris-1|FR|Paris
    eu-stockholm-1|SE|Stockholm
    eu-zurich-1|CH|Zurich
    il-jerusalem-1|IL|Jerusalem
    me-abudhabi-1|AE|Abu Dhabi
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
    uk-london-1|GB|London
    us-ashburn-1|US|Ashburn
    us-chicago-1|US|Chicago
    us-phoenix-1|US|Phoenix
    us-sanjose-1|US|San Jose
  `),
};

const lambda: RegionTable = {
  source: "Region descriptions of the Lambda Cloud API, https://docs.lambda.ai/api/cloud",
  suffix: /$/,
  places: places(`
    asia-northeast-1|JP|Osaka
    asia-northeast-2|JP|Tokyo
    asia-south-1|IN|
    australia-east-1|AU|Sydney
    australia-southeast-1|AU|
    europe-central-1|DE|
    europe-south-1|IT|
    me-west-1|IL|
    us-east-1|US|Virginia
    us-east-2|US|Washington D.C.
    us-east-3|US|Washington D.C.
    us-midwest-1|US|Illinois
    us-south-1|US|Texas
    us-south-2|US|North Texas
    us-south-3|US|Central Texas
    us-west-1|US|California
    us-west-2|US|Arizona
    us-west-3|US|Utah
  `),
};

const digitalocean: RegionTable = {
  source: "DigitalOcean regional availability, https://docs.digitalocean.com/platform/regional-availability/",
  suffix: /\d+$/,
  places: places(`
    ams|NL|Amsterdam
    atl|US|Atlanta
    blr|IN|Bangalore
    fra|DE|Frankfurt
    lon|GB|London
    nyc|US|New York City
    ric|US|Richmond
    sfo|US|San Francisco
    sgp|SG|Singapore
    syd|AU|Sydney
    tor|CA|Toronto
  `),
};

const paperspace: RegionTable = {
  source: "Paperspace regions, https://docs.digitalocean.com/products/paperspace/machines/details/availability/",
  suffix: /$/,
  places: places(`
    east coast (ny2)|US|New York
    west coast (ca1)|US|California
    europe (ams1)|NL|Amsterdam
    ny2|US|New York
    ca1|US|California
    ams1|NL|Amsterdam
  `),
};

const vultr: RegionTable = {
  source: "Vultr regions, https://api.vultr.com/v2/regions",
  suffix: /$/,
  places: places(`
    ams|NL|Amsterdam
    atl|US|Atlanta
    blr|IN|Bangalore
    bom|IN|Mumbai
    cdg|FR|Paris
    del|IN|Delhi NCR
    dfw|US|Dallas
    ewr|US|New Jersey
    fra|DE|Frankfurt
    hnl|US|Honolulu
    icn|KR|Seoul
    itm|JP|Osaka
    jnb|ZA|Johannesburg
    lax|US|Los Angeles
    lhr|GB|London
    mad|ES|Madrid
    man|GB|Manchester
    mel|AU|Melbourne
    mex|MX|Mexico City
    mia|US|Miami
    nrt|JP|Tokyo
    ord|US|Chicago
    sao|BR|São Paulo
    scl|CL|Santiago
    sea|US|Seattle
    sgp|SG|Singapore
    sjc|US|Silicon Valley
    sto|SE|Stockholm
    syd|AU|Sydney
    tlv|IL|Tel Aviv
    waw|PL|Warsaw
    yto|CA|Toronto
  `),
};

const nebius: RegionTable = {
  source: "Nebius AI Cloud regions, https://docs.nebius.com/overview/regions",
  suffix: /$/,
  places: places(`
    eu-north1|FI|
    eu-north2|IS|
    eu-west1|FR|Paris
    me-west1|IL|
    uk-south1|GB|
    us-central1|US|Kansas City
  `),
};

const crusoe: RegionTable = {
  source: "Crusoe Cloud locations, https://docs.crusoecloud.com/",
  suffix: /-[a-z]$/,
  places: places(`
    eu-iceland1|IS|
    us-east1|US|Virginia
    us-northcentral1|US|
    us-southcentral1|US|Texas
  `),
};

const scaleway: RegionTable = {
  source: "Scaleway regions and availability zones, https://www.scaleway.com/en/docs/account/concepts/",
  suffix: /-\d+$/,
  places: places(`
    fr-par|FR|Paris
    it-mil|IT|Milan
    nl-ams|NL|Amsterdam
    pl-waw|PL|Warsaw
  `),
};

const ovh: RegionTable = {
  source: "OVHcloud regions, https://www.ovhcloud.com/en/about-us/global-infrastructure/regions/",
  suffix: /-?\d+(?:-[a-z])?$/,
  places: places(`
    ap-south-mum|IN|Mumbai
    ap-southeast-sgp|SG|Singapore
    ap-southeast-syd|AU|Sydney
    bhs|CA|Beauharnois
    ca-east-bhs|CA|Beauharnois
    ca-east-tor|CA|Toronto
    de|DE|Limburg
    eu-south-mil|IT|Milan
    eu-west-par|FR|Paris
    gra|FR|Gravelines
    rbx|FR|Roubaix
    sbg|FR|Strasbourg
    sgp|SG|Singapore
    syd|AU|Sydney
    uk|GB|Erith
    us-east-va|US|Vint Hill
    us-west-or|US|Hillsboro
    waw|PL|Warsaw
  `),
};

const verda: RegionTable = {
  source: "Locations of the Verda API, https://api.verda.com/v1/docs",
  suffix: /-\d+$/,
  // ISL is Iceland's ISO code; Verda writes ICE. Its other names are ISO codes, which a rule reads.
  places: places("ice|IS|"),
};

/** Region tables by provider. */
export const REGION_TABLES: ReadonlyMap<string, RegionTable> = new Map(
  Object.entries({
    aws,
    azure,
    crusoe,
    do: digitalocean,
    gcp,
    lambda,
    nebius,
    oci,
    ovh,
    paperspace,
    scaleway,
    verda,
    vultr,
  }),
);

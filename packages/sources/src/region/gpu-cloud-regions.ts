import { places, type RegionTable } from "./region-table.js";

// Regions of GPU clouds and smaller clouds.

export const lambda: RegionTable = {
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

export const digitalocean: RegionTable = {
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

export const paperspace: RegionTable = {
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

export const vultr: RegionTable = {
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

export const nebius: RegionTable = {
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

export const crusoe: RegionTable = {
  source: "Crusoe Cloud locations, https://docs.crusoecloud.com/",
  suffix: /-[a-z]$/,
  places: places(`
    eu-iceland1|IS|
    eu-norway1|NO|
    us-east1|US|Virginia
    us-northcentral1|US|
    us-southcentral1|US|Texas
  `),
};

export const scaleway: RegionTable = {
  source: "Scaleway regions and availability zones, https://www.scaleway.com/en/docs/account/concepts/",
  suffix: /-\d+$/,
  places: places(`
    fr-par|FR|Paris
    it-mil|IT|Milan
    nl-ams|NL|Amsterdam
    pl-waw|PL|Warsaw
  `),
};

export const ovh: RegionTable = {
  source: "OVHcloud regions, https://www.ovhcloud.com/en/about-us/global-infrastructure/regions/",
  // Local zones: `EU-WEST-LZ-BRU-A`.
  prefix: /^[a-z]{2}-[a-z]+-(?=lz-)/,
  suffix: /-?\d+(?:-[a-z])?$|-[a-z]$|-sto$/,
  places: places(`
    af-north-rba|MA|Rabat
    ap-south-mum|IN|Mumbai
    ap-southeast-sgp|SG|Singapore
    ap-southeast-syd|AU|Sydney
    bhs|CA|Beauharnois
    ca-east-bhs|CA|Beauharnois
    ca-east-tor|CA|Toronto
    de|DE|Limburg
    eu-central-war|PL|Warsaw
    eu-south-mil|IT|Milan
    eu-west-gra|FR|Gravelines
    eu-west-lim|DE|Limburg
    eu-west-eri|GB|Erith
    eu-west-par|FR|Paris
    eu-west-rbx|FR|Roubaix
    eu-west-sbg|FR|Strasbourg
    eri|GB|Erith
    gra|FR|Gravelines
    lim|DE|Limburg
    mil|IT|Milan
    mum|IN|Mumbai
    par|FR|Paris
    rba|MA|Rabat
    rbx|FR|Roubaix
    sbg|FR|Strasbourg
    sgp|SG|Singapore
    syd|AU|Sydney
    tor|CA|Toronto
    uk|GB|Erith
    hil|US|Hillsboro
    yyz|CA|Toronto
    ynm|IN|Mumbai
    lz-ams|NL|Amsterdam
    lz-ath|GR|Athens
    lz-atl|US|Atlanta
    lz-bos|US|Boston
    lz-bru|BE|Brussels
    lz-buh|RO|Bucharest
    lz-chi|US|Chicago
    lz-dal|US|Dallas
    lz-den|US|Denver
    lz-dln|IE|Dublin
    lz-gnv|CH|Geneva
    lz-hel|FI|Helsinki
    lz-lax|US|Los Angeles
    lz-lis|PT|Lisbon
    lz-lux|LU|
    lz-mad|ES|Madrid
    lz-mia|US|Miami
    lz-mrs|FR|Marseille
    lz-nyc|US|New York
    lz-osl|NO|Oslo
    lz-pao|US|Palo Alto
    lz-prg|CZ|Prague
    lz-sea|US|Seattle
    lz-sof|BG|Sofia
    lz-sto|SE|Stockholm
    lz-vie|AT|Vienna
    lz-zag|HR|Zagreb
    lz-zrh|CH|Zurich
    us-east-va|US|Vint Hill
    us-west-or|US|Hillsboro
    vin|US|Vint Hill
    waw|PL|Warsaw
  `),
};

export const verda: RegionTable = {
  source: "Locations of the Verda API, https://api.verda.com/v1/docs",
  suffix: /-\d+$/,
  // ISL is Iceland's ISO code; Verda writes ICE. Its other names are ISO codes, which a rule parses.
  places: places("ice|IS|"),
};

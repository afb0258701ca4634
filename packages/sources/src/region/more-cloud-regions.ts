import { places, type RegionTable } from "./region-table.js";

// Regions of other clouds: some name regions after airports, others number them.

export const coreweave: RegionTable = {
  source: "CoreWeave regions, https://docs.coreweave.com/docs/platform/regions",
  suffix: /[a-z]$/,
  places: places(`
    atl2|US|Georgia
    atl4|US|Georgia
    ca-east-01|CA|Ontario
    eu-north-01|SE|Falun
    eu-north-02|NO|Kristiansand
    eu-north-04|SE|Stockholm
    eu-north-05|DK|Skovlunde
    eu-south-03|ES|Barcelona
    eu-south-04|ES|Álava
    eu-west-01|GB|Crawley
    eu-west-02|GB|London
    las1|US|Las Vegas
    lga1|US|New York
    ord1|US|Chicago
    rdu1|US|Virginia
    rno2|US|Nevada
    sbn1|US|Indiana
    us-central-01|US|Illinois
    us-central-03|US|Texas
    us-central-04|US|Texas
    us-central-05|US|Texas
    us-central-08|US|North Dakota
    us-east-01|US|New York
    us-east-02|US|New Jersey
    us-east-03|US|Pennsylvania
    us-east-04|US|Virginia
    us-east-05|US|Georgia
    us-east-06|US|Ohio
    us-east-07|US|Ohio
    us-east-08|US|Ohio
    us-east-09|US|Georgia
    us-east-10|US|Massachusetts
    us-east-11|US|North Carolina
    us-east-13|US|Michigan
    us-east-14|US|New Jersey
    us-west-01|US|Nevada
    us-west-04|US|Arizona
    us-west-09|US|Washington
  `),
};

export const hetzner: RegionTable = {
  source: "Hetzner locations, https://docs.hetzner.com/cloud/general/locations/",
  suffix: /-dc\d+$/,
  places: places(`
    ash|US|Ashburn
    fsn1|DE|Falkenstein
    hel1|FI|Helsinki
    hil|US|Hillsboro
    nbg1|DE|Nuremberg
    sin|SG|
    eu-central|DE|
    us-east|US|Ashburn
    us-west|US|Hillsboro
  `),
};

export const latitude: RegionTable = {
  source: "Latitude.sh locations, https://www.latitude.sh/locations",
  suffix: /\d+$/,
  places: places(`
    ams|NL|Amsterdam
    ash|US|Ashburn
    bgt|CO|Bogotá
    bue|AR|Buenos Aires
    chi|US|Chicago
    dal|US|Dallas
    fra|DE|Frankfurt
    lax|US|Los Angeles
    lon|GB|London
    mex|MX|Mexico City
    mia|US|Miami
    nyc|US|New York
    san|CL|Santiago
    sao|BR|São Paulo
    sgp|SG|
    syd|AU|Sydney
    tyo|JP|Tokyo
  `),
};

export const linode: RegionTable = {
  source: "Regions of the Linode API, https://api.linode.com/v4/regions",
  suffix: /-\d+$/,
  places: places(`
    ap-northeast|JP|Tokyo
    ap-south|SG|
    ap-southeast|AU|Sydney
    ap-west|IN|Mumbai
    au-mel|AU|Melbourne
    br-gru|BR|São Paulo
    ca-central|CA|Toronto
    cl-scl|CL|Santiago
    co-bog|CO|Bogotá
    de-fra|DE|Frankfurt
    es-mad|ES|Madrid
    eu-central|DE|Frankfurt
    eu-west|GB|London
    fr-mrs|FR|Marseille
    fr-par|FR|Paris
    gb-lon|GB|London
    id-cgk|ID|Jakarta
    in-bom|IN|Mumbai
    in-maa|IN|Chennai
    it-mil|IT|Milan
    jp-osa|JP|Osaka
    jp-tyo|JP|Tokyo
    my-kul|MY|Kuala Lumpur
    mx-qro|MX|Querétaro
    nl-ams|NL|Amsterdam
    no-osl|NO|Oslo
    nz-akl|NZ|Auckland
    se-sto|SE|Stockholm
    sg-sin|SG|
    us-central|US|Dallas
    us-den|US|Denver
    us-east|US|Newark
    us-hou|US|Houston
    us-iad|US|Washington
    us-lax|US|Los Angeles
    us-mia|US|Miami
    us-ord|US|Chicago
    us-sea|US|Seattle
    us-southeast|US|Atlanta
    us-west|US|Fremont
    za-jnb|ZA|Johannesburg
  `),
};

export const seeweb: RegionTable = {
  source: "Seeweb Cloud Server locations, https://docs.seeweb.it",
  suffix: /$/,
  places: places(`
    bg-sof1|BG|Sofia
    ch-lug1|CH|Lugano
    hr-zag1|HR|Zagreb
    it-fr1|IT|Frosinone
    it-fr2|IT|Frosinone
    it-mi1|IT|Milan
    it-mi2|IT|Milan
  `),
};

export const jarvislabs: RegionTable = {
  // Its own catalog and console write IN1 for india-01, IN2 for india-noida-01 and EU1 for europe-01.
  source: "JarvisLabs regions, https://docs.jarvislabs.ai",
  suffix: /-?\d+$/,
  places: places(`
    eu1|FI|
    europe|FI|
    in1|IN|
    in2|IN|Noida
    india|IN|
    india-chennai|IN|Chennai
    india-noida|IN|Noida
  `),
};

export const alibaba: RegionTable = {
  source: "Alibaba Cloud regions and zones, https://www.alibabacloud.com/help/en/ecs/user-guide/regions-and-zones",
  suffix: /-?[a-z]$/,
  places: places(`
    ap-northeast-1|JP|Tokyo
    ap-northeast-2|KR|Seoul
    ap-southeast-1|SG|
    ap-southeast-3|MY|Kuala Lumpur
    ap-southeast-5|ID|Jakarta
    ap-southeast-6|PH|Manila
    ap-southeast-7|TH|Bangkok
    cn-hongkong|HK|
    eu-central-1|DE|Frankfurt
    eu-west-1|GB|London
    me-central-1|SA|Riyadh
    me-east-1|AE|Dubai
    na-south-1|MX|
    us-east-1|US|Virginia
    us-west-1|US|Silicon Valley
  `),
};

export const exoscale: RegionTable = {
  source: "Exoscale zones, https://www.exoscale.com/datacenters/",
  suffix: /-\d$/,
  places: places(`
    at-vie|AT|Vienna
    bg-sof|BG|Sofia
    ch-dk|CH|Zurich
    ch-gva|CH|Geneva
    de-fra|DE|Frankfurt
    de-muc|DE|Munich
    hr-zag|HR|Zagreb
  `),
};

export const civo: RegionTable = {
  source: "Civo regions, https://www.civo.com/docs/account/regions",
  suffix: /\d$/,
  places: places(`
    fra|DE|Frankfurt
    lon|GB|London
    mum|IN|Mumbai
    nyc|US|New York
    phx|US|Phoenix
  `),
};

import { findAwsLocalZone } from "./aws-local-zones.js";
import { places, type RegionTable } from "./region-table.js";

// Regions of the clouds that rent out everything, GPUs among it.

export const aws: RegionTable = {
  findSite: findAwsLocalZone,
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

export const azure: RegionTable = {
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

export const gcp: RegionTable = {
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

export const oci: RegionTable = {
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

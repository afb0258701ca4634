import { azure } from "./azure-regions.js";
import { crusoe, digitalocean, lambda, nebius, ovh, paperspace, scaleway, verda, vultr } from "./gpu-cloud-regions.js";
import { aws, gcp, ibm, oci } from "./hyperscaler-regions.js";
import {
  alibaba,
  civo,
  coreweave,
  exoscale,
  hetzner,
  jarvislabs,
  latitude,
  linode,
  seeweb,
} from "./more-cloud-regions.js";
import type { RegionTable } from "./region-table.js";

/** Region tables by provider, under the name from {@link providerKey}. */
export const REGION_TABLES: ReadonlyMap<string, RegionTable> = new Map(
  Object.entries({
    alibaba,
    aws,
    azure,
    civo,
    coreweave,
    crusoe,
    do: digitalocean,
    exoscale,
    gcp,
    hetzner,
    ibm,
    jarvislabs,
    lambda,
    latitude,
    linode,
    nebius,
    oci,
    ovh,
    paperspace,
    scaleway,
    seeweb,
    verda,
    vultr,
  }),
);

import { crusoe, digitalocean, lambda, nebius, ovh, paperspace, scaleway, verda, vultr } from "./gpu-cloud-regions.js";
import { aws, azure, gcp, oci } from "./hyperscaler-regions.js";
import type { RegionTable } from "./region-table.js";

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

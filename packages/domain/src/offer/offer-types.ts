// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

import type { RegionInfo } from "../place/region-types.js";

/**
 * A JSON value; null if there is no network between instances, or it is unknown. Catalogs of this project have null or
 * a short text.
 */
export type Interconnect = string | number | boolean | null | readonly unknown[] | { readonly [name: string]: unknown };

/** The provider of the instance. */
export interface OfferProvider {
  /** Equals `name` of one provider of GET /api/v1/providers. */
  name: string;
  /** The same as `name`. */
  slug: string;
}

/** Model of each GPU. */
export interface Gpu {
  /** Display name. */
  name: string;
  /** GPU slug, the value of the `gpu` filter. */
  slug: string;
  /** Memory of one GPU in GB. */
  vramGB: number;
  /** Architecture, as named by the vendor. */
  architecture: string;
}

/** The machine around the GPUs. */
export interface Specs {
  /** Virtual CPUs; 0 if unknown. */
  vcpu: number;
  /** Memory in GB, as the provider states it; 0 if unknown. */
  ram: number;
  /** Included disk in GB, for information. The storage rule decides what is charged. */
  disk: number;
}

/** A rentable GPU instance. */
export interface Offer {
  /** Offer identifier. It stays the same when the catalog changes. */
  id: string;
  /** The provider of the instance. */
  provider: OfferProvider;
  /** Model of each GPU. */
  gpu: Gpu;
  /** GPUs per instance. */
  gpuCount: number;
  /** Region, as named by the provider. */
  region: string;
  /** Location of an offer. */
  regionInfo: RegionInfo;
  /** Price of the whole instance in USD per hour, without the disk. */
  priceHourly: number;
  /** priceHourly / gpuCount, rounded to 6 decimals. */
  pricePerGpu: number;
  /** Whether the offer is available, as far as its source states. */
  isAvailable: boolean;
  /** The machine around the GPUs. */
  specs: Specs;
  /** USD per hour for each GB of the chosen disk. */
  storageCostPerGB: number;
  /** Minimum disk size in GB. */
  storageMinGB: number;
  /** Maximum disk size in GB. */
  storageMaxGB: number;
  /** False if a part of the cost is unknown, so that prices are lower bounds. */
  costDataComplete: boolean;
  /** virtual, container or bare-metal. More values may be added. */
  deploymentType: string;
  /** True if the source confirms that NVLink connects the instance's GPUs; false if not, or if unknown. */
  nvlinkEnabled: boolean;
  /** Network between instances, such as 'InfiniBand 3200 Gbps'; null if there is none or it is unknown. */
  interconnect: Interconnect;
}

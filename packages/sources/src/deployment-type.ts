import type { DEPLOYMENT_TYPES } from "@gpu-offers/domain";
import type { ProviderType } from "./source-item.js";

/** How the offers of a provider are deployed, by the provider's type. */
export const DEPLOYMENT_TYPE_OF = {
  vm: "virtual",
  container: "container",
  "bare-metal": "bare-metal",
} as const satisfies Record<ProviderType, (typeof DEPLOYMENT_TYPES)[number]>;

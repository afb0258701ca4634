import type { DEPLOYMENT_TYPES } from "@gpu-offers/domain";
import type { ProviderType } from "./source-item.js";

/** How a provider's offers are deployed, by the type of provider. */
export const DEPLOYMENT_TYPE_OF = {
  vm: "virtual",
  container: "container",
  "bare-metal": "bare-metal",
} as const satisfies Record<ProviderType, (typeof DEPLOYMENT_TYPES)[number]>;

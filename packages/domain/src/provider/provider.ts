/** Values of `Provider.type` that gpu-offers writes. Readers must accept others. */
export const PROVIDER_TYPES = ["vm", "container", "bare-metal"] as const;

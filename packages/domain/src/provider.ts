/** Values of `Provider.type` that gpu-offers writes. interface.md 2.3 leaves the list open: readers must accept others. */
export const PROVIDER_TYPES = ["vm", "container", "bare-metal"] as const;

import { providerKey } from "@gpu-offers/domain";
import { ownTypes, productTypes, skypilotFiles } from "../providers.facts.js";

type SkypilotFile = NonNullable<ReturnType<(typeof skypilotFiles)["get"]>>;

/** Facts about a provider's rows that the rows themselves don't contain: those of facts/skypilot-files.csv, and of its types. */
export interface ProviderQuirks extends SkypilotFile {
  /**
   * Whether InstanceType is the provider's own name, which one rents, rather than SkyPilot's description of a machine,
   * maybe with a cloud before it: `1x-H200-32-65536`, `massedcompute_A6000x8`.
   */
  typesAreOwn: boolean;
  /**
   * Whether an instance type always has the same card, so that ids need not include the card. A type that describes a
   * machine (`1x-RTX_4090-32-65536`) may have the 24 GB card today and a rebuilt one of 48 GB tomorrow.
   */
  typeFixesGpu: boolean;
  /** Whether `A100` without a size means SkyPilot's A100 with 40 GB. */
  plainNamesTellSize: boolean;
}

const PRODUCT_TYPES: ReadonlySet<string> = new Set(productTypes);

const OWN_TYPES: ReadonlySet<string> = new Set(ownTypes);

/** Names of the providers that have quirks. */
export const PROVIDERS_WITH_QUIRKS: readonly string[] = [...skypilotFiles.keys()];

/** The quirks of a provider; a provider without an entry has none. */
export function quirksOf(provider: string): ProviderQuirks {
  const name = providerKey(provider);
  const file = skypilotFiles.get(name);
  return {
    ...file,
    typeFixesGpu: PRODUCT_TYPES.has(name),
    typesAreOwn: OWN_TYPES.has(name),
    // Unknown clouds may sell either size: all of Tencent's V100 have 32 GB.
    plainNamesTellSize: file?.hidesSize !== true && (PRODUCT_TYPES.has(name) || OWN_TYPES.has(name)),
  };
}

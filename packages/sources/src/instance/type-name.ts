import { providerKey } from "@gpu-offers/domain";
import { typeNames } from "./instance-types.facts.js";

/** What the name of an instance type states about its GPUs, as the provider writes it. */
export interface TypeName {
  /** Name of the GPU as spelled in the type: `h100_sxm5`, `H100 SXM 80GB`. */
  gpu?: string;
  /** True if that is the full name and the provider's other fields truncate it: Vast drops "Ti", "S" and "D" there. */
  isWholeName?: boolean;
  /** GPU count of the instance. */
  count?: number;
}

const rowsByProvider = Map.groupBy(typeNames, ({ provider }) => provider);

/** What a type's name itself states, by facts/type-names.csv; empty for providers without a row. */
export function readTypeName(provider: string, instanceType: string): TypeName {
  for (const { type, isWhole = false } of rowsByProvider.get(providerKey(provider)) ?? []) {
    const groups = type.exec(instanceType)?.groups;
    if (groups !== undefined) {
      return typeNameOf(groups, isWhole);
    }
  }
  return {};
}

function typeNameOf({ gpu, form, sizeGb, count }: Partial<Record<string, string>>, isWholeName: boolean): TypeName {
  // Verda's letter for an SXM module is S.
  const words = [gpu, form === "S" ? "SXM" : form, sizeGb && `${sizeGb}GB`];
  return {
    ...(gpu !== undefined && { gpu: words.filter(Boolean).join(" "), isWholeName }),
    ...(count !== undefined && { count: Number(count) }),
  };
}

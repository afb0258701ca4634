import { gpuModels } from "../gpu/gpu-models.js";
import { findGpuSlugs, gpuSlugs, withZeros } from "../search/gpu-filter-names.js";
import type { MarketPart } from "./market.js";
import { nearNames } from "../text/near-names.js";

// The GPUs that a name means, of those that are known or listed.

/** What a name means: its slugs, or the nearest ones. */
export type GpuSelection =
  | {
      kind: "known";
      /** The slugs that the name means. */
      slugs: readonly string[];
    }
  | {
      kind: "unknown";
      /** The nearest slugs. */
      nearest: readonly string[];
    };

/**
 * The slugs for a GPU's name: a family means all of its forms (`h100`), `=h100` the slug alone, and names as people say them
 * are understood (see {@link gpuSlugs}). Otherwise the nearest slugs.
 */
export function selectGpus(name: string, listed: readonly MarketPart["gpu"][]): GpuSelection {
  const slug = name.replace(/^=/, "");
  const all = allSlugs(listed);
  const found = gpuSlugs(name, listed);
  const slugs = found.kind === "known" ? found.values.filter((value) => all.has(value)) : [];
  return slugs.length > 0 ? { kind: "known", slugs } : { kind: "unknown", nearest: nearNames(withZeros(slug), all) };
}

/** Slugs for the message about an unknown slug: the forms of a family, or the nearest spellings. */
export function nearestGpus(slug: string, listed: readonly MarketPart["gpu"][]): readonly string[] {
  const named = gpuSlugs(slug, listed);
  return named.kind === "known" ? named.values : nearNames(withZeros(slug), allSlugs(listed));
}

function allSlugs(listed: readonly MarketPart["gpu"][]): ReadonlySet<string> {
  return new Set([...gpuModels, ...listed].map(({ slug }) => slug));
}

/** GPUs that are asked for together: the sorted slugs of each family, architecture, form and vendor. */
export function gpuSets(): string[][] {
  const names = gpuModels.flatMap(({ family, architecture, formFactor, vendor }) => [
    family,
    architecture,
    formFactor ?? vendor,
    vendor,
  ]);
  const sets = [...new Set(names)].map((name) => findGpuSlugs(name)).filter(({ length }) => length > 1);
  return [...new Map(sets.map((slugs) => [slugs.join(" "), slugs])).values()];
}

import { continentsCalled, countriesCalled, gpuSlugs, providersCalled, type Named } from "@gpu-offers/domain";

// Filters by the names that people use. A name that expands to other or several values is reported, to prevent costly
// misunderstandings.

/** Filters whose values have names. */
export type NamedKey = "gpu" | "continent" | "country" | "provider";

/** The values of names, or the first unknown one. */
export type NamedValues =
  | { kind: "known"; values: string[]; taken: readonly TakenName[] }
  | { kind: "unknown"; name: string; nearest: readonly string[] };

/** A name that stands for other or several values. */
export interface TakenName {
  name: string;
  values: readonly string[];
}

/** The values of names of a filter. `providers` are the known ones; other filters ignore them. */
export function valuesNamed(key: NamedKey, names: readonly string[], providers: readonly string[] = []): NamedValues {
  return resolveEach(names, (name) => CALLED[key](name, providers));
}

const CALLED: Readonly<Record<NamedKey, (name: string, providers: readonly string[]) => Named<string>>> = {
  gpu: (name) => gpuSlugs(name),
  continent: continentsCalled,
  country: countriesCalled,
  provider: providersCalled,
};

function resolveEach(names: readonly string[], resolve: (name: string) => Named<string>): NamedValues {
  const values = new Set<string>();
  const taken: TakenName[] = [];
  for (const name of names) {
    const named = resolve(name);
    if (named.kind === "unknown") {
      return { kind: "unknown", name, nearest: named.nearest };
    }
    const [only, ...others] = named.values;
    if (others.length > 0 || only?.toLowerCase() !== name.replace(/^=\s*/, "").toLowerCase()) {
      taken.push({ name, values: named.values });
    }
    named.values.forEach((value) => values.add(value));
  }
  return { kind: "known", values: [...values], taken };
}

/** Describes a name that expands to other or several values: `h100: h100, h100-nvl, h100-pcie, h100-sxm`. */
export function takenText({ name, values }: TakenName): string {
  return `${name}: ${values.join(", ")}`;
}

/** Suggests the nearest names: `did you mean A or B?`; undefined if there are none. */
export function didYouMean(nearest: readonly string[]): string | undefined {
  const last = nearest.at(-1);
  const before = nearest.slice(0, -1).join(", ");
  return last === undefined ? undefined : `did you mean ${before === "" ? last : `${before} or ${last}`}?`;
}

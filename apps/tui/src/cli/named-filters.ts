import {
  continentsCalled,
  CONTINENTS,
  countriesCalled,
  describeImage,
  gpuSlugs,
  providersCalled,
  providersWithImage,
  type ImageFilter,
  type Named,
  type OsImage,
  type WantedImage,
} from "@gpu-offers/domain";
import type { OfferSource } from "../catalog/offer-source.js";
import { OfferSourceError } from "../catalog/offer-source-error.js";
import { EXIT, Failure } from "../output/exit.js";
import type { Flags, NamedFilters } from "./flags.js";

// Resolves the names in flags with the catalog. If a name expands to other or several values, a notice is printed once,
// to prevent costly misunderstandings.

/** Context of resolving names. */
export interface NameContext {
  source: OfferSource;
  /** Called once for each name that expands to other or several values. */
  notify: (text: string) => void;
  /**
   * Whether the picker is opened. Then `--image` preselects an image without filtering, and provider names are used
   * literally if the source can't be read yet.
   */
  isScreen?: boolean;
}

/**
 * The filters by name. Providers and images are read from the source.
 * @throws Failure for an unknown name, with the nearest ones.
 */
export async function resolveNames(flags: Flags, context: NameContext): Promise<NamedFilters> {
  const { source, notify, isScreen = false } = context;
  const gpu = resolveEach(flags.gpu, gpuSlugs, {
    notify,
    unknown: (name, nearest) =>
      `unknown GPU ${quote(name)}; ${didYouMean(nearest, "gpu-offers --list shows GPUs")} Use =SLUG for an exact slug.`,
  });
  const continent = resolveEach(flags.continent, continentsCalled, {
    notify,
    unknown: (name) => `unknown continent ${quote(name)}; use one of ${CONTINENTS.join(", ")}.`,
  });
  const country = resolveEach(flags.country, countriesCalled, {
    notify,
    unknown: (name, nearest) =>
      `unknown country ${quote(name)}; ${didYouMean(nearest, "use an English name or a code such as NO")}`,
  });
  const provider = await resolveProviders(flags.provider, context);
  return {
    gpu,
    continent,
    country,
    provider,
    image: await imageFilter(isScreen ? { os: flags.os, cuda: flags.cuda } : flags, source),
  };
}

/**
 * The providers with these names, as known to the source; undefined without names.
 * @throws Failure for an unknown name, with the nearest ones.
 */
export async function resolveProviders(
  names: readonly string[] | undefined,
  context: NameContext,
): Promise<string[] | undefined> {
  const known = names === undefined ? [] : await knownProviders(names, context);
  return resolveEach(names, (name) => providersCalled(name, known), {
    notify: context.notify,
    unknown: (name, nearest) =>
      `unknown provider ${quote(name)}; ${didYouMean(nearest, "gpu-offers providers lists them")}`,
  });
}

type ImageFlags = { [Key in "image" | "os" | "cuda"]?: string | undefined };

/** The image filter of the flags; undefined if there is none. */
export function wantedImage({ image, os, cuda }: ImageFlags): WantedImage | undefined {
  return image === undefined && os === undefined && cuda === undefined ? undefined : { id: image, os, cuda };
}

async function imageFilter(flags: ImageFlags, source: OfferSource): Promise<ImageFilter | undefined> {
  const wanted = wantedImage(flags);
  if (wanted === undefined) {
    return undefined;
  }
  const providers = providersWithImage(await imagesByProvider(source), wanted);
  if (providers.length === 0) {
    throw new Failure(
      EXIT.nothing,
      `no provider has an image ${describeImage(wanted)}. To list images, run gpu-offers images PROVIDER.`,
    );
  }
  return { wanted, providers };
}

async function knownProviders(typed: readonly string[], { source, isScreen }: NameContext): Promise<readonly string[]> {
  try {
    return await providerNames(source);
  } catch (error) {
    if (isScreen === true && error instanceof OfferSourceError) {
      return typed;
    }
    throw error;
  }
}

async function providerNames(source: OfferSource): Promise<string[]> {
  return (await source.listProviders()).map(({ name }) => name);
}

/** Maximum number of image lists read concurrently. */
const CONCURRENCY = 4;

async function imagesByProvider(source: OfferSource): Promise<[string, readonly OsImage[]][]> {
  const names = await providerNames(source);
  const found: [string, readonly OsImage[]][] = [];
  const read = async (): Promise<void> => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      found.push([name, (await source.findImages(name)) ?? []]);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, read));
  return found.sort(([a], [b]) => (a < b ? -1 : 1));
}

interface Words {
  notify: (text: string) => void;
  unknown: (name: string, nearest: readonly string[]) => string;
}

function resolveEach<Value extends string>(
  names: readonly string[] | undefined,
  resolve: (name: string) => Named<Value>,
  { notify, unknown }: Words,
): Value[] | undefined {
  if (names === undefined) {
    return undefined;
  }
  const all = names.flatMap((name) => {
    const named = resolve(name);
    if (named.kind === "unknown") {
      throw new Failure(EXIT.usage, unknown(name, named.nearest));
    }
    const [only, ...others] = named.values;
    if (others.length > 0 || only?.toLowerCase() !== name.replace(/^=\s*/, "").toLowerCase()) {
      notify(`${name}: ${named.values.join(", ")}`);
    }
    return named.values;
  });
  return [...new Set(all)];
}

function didYouMean(nearest: readonly string[], otherwise: string): string {
  const [last = "", ...before] = nearest.toReversed();
  const names = before.length === 0 ? last : `${before.toReversed().join(", ")} or ${last}`;
  return nearest.length === 0 ? `${otherwise}.` : `did you mean ${names}?`;
}

function quote(name: string): string {
  return JSON.stringify(name);
}

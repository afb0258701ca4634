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
import { SourceProblem } from "../catalog/source-problem.js";
import { EXIT, Failure } from "../output/exit.js";
import type { Flags, NamedFilters } from "./flags.js";

// The names that people give to flags, as the catalog has them. What was taken for something else than it says is told
// once, so that nobody pays for a misunderstanding.

/** What names are resolved with. */
export interface NameContext {
  source: OfferSource;
  /** Told once for each name that means something else than it says. */
  tell: (text: string) => void;
  /**
   * Whether a person chooses on a screen. There the image of `--image` is chosen beforehand and filters nothing, and a
   * source that cannot be read yet is waited for: names of providers are then taken as they are.
   */
  isScreen?: boolean;
}

/**
 * The filters of flags that are names. Providers and images are read from the source.
 * @throws Failure for a name that means nothing, with the nearest ones.
 */
export async function resolveNames(flags: Flags, context: NameContext): Promise<NamedFilters> {
  const { source, tell, isScreen = false } = context;
  const gpu = resolveEach(flags.gpu, gpuSlugs, {
    tell,
    unknown: (name, nearest) =>
      `unknown GPU ${quote(name)}; ${didYouMean(nearest, "gpu-offers --list shows GPUs")} =SLUG takes a slug as it is.`,
  });
  const continent = resolveEach(flags.continent, continentsCalled, {
    tell,
    unknown: (name) => `unknown continent ${quote(name)}; use one of ${CONTINENTS.join(", ")}.`,
  });
  const country = resolveEach(flags.country, countriesCalled, {
    tell,
    unknown: (name, nearest) =>
      `unknown country ${quote(name)}; ${didYouMean(nearest, "use an English name or a code such as NO")}`,
  });
  const providers = flags.provider === undefined ? [] : await knownProviders(flags.provider, context);
  const provider = resolveEach(flags.provider, (name) => providersCalled(name, providers), {
    tell,
    unknown: (name, nearest) =>
      `unknown provider ${quote(name)}; ${didYouMean(nearest, "gpu-offers providers lists them")}`,
  });
  return {
    gpu,
    continent,
    country,
    provider,
    image: await imageFilter(isScreen ? { os: flags.os, cuda: flags.cuda } : flags, source),
  };
}

type ImageFlags = { [Key in "image" | "os" | "cuda"]?: string | undefined };

/** What flags say of the image; undefined where they say nothing. */
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
      `no provider has an image ${describeImage(wanted)}; gpu-offers images PROVIDER lists those of one.`,
    );
  }
  return { wanted, providers };
}

async function knownProviders(typed: readonly string[], { source, isScreen }: NameContext): Promise<readonly string[]> {
  try {
    return await providerNames(source);
  } catch (error) {
    if (isScreen === true && error instanceof SourceProblem) {
      return typed;
    }
    throw error;
  }
}

async function providerNames(source: OfferSource): Promise<string[]> {
  return (await source.listProviders()).map(({ name }) => name);
}

/** So many image lists are read at once. */
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
  tell: (text: string) => void;
  unknown: (name: string, nearest: readonly string[]) => string;
}

function resolveEach<Value extends string>(
  names: readonly string[] | undefined,
  resolve: (name: string) => Named<Value>,
  { tell, unknown }: Words,
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
      tell(`${name}: ${named.values.join(", ")}`);
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

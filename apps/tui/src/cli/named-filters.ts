import {
  CONTINENTS,
  describeImage,
  providersWithImage,
  type ImageFilter,
  type OsImage,
  type WantedImage,
} from "@gpu-offers/domain";
import { didYouMean, type NamedKey, takenText, valuesNamed } from "@gpu-offers/list";
import type { OfferSource } from "../catalog/offer-source.js";
import { OfferSourceError } from "../catalog/offer-source-error.js";
import { EXIT, Failure } from "../output/exit-codes.js";
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
  const named = (key: NamedKey): string[] | undefined => resolveEach(key, flags[key], notify);
  return {
    gpu: named("gpu"),
    continent: named("continent"),
    country: named("country"),
    provider: await resolveProviders(flags.provider, context),
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
  return resolveEach("provider", names, context.notify, known);
}

/** What an unknown name is, and what to do if no known one is near. */
const UNKNOWN: Readonly<Record<NamedKey, { noun: string; hint: string; note?: string }>> = {
  gpu: { noun: "GPU", hint: "gpu-offers --list shows GPUs.", note: " Use =SLUG for an exact slug." },
  continent: { noun: "continent", hint: `use one of ${CONTINENTS.join(", ")}.` },
  country: { noun: "country", hint: "use an English name or a code such as NO." },
  provider: { noun: "provider", hint: "gpu-offers providers lists them." },
};

function resolveEach(
  key: NamedKey,
  names: readonly string[] | undefined,
  notify: NameContext["notify"],
  providers: readonly string[] = [],
): string[] | undefined {
  if (names === undefined) {
    return undefined;
  }
  const named = valuesNamed(key, names, providers);
  if (named.kind === "unknown") {
    const { noun, hint, note = "" } = UNKNOWN[key];
    const advice = `${didYouMean(named.nearest) ?? hint}${note}`;
    throw new Failure(EXIT.usage, `unknown ${noun} ${JSON.stringify(named.name)}; ${advice}`);
  }
  named.taken.forEach((name) => notify(takenText(name)));
  return named.values;
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

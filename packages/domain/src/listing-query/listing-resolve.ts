import { memoized } from "../memoized.js";
import { imageParameters, type ListingFilter, listingOrder, plainFilter } from "./listing-filter.js";
import { parametersOf } from "./listing-parameter-names.js";
import type { ListingParameterName } from "./listing-parameters.js";
import type { ListingQuery } from "./listing-query-schema.js";
import { describeImage, imageFilter, type ImageFilter, type RestrictedImage } from "../image/image-filter.js";
import { emptyCountRange, isCountRangeEmpty } from "../gpu/gpu-count-range.js";
import { gpuSlugs } from "../search/gpu-filter-names.js";
import { modelFilter } from "../model/fits.js";
import { parseModelNeed } from "../text/model-need.js";
import { nearNames, NearNames } from "../text/near-names.js";
import type { Offer } from "../offer/offer-schema.js";
import type { PickerOrder } from "./listing-order.js";
import { continentsCalled, countriesCalled, type Named } from "../search/place-names.js";
import { providersCalled } from "../search/provider-names.js";
import { CONTINENTS } from "../place/continent.js";
import type { Understood } from "../search/search-term.js";

// Resolves the names of a query with a catalog, and checks what its parameters say together. Every door uses it, so that
// names, their suggestions and contradictions are the same everywhere.

/** What the names of a query are resolved with. */
export interface ListingNames {
  /** Names of the providers. */
  providers: Iterable<string>;
  /** The distinct GPUs of the offers. */
  gpus: Iterable<Pick<Offer["gpu"], "slug" | "name">>;
  /** Regions of the offers, for suggestions. */
  regions: Iterable<string>;
  /** Known instance types, for suggestions. */
  instanceTypes: Iterable<string>;
  /** The images of each provider. */
  images: ReadonlyMap<string, readonly RestrictedImage[]>;
}

/** What is wrong with a parameter: a clause that follows its name. */
export interface QueryProblem {
  /** Name of the parameter in the HTTP API. */
  parameter: ListingParameterName;
  /** What is invalid, and what would be valid: a clause. */
  reason: string;
}

/** A query ready to be evaluated. */
export interface ResolvedQuery {
  /** Without the search words, which have a reader of their own. */
  filter: ListingFilter;
  /** Order of the listings. */
  sort: PickerOrder;
  /** Names that were taken for something else than written, such as a family of GPUs. */
  understood: readonly Understood[];
  /** If there are any, the query must not be evaluated. */
  problems: readonly QueryProblem[];
}

/** How a door writes parameters. */
export interface DoorWords {
  /** A parameter with a value: `country=NO`. */
  assign: (parameter: ListingParameterName, value: string) => string;
  /** The name of a parameter. */
  nameOf: (parameter: ListingParameterName) => string;
  /** What lists the GPUs. */
  gpus: string;
}

/** Hints as the HTTP API writes parameters. */
export const HTTP_WORDS: DoorWords = {
  assign: (parameter, value) => `${parameter}=${value}`,
  nameOf: (parameter) => parameter,
  gpus: "GET /api/v2/gpus",
};

/**
 * Resolves a query: its words apart, everything is in the filter and the order.
 * @param words How hints write parameters; by default as the HTTP API.
 */
export function resolveListingQuery(
  query: ListingQuery,
  names: ListingNames,
  words: DoorWords = HTTP_WORDS,
): ResolvedQuery {
  const resolver = new Resolver(query, names, words);
  const filter: ListingFilter = {
    ...plainFilter(query),
    region: query.region,
    instance_type: query.instance_type,
    gpu: resolver.gpus(),
    provider: resolver.providers("provider"),
    not_provider: resolver.providers("not_provider"),
    continent: resolver.continents(),
    country: resolver.countries(),
    image: resolver.image(),
    fits: resolver.fits(),
  };
  resolver.checkNames("region");
  resolver.checkNames("instance_type");
  resolver.checkCounts();
  return { filter, sort: listingOrder(query), understood: resolver.understood, problems: resolver.problems };
}

/** Maximum number of unknown regions, and of unknown types, whose nearest name is looked for. */
const MAX_LOOKED_UP = 5;

/** Names in lower case, and the nearest of them. */
type KnownNames = Record<"region" | "instance_type", { names: ReadonlySet<string>; near: NearNames }>;

const knownByNames = new WeakMap<ListingNames, KnownNames>();

/** The regions, with those that zones are in, and the types of a catalog, memoized for its lifetime. */
function knownNames(names: ListingNames): KnownNames {
  const known = (given: Iterable<string>): KnownNames["region"] => {
    const distinct = new Set(Array.from(given, (name) => name.toLowerCase()));
    return { names: distinct, near: new NearNames(distinct) };
  };
  return memoized(knownByNames, names, () => ({
    region: known([...names.regions].flatMap((region) => [region, region.split("/", 1)[0] ?? ""])),
    instance_type: known(names.instanceTypes),
  }));
}

class Resolver {
  readonly understood: Understood[] = [];
  readonly problems: QueryProblem[] = [];

  constructor(
    private readonly query: ListingQuery,
    private readonly names: ListingNames,
    private readonly words: DoorWords,
  ) {}

  gpus(): readonly string[] | undefined {
    const hint = `${this.words.gpus} lists them; use =SLUG for a slug`;
    return this.#each("gpu", (name) => gpuSlugs(name, this.names.gpus), hint);
  }

  providers(parameter: "provider" | "not_provider"): readonly string[] | undefined {
    const known = [...this.names.providers];
    return this.#each(parameter, (name) => providersCalled(name, known), `known are ${known.join(", ")}`);
  }

  continents(): readonly string[] | undefined {
    const members = this.words.assign("country", "European Union");
    for (const name of this.query.continent?.filter((text) => /^eu$/i.test(text.trim())) ?? []) {
      this.#tell(name, `Europe, the continent; ${members} is the 27 members`);
    }
    return this.#each("continent", continentsCalled, `use one of ${CONTINENTS.join(", ")}`);
  }

  countries(): readonly string[] | undefined {
    return this.#each("country", countriesCalled, "use an English name or an ISO code such as NO");
  }

  /** @returns the filter of the wanted image; a problem if no provider has it. */
  image(): ImageFilter | undefined {
    const wanted = imageParameters(this.query);
    const parameter = parametersOf("image").find((name) => wanted[name] !== undefined);
    if (parameter === undefined) {
      return undefined;
    }
    const filter = imageFilter(this.names.images, wanted);
    if (filter.providers.length === 0) {
      const known = [...this.names.images.values()].flat().map(({ id }) => id);
      const [nearest] = wanted.image === undefined ? [] : nearNames(wanted.image, known);
      const hint = nearest === undefined ? "no provider has such an image" : `did you mean ${nearest}?`;
      this.problems.push({ parameter, reason: `${JSON.stringify(describeImage(wanted))} is unknown; ${hint}` });
    }
    return filter;
  }

  fits(): ListingFilter["fits"] {
    if (this.query.fits === undefined) {
      return undefined;
    }
    const parsed = parseModelNeed(this.query.fits);
    if (parsed.ok) {
      return modelFilter(parsed.need);
    }
    this.problems.push({ parameter: "fits", reason: `is invalid: ${parsed.reason}` });
    return undefined;
  }

  checkCounts(): void {
    const { min_gpu_count: least, max_gpu_count: most } = this.query;
    if (isCountRangeEmpty(least, most)) {
      this.problems.push({ parameter: "min_gpu_count", reason: emptyCountRange(this.words.nameOf("max_gpu_count")) });
    }
  }

  /**
   * A name without offers isn't wrong, because offers come and go; one that nearly is a known one is a slip. Only the
   * first unknown names are looked up, because there may be thousands of types.
   */
  checkNames(parameter: "region" | "instance_type"): void {
    const { names, near } = knownNames(this.names)[parameter];
    const unknown = (this.query[parameter] ?? []).filter((name) => !names.has(name.toLowerCase()));
    for (const name of unknown.slice(0, MAX_LOOKED_UP)) {
      const [nearest] = near.find(name);
      if (nearest !== undefined) {
        this.problems.push({ parameter, reason: `${JSON.stringify(name)} has no offers; did you mean ${nearest}?` });
      }
    }
  }

  #each(
    parameter: NamedParameter,
    read: (name: string) => Named<string>,
    otherwise: string,
  ): readonly string[] | undefined {
    const { plural, other } = NAMED[parameter];
    const values = this.query[parameter]?.flatMap((name) => {
      const named = read(name);
      if (named.kind === "known") {
        const taken = listText(named.values, plural);
        if (lettersOf(taken) !== lettersOf(name.replace(/^=/, ""))) {
          this.#tell(name, taken);
        }
        return [...named.values];
      }
      const nearest = named.nearest.length > 0 ? `did you mean ${named.nearest.join(", ")}?` : otherwise;
      const hint = other?.called(name).kind === "known" ? `use ${this.words.assign(other.name, name)}` : nearest;
      this.problems.push({ parameter, reason: `${JSON.stringify(name)} is unknown; ${hint}` });
      return [];
    });
    return values === undefined ? undefined : [...new Set(values)];
  }

  #tell(text: string, as: string): void {
    if (!this.understood.some((one) => one.text === text)) {
      this.understood.push({ text, as });
    }
  }
}

type NamedParameter = "gpu" | "provider" | "not_provider" | "continent" | "country";

/** What names are resolved to: the plural, and the parameter that a name may belong to instead. */
const NAMED: Readonly<
  Record<
    NamedParameter,
    { plural: string; other?: { name: ListingParameterName; called: (name: string) => Named<string> } }
  >
> = {
  gpu: { plural: "GPUs" },
  provider: { plural: "providers" },
  not_provider: { plural: "providers" },
  continent: { plural: "continents", other: { name: "country", called: countriesCalled } },
  country: { plural: "countries", other: { name: "continent", called: continentsCalled } },
};

const MAX_LISTED = 8;

function listText(values: readonly string[], plural: string): string {
  return values.length <= MAX_LISTED
    ? values.join(", ")
    : `${values.length} ${plural}: ${values.slice(0, 3).join(", ")} ...`;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

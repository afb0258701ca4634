import { lazily } from "../memoized.js";
import { findGpuModel } from "../gpu/resolve-gpu.js";
import { describeGpus, findGpuSlugs } from "./gpu-filter-names.js";
import { providersWithImage, type WantedImage } from "../image/image-filter.js";
import type { Offer } from "../offer/offer-schema.js";
import type { OsImage } from "../image/os-image-schema.js";
import { countryCalled, countryName, lettersOf, placesCalled } from "./place-names.js";
import { isProviderAlias, providerAliases, providerKey } from "../provider/provider-key.js";
import { findProviders } from "./provider-names.js";
import { CONTINENTS, continentCode } from "../place/continent.js";
import { UNKNOWN_REGION } from "../place/region.js";
import { NearNames } from "../text/near-names.js";
import type { SearchParts } from "./search-index.js";
import { compileTerm } from "./search-match.js";
import { canonical, fold, textOf } from "./search-text.js";
import type { SearchTerm } from "./search-term.js";

// The names of a catalog, as the grammar of searches knows them. What a name means is decided by the functions that
// the filters use, too: gpuSlugs, providersCalled, placesCalled.

/** Images by the provider's name, of the providers whose images are known. */
export type KnownImages = ReadonlyMap<string, readonly OsImage[]>;

/** What a search needs of the catalog's names. */
export class SearchNames {
  readonly #parts: SearchParts;
  readonly #images: KnownImages;
  readonly #gpus: readonly Offer["gpu"][];
  readonly #providers: readonly string[];
  /** Cities and regions as people write them, and words of regions in unknown countries. */
  readonly #cities = new Map<string, string>();
  readonly #regions = new Map<string, string>();
  readonly #unplaced = new Set<string>();
  /** Codes of countries by the letters of their names. */
  readonly #countries = new Map<string, string>();
  readonly #all = lazily(() => allNames(this.#parts));
  readonly #near = lazily(() => new NearNames(this.all));
  readonly #types = lazily(() => new Set(this.#parts.type.map(({ folded }) => folded)));
  /** All instance types as one text, a line each: a word never matches across lines, and there may be thousands of types. */
  readonly #typeLines = lazily(() => textOf(this.#parts.type.map(({ names }) => names)));
  readonly #slugs = new Map<string, readonly string[]>();

  constructor(parts: SearchParts, images: KnownImages = new Map()) {
    this.#parts = parts;
    this.#images = images;
    this.#gpus = parts.gpu.map(({ gpu }) => gpu);
    this.#providers = parts.provider.map(({ name }) => name);
    for (const { place, placeCodes, local } of parts.place) {
      const { countryCode, countryName: name } = place.regionInfo;
      if (countryCode === UNKNOWN_REGION.countryCode) {
        placeCodes.forEach((code) => this.#unplaced.add(code));
      } else {
        this.#countries.set(lettersOf(name), countryCode.toLowerCase());
        this.#countries.set(countryCode.toLowerCase(), countryCode.toLowerCase());
      }
      const [region = "", city = ""] = local.split("\n");
      this.#regions.set(region, place.region);
      this.#cities.set(city, place.regionInfo.cityState);
    }
  }

  /** The GPUs with a name, sorted by slug; undefined if there are none: see {@link gpuSlugs}. */
  gpu(name: string): readonly string[] | undefined {
    // "h100 - 80" names one card.
    if (!/^[a-z\d]/i.test(name)) {
      return undefined;
    }
    let slugs = this.#slugs.get(name);
    if (slugs === undefined) {
      slugs = findGpuSlugs(name, this.#gpus);
      // Each text has few windows; a service must not keep those of all texts.
      if (this.#slugs.size < 10_000) {
        this.#slugs.set(name, slugs);
      }
    }
    return slugs.length === 0 ? undefined : slugs;
  }

  /** Describes GPUs by the names of those that are offered. */
  describeGpus(slugs: readonly string[]): string {
    return describeGpus(slugs, this.#gpus);
  }

  /** The keys of the providers with a name; undefined if there are none. */
  provider(name: string): readonly string[] | undefined {
    const named = findProviders(name, this.#providers);
    if (named.length > 0) {
      return [...new Set(named.map(providerKey))];
    }
    return isProviderAlias(name) ? [providerKey(name)] : undefined;
  }

  /** The names of providers by their keys. */
  describeProviders(keys: readonly string[]): string {
    return keys.map((key) => this.#providers.find((name) => providerKey(name) === key) ?? key).join(", ");
  }

  /** The place with a name: a continent, a country, a group of them, a city, or a region in one word ("us east" is two). */
  place(name: string): Extract<SearchTerm, { kind: "place" }> | undefined {
    const folded = canonical(fold(name)).trim();
    const hasDigit = /\d/.test(folded);
    const called = hasDigit && !/^eu ?27$/.test(folded) ? undefined : placesCalled(folded);
    const letters = lettersOf(folded);
    const country = hasDigit || letters === "" ? undefined : this.#countryOf(letters, folded);
    const codes = called === undefined ? (country === undefined ? [] : [country]) : [...called];
    const known = this.#unplaced.has(folded) ? [...new Set([...codes, folded])] : codes;
    const isLocal = folded !== "" && (this.#cities.has(folded) || (!name.includes(" ") && this.#regions.has(folded)));
    if (known.length === 0 && !isLocal) {
      return undefined;
    }
    return { kind: "place", codes: known, ...(isLocal && (letters.length > 2 || hasDigit) ? { name: folded } : {}) };
  }

  /** The name of a city or region as it is written. */
  describePlace(name: string): string {
    return this.#cities.get(name) ?? this.#regions.get(name) ?? name;
  }

  #countryOf(letters: string, folded: string): string | undefined {
    const known = this.#countries.get(letters);
    // The platform's names of all countries are only read for a name that nothing in the catalog has.
    return known ?? (letters.length < 4 || this.#cities.has(folded) ? undefined : countryCalled(folded)?.toLowerCase());
  }

  /** Whether this is the whole name of an instance type. */
  isType(name: string): boolean {
    return this.#types().has(fold(canonical(name)));
  }

  /** The providers with an image; undefined if no provider's images are known. */
  image(wanted: WantedImage): readonly string[] | undefined {
    // Providers with an empty list state nothing.
    const isAnyKnown = [...this.#images.values()].some((images) => images.length > 0);
    return isAnyKnown ? providersWithImage(this.#images, wanted) : undefined;
  }

  /** Whether a name in the catalog matches a term that is about names. */
  has(term: SearchTerm): boolean {
    const compiled = compileTerm(term);
    if (compiled.kind !== "parts") {
      return true;
    }
    const { gpu = never, provider = never, place = never, form = never, type } = compiled.tests;
    const parts = this.#parts;
    return (
      parts.gpu.some(gpu) ||
      parts.provider.some(provider) ||
      parts.place.some(place) ||
      parts.form.some(form) ||
      (type !== undefined && (term.kind === "word" ? type(this.#typeLines()) : parts.type.some(type)))
    );
  }

  /** The names of GPUs, providers and places, for suggestions. */
  get all(): readonly string[] {
    return this.#all();
  }

  /** The same names, for looking up the nearest of a text. */
  get near(): NearNames {
    return this.#near();
  }
}

const never = (): boolean => false;

/** The English name of a place's code: `de`, `@eu`. */
export function placeName(code: string): string {
  return CONTINENT_NAMES.get(code) ?? countryName(code.toUpperCase()) ?? code;
}

const CONTINENT_NAMES: ReadonlyMap<string, string> = new Map(
  CONTINENTS.map((name) => [`@${continentCode(name).toLowerCase()}`, name]),
);

function allNames({ gpu, provider, place }: SearchParts): readonly string[] {
  const names = new Set<string>();
  for (const { gpu: known } of gpu) {
    const family = known.name.replaceAll(/ (?:SXM|PCIe|NVL|\d+GB)(?= |$)/g, "");
    for (const name of [known.name, family, family.replace(/^(?:Quadro )?[RG]TX /, ""), known.architecture]) {
      names.add(name);
    }
    names.add(findGpuModel(known.slug)?.vendor ?? "");
  }
  for (const { name, key } of provider) {
    names.add(name);
    providerAliases(key).forEach((alias) => names.add(alias));
  }
  for (const { place: known } of place) {
    const { countryName: country, cityState, continent } = known.regionInfo;
    const [region = ""] = known.region.split("/", 1);
    [country, cityState, continent, known.region, region].forEach((name) => names.add(name));
  }
  names.delete("");
  names.delete(UNKNOWN_REGION.countryName);
  return [...names];
}

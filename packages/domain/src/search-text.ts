import { findGpuModel } from "./gpu.js";
import type { Offer } from "./offer-schema.js";
import { providerKey } from "./provider-key.js";
import { continentCode, placeCode, UNKNOWN_REGION } from "./region.js";

// The searchable texts of an offer. Many offers share the same texts, which are built once.

/** The texts of an offer; each field is a line. */
export interface SearchText {
  /** Names with their case; words are separated by one space. */
  names: string;
  /** The same in lower case, without accents. */
  folded: string;
  /** Texts without case: providers and forms of deployment. */
  codes: string;
  /** Codes of the country and the continent (`@eu`), or the words of an unknown region. */
  places: readonly string[];
  /** The provider's key, which all of its names share. */
  provider: string;
  /** GPU and provider: two letters may be the start of these, or a word of them. */
  heads: string;
  /** The fields as written, for phrases. */
  phrases: string;
  foldedPhrases: string;
  /** Whole numbers in the name of the GPU. */
  numbers: ReadonlySet<number>;
}

const byOffer = new WeakMap<Offer, SearchText>();
let byContent = new Map<string, SearchText>();

/** Texts memoized by content; a catalog with more distinct ones computes them again. */
const MAX_REMEMBERED = 20_000;

/** The texts of an offer, memoized for the lifetime of the offer. */
export function searchTextOf(offer: Offer): SearchText {
  let text = byOffer.get(offer);
  if (text === undefined) {
    text = shared(offer);
    byOffer.set(offer, text);
  }
  return text;
}

function shared(offer: Offer): SearchText {
  const { gpu, provider, region, regionInfo, interconnect } = offer;
  const key = [
    gpu.name,
    gpu.slug,
    gpu.architecture,
    provider.name,
    region,
    regionInfo.countryCode,
    regionInfo.countryName,
    regionInfo.cityState,
    regionInfo.continent,
    offer.deploymentType,
    typeof interconnect === "string" ? interconnect : "",
  ].join("\n");
  let text = byContent.get(key);
  if (text === undefined) {
    if (byContent.size >= MAX_REMEMBERED) {
      byContent = new Map();
    }
    text = makeText(offer);
    byContent.set(key, text);
  }
  return text;
}

function makeText(offer: Offer): SearchText {
  const { gpu, provider, region, regionInfo, interconnect, deploymentType } = offer;
  const vendor = findGpuModel(gpu.slug)?.vendor ?? "";
  const fields = [
    gpu.name,
    vendor,
    gpu.architecture,
    provider.name,
    region,
    placeCode(regionInfo),
    regionInfo.countryName,
    regionInfo.cityState,
    regionInfo.continent,
    deploymentType,
    typeof interconnect === "string" ? interconnect : "",
  ];
  // A slug adds nothing to its name, unless a service names its GPUs differently.
  const slug = canonical(fold(gpu.slug)) === canonical(fold(gpu.name)) ? [] : [canonical(gpu.slug)];
  const names = [...fields.map(canonical), ...slug].join("\n");
  const phrases = [...fields, gpu.slug].map((field) => field.replaceAll(/\s+/g, " ")).join("\n");
  return {
    names,
    folded: fold(names),
    codes: fold([provider.name, deploymentType].map(canonical).join("\n")),
    places: placesOf(offer),
    provider: providerKey(provider.name),
    heads: fold([gpu.name, provider.name].map(canonical).join("\n")),
    phrases,
    foldedPhrases: fold(phrases),
    numbers: new Set(gpu.name.match(/\d+/g)?.map(Number)),
  };
}

function placesOf({ region, regionInfo }: Offer): string[] {
  const continent = `@${continentCode(regionInfo.continent).toLowerCase()}`;
  return regionInfo.countryCode === UNKNOWN_REGION.countryCode
    ? [...(fold(region).match(/[a-z]+/g) ?? []).flatMap((word) => [word, `@${word}`]), continent]
    : [regionInfo.countryCode.toLowerCase(), continent];
}

/** Lower case without accents: `Zürich` is found by `zurich`. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  return /^[\0-\x7f]*$/.test(lower) ? lower : lower.normalize("NFD").replaceAll(/\p{M}+/gu, "");
}

/** One space between words; drops the generation of an SXM socket, which few sources state. */
export function canonical(text: string): string {
  return text
    .replaceAll(/[\s_-]+/g, " ")
    .trim()
    .replaceAll(/(sxm)[2-6](?!\d)/gi, "$1");
}

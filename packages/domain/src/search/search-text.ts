import { memoized } from "../memoized.js";
import { findGpuModel } from "../gpu/resolve-gpu.js";
import type { Offer } from "../offer/offer-schema.js";
import { providerKey } from "../provider/provider-key.js";
import { continentCode } from "../place/continent.js";
import { placeCode, UNKNOWN_REGION } from "../place/region.js";

// The searchable texts of offers. A text belongs to a part of an offer (its GPU, provider, place, form or instance type)
// that many offers share, so that each distinct one is built and searched once.

/** The texts of one part of an offer. */
export interface SearchText {
  /** Names with their case, a line each; words are separated by one space. */
  names: string;
  /** The same in lower case, without accents. */
  folded: string;
  /** Texts without case: providers and forms of deployment. */
  codes: string;
  /** GPU and provider: two letters may be the start of these, or a word of them. */
  heads: string;
  /** The fields as written, for phrases. */
  phrases: string;
  /** The phrases in lower case without accents. */
  foldedPhrases: string;
}

/** The GPU of an offer. */
export interface GpuText extends SearchText {
  /** Model of each GPU. */
  gpu: Offer["gpu"];
  /** Whole numbers in its name. */
  numbers: ReadonlySet<number>;
}

/** The provider of an offer. */
export interface ProviderText extends SearchText {
  /** Name of the provider. */
  name: string;
  /** See {@link providerKey}. */
  key: string;
}

/** The place of an offer. */
export interface PlaceText extends SearchText {
  /** Region and location. */
  place: SearchedPlace;
  /** Codes of the country and the continent (`no`, `@eu`), or the words of an unknown region. */
  placeCodes: readonly string[];
  /** Region and city in lower case without accents, a line each. */
  local: string;
}

/** The texts of each part of an offer. */
export interface PartTexts {
  /** The model of a GPU. */
  gpu: GpuText;
  /** The provider. */
  provider: ProviderText;
  /** The region and its place. */
  place: PlaceText;
  /** Kind of machine and network. */
  form: SearchText;
  /** The instance type; the empty text stands for an unknown one. */
  type: SearchText;
}

type SearchedPlace = Pick<Offer, "region" | "regionInfo">;

/** The texts of a GPU. */
export function gpuText({ gpu }: Pick<Offer, "gpu">): GpuText {
  const { name, slug, architecture } = gpu;
  // A slug adds nothing to its name, unless a service names its GPUs differently.
  const extra = canonical(fold(slug)) === canonical(fold(name)) ? [] : [slug];
  const fields = [name, findGpuModel(slug)?.vendor ?? "", architecture];
  const texts = textOf(fields, { extra, heads: [name], spelled: [slug] });
  return { ...texts, gpu, numbers: new Set(name.match(/\d+/g)?.map(Number)) };
}

/** Those of a provider. */
export function providerText({ provider: { name } }: Pick<Offer, "provider">): ProviderText {
  return { ...textOf([name], { heads: [name], codes: [name] }), name, key: providerKey(name) };
}

/** Those of a place. */
export function placeText({ region, regionInfo }: SearchedPlace): PlaceText {
  const { countryName, cityState, continent } = regionInfo;
  return {
    ...textOf([region, placeCode(regionInfo), countryName, cityState, continent]),
    place: { region, regionInfo },
    placeCodes: placeCodesOf({ region, regionInfo }),
    local: foldedLines([region, cityState]),
  };
}

/** Those of a deployment type and a network. */
export function formText({ deploymentType, interconnect }: Pick<Offer, "deploymentType" | "interconnect">): SearchText {
  return textOf([deploymentType, typeof interconnect === "string" ? interconnect : ""], { codes: [deploymentType] });
}

/** Those of an instance type. */
export function typeText(type: string): SearchText {
  return textOf([type]);
}

/** Texts besides the fields; only phrases find `spelled`. */
type Extras = Partial<Record<"extra" | "heads" | "codes" | "spelled", readonly string[]>>;

/** The texts of some fields. */
export function textOf(
  fields: readonly string[],
  { extra = [], heads = [], codes = [], spelled = [] }: Extras = {},
): SearchText {
  const names = canonicalLines([...fields, ...extra]);
  const phrases = [...fields, ...spelled].map((field) => field.replaceAll(/\s+/g, " ")).join("\n");
  return {
    names,
    folded: fold(names),
    codes: foldedLines(codes),
    heads: foldedLines(heads),
    phrases,
    foldedPhrases: fold(phrases),
  };
}

function canonicalLines(fields: readonly string[]): string {
  return fields.map(canonical).join("\n");
}

function foldedLines(fields: readonly string[]): string {
  return fold(canonicalLines(fields));
}

function placeCodesOf({ region, regionInfo }: SearchedPlace): string[] {
  const continent = `@${continentCode(regionInfo.continent).toLowerCase()}`;
  return regionInfo.countryCode === UNKNOWN_REGION.countryCode
    ? [...(fold(region).match(/[a-z]+/g) ?? []).flatMap((word) => [word, `@${word}`]), continent]
    : [regionInfo.countryCode.toLowerCase(), continent];
}

const memo = new Map<unknown, Map<string, unknown>>();

/** Texts memoized for each part; a catalog with more distinct ones computes them again. */
const MAX_REMEMBERED = 20_000;

/** The texts of a part, memoized: another catalog has most of them, too. */
export function sharedText<Value, Text extends SearchText>(part: (value: Value) => Text, value: Value): Text {
  let texts = memo.get(part) as Map<string, Text> | undefined;
  if (texts === undefined || texts.size >= MAX_REMEMBERED) {
    texts = new Map();
    memo.set(part, texts);
  }
  return memoized(texts, JSON.stringify(value), () => part(value));
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

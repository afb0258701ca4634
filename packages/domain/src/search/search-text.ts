import { memoized } from "../memoized.js";
import { findGpuModel } from "../gpu/gpu.js";
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

/** Fields of an offer that name its place. */
type SearchedPlace = Pick<Offer, "region" | "regionInfo">;

/** A text that identifies a part, and makes its texts. Equal keys have equal texts. */
export interface Part<Value, Text> {
  keyOf: (value: Value) => string;
  textOf: (value: Value) => Text;
}

/** The GPU. */
export const gpuPart: Part<Pick<Offer, "gpu">, GpuText> = {
  keyOf: ({ gpu }) => `${gpu.slug}\n${gpu.name}\n${gpu.architecture}\n${gpu.vramGB}`,
  textOf({ gpu }) {
    const { name, slug, architecture, vramGB } = gpu;
    // A slug adds nothing to its name, unless a service names its GPUs differently.
    const extra = canonical(fold(slug)) === canonical(fold(name)) ? [] : [canonical(slug)];
    return {
      ...textOf([name, findGpuModel(slug)?.vendor ?? "", architecture], { extra, heads: [name], spelled: [slug] }),
      gpu: { name, slug, architecture, vramGB },
      numbers: new Set(name.match(/\d+/g)?.map(Number)),
    };
  },
};

/** The provider. */
export const providerPart: Part<Pick<Offer, "provider">, ProviderText> = {
  keyOf: ({ provider }) => provider.name,
  textOf: ({ provider: { name } }) => ({
    ...textOf([name], { heads: [name], codes: [name] }),
    name,
    key: providerKey(name),
  }),
};

/** The place. */
export const placePart: Part<SearchedPlace, PlaceText> = {
  keyOf: ({ region, regionInfo: { countryCode, countryName, cityState, continent } }) =>
    `${region}\n${countryCode}\n${countryName}\n${cityState}\n${continent}`,
  textOf({ region, regionInfo }) {
    const { countryCode, countryName, cityState, continent } = regionInfo;
    return {
      ...textOf([region, placeCode(regionInfo), countryName, cityState, continent], {}),
      place: { region, regionInfo: { countryCode, countryName, cityState, continent } },
      placeCodes: placeCodesOf({ region, regionInfo }),
      local: fold([region, cityState].map(canonical).join("\n")),
    };
  },
};

/** Deployment type and network. */
export const formPart: Part<Pick<Offer, "deploymentType" | "interconnect">, SearchText> = {
  keyOf: ({ deploymentType, interconnect }) => `${deploymentType}\n${networkOf(interconnect)}`,
  textOf: ({ deploymentType, interconnect }) =>
    textOf([deploymentType, networkOf(interconnect)], { codes: [deploymentType] }),
};

/** The instance type. */
export const typePart: Part<string, SearchText> = {
  keyOf: (type) => type,
  textOf: (type) => textOf([type], {}),
};

function networkOf(interconnect: unknown): string {
  return typeof interconnect === "string" ? interconnect : "";
}

/** Texts besides the fields; only phrases find `spelled`. */
type Extras = Partial<Record<"extra" | "heads" | "codes" | "spelled", readonly string[]>>;

function textOf(fields: readonly string[], { extra = [], heads = [], codes = [], spelled = [] }: Extras): SearchText {
  const names = [...fields.map(canonical), ...extra].join("\n");
  const phrases = [...fields, ...spelled].map((field) => field.replaceAll(/\s+/g, " ")).join("\n");
  return {
    names,
    folded: fold(names),
    codes: fold(codes.map(canonical).join("\n")),
    heads: fold(heads.map(canonical).join("\n")),
    phrases,
    foldedPhrases: fold(phrases),
  };
}

/** The lines of several texts as one. */
export function joinTexts(texts: readonly SearchText[]): SearchText {
  const joined = (key: keyof SearchText): string => texts.map((text) => text[key]).join("\n");
  return {
    names: joined("names"),
    folded: joined("folded"),
    codes: joined("codes"),
    heads: joined("heads"),
    phrases: joined("phrases"),
    foldedPhrases: joined("foldedPhrases"),
  };
}

function placeCodesOf({ region, regionInfo }: SearchedPlace): string[] {
  const continent = `@${continentCode(regionInfo.continent).toLowerCase()}`;
  return regionInfo.countryCode === UNKNOWN_REGION.countryCode
    ? [...(fold(region).match(/[a-z]+/g) ?? []).flatMap((word) => [word, `@${word}`]), continent]
    : [regionInfo.countryCode.toLowerCase(), continent];
}

/** The texts of an instance type. */
export function typeTextOf(type: string): SearchText {
  return sharedText(typePart, type);
}

const memo = new Map<unknown, Map<string, unknown>>();

/** Texts memoized for each part; a catalog with more distinct ones computes them again. */
const MAX_REMEMBERED = 20_000;

/** The texts of a part, memoized: another catalog has most of them, too. */
export function sharedText<Value, Text extends SearchText>(part: Part<Value, Text>, value: Value): Text {
  let texts = memo.get(part) as Map<string, Text> | undefined;
  if (texts === undefined || texts.size >= MAX_REMEMBERED) {
    texts = new Map();
    memo.set(part, texts);
  }
  return memoized(texts, part.keyOf(value), () => part.textOf(value));
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

import { readFileSync } from "node:fs";
import type { Searched } from "@gpu-offers/domain";

// What people type into the search boxes of GPU clouds: each text with its reading in words, and what it must find as plain
// conditions on the fields of offers. They are the lines of searches.ndjson, and share nothing with the grammar of searches.

/** Conditions that must all hold: patterns, lists with commas, and limits such as `>=1 <2`. */
type Conditions = Readonly<Record<string, unknown>>;

interface Line {
  /** `fresh` was written before the grammar, from what people type; `slips` too, with a slip each. */
  set: "fresh" | "slips" | "published" | "exact" | "words";
  texts: readonly string[];
  reading: string;
  means: Conditions;
}

/** A search text of the corpus. */
export interface CorpusSearch {
  texts: readonly string[];
  /** In words. */
  reading: string;
  meant: (searched: Searched) => boolean;
  /** Typed into a field, where slips are taken. */
  isTyped: boolean;
}

type Condition = (searched: Searched, value: never) => boolean;

/** Patterns, of which each must match. */
const text =
  (of: (searched: Searched) => string | null | undefined): Condition =>
  (searched, value: string | readonly string[]) =>
    [value].flat().every((pattern) => new RegExp(pattern, "im").test(of(searched) ?? ""));

/** Names with commas. */
const name =
  (of: (searched: Searched) => string): Condition =>
  (searched, value: string) =>
    value.split(",").includes(of(searched));

/** Limits: `8`, `>=1 <2`. */
const number =
  (of: (searched: Searched) => number): Condition =>
  (searched, value: string) =>
    value.split(" ").every((limit) => {
      const [, sign = "", end] = /^([<>]?)=?(.+)$/.exec(limit) ?? [];
      const [found, least] = [of(searched), Number(end)];
      const isEqual = found === least && !/^[<>][^=]/.test(limit);
      return isEqual || (sign === "<" && found < least) || (sign === ">" && found > least);
    });

const CONDITIONS: Record<string, Condition> = {
  gpu: text(({ offer }) => offer.gpu.slug),
  architecture: text(({ offer }) => offer.gpu.architecture),
  type: text(({ instanceType }) => instanceType),
  network: text(({ offer: { interconnect } }) => (typeof interconnect === "string" ? interconnect : null)),
  place: text(({ offer }) => `${offer.region}\n${offer.regionInfo.cityState}`),
  provider: name(({ offer }) => offer.provider.name),
  country: name(({ offer }) => offer.regionInfo.countryCode),
  continent: name(({ offer }) => offer.regionInfo.continent),
  deployment: name(({ offer }) => offer.deploymentType),
  gpuCount: number(({ offer }) => offer.gpuCount),
  vram: number(({ offer }) => offer.gpu.vramGB),
  totalVram: number(({ offer }) => offer.gpu.vramGB * offer.gpuCount),
  ram: number(({ offer }) => offer.specs.ram),
  vcpu: number(({ offer }) => offer.specs.vcpu),
  // A disk that is included or can be chosen; or nothing is known about disks
  disk: number(({ offer }) => (offer.storageMaxGB === 0 && !offer.costDataComplete ? Infinity : offer.storageMaxGB)),
  price: number(({ offer }) => offer.pricePerGpu),
  hourly: number(({ offer }) => offer.priceHourly),
  // Per GPU
  spot: number(({ offer, spot }) => (spot?.kind === "price" ? spot.priceHourly / offer.gpuCount : Number.NaN)),
  nvlink: ({ offer }) => offer.nvlinkEnabled,
  available: ({ offer }) => offer.isAvailable,
  any: (searched, choices: readonly Conditions[]) => choices.some((each) => areMet(each, searched)),
  not: (searched, conditions: Conditions) => !areMet(conditions, searched),
  // A number alone: a count, a memory size, a number in the GPU's name
  number: ({ offer: { gpu, gpuCount } }, value: number) =>
    gpuCount === value || gpu.vramGB === value || gpu.name.split(/\D+/).includes(String(value)),
};

/** @throws TypeError if a line names an unknown condition. */
const areMet = (conditions: Conditions, searched: Searched): boolean =>
  Object.entries(conditions).every(([key, value]) => CONDITIONS[key]?.(searched, value as never) ?? unknown(key));

function unknown(key: string): never {
  throw new TypeError(`searches.ndjson has the unknown condition ${key}.`);
}

const lines = readFileSync(new URL("./searches.ndjson", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Line);

const searchOf = ({ set, means, ...search }: Line): CorpusSearch => ({
  ...search,
  meant: (searched) => areMet(means, searched),
  isTyped: set === "slips",
});

/** Searches for what people type, written before the grammar was. */
export const freshSearches: readonly CorpusSearch[] = lines
  .filter(({ set }) => set === "fresh" || set === "slips")
  .map(searchOf);

/** All searches. */
export const corpus: readonly CorpusSearch[] = lines.map(searchOf);

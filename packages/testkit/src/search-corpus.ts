import { readFileSync } from "node:fs";
import type { Searched, SearchWishes } from "@gpu-offers/domain";

// What people type into the search boxes of GPU clouds: the lines of docs/search-words.txt, each with its reading as plain
// conditions on the fields of offers. They share nothing with the grammar of searches.

export interface CorpusSearch {
  text: string;
  /** The kind of the text: the heading above it. */
  kind: string;
  /** As in the file. */
  reading: string;
  /** Whether an offer meets the conditions. */
  meant: (searched: Searched) => boolean;
  /** What the query then has besides conditions. */
  wishes: SearchWishes;
  /** The reading is reported as doubtful. */
  isDoubtful: boolean;
  /** A word is reported as unknown. */
  isUnknown: boolean;
  /** Typed into a field, where slips are taken. */
  isTyped: boolean;
}

type Field<Value> = (searched: Searched) => Value;
type Test = Field<boolean>;

const NAMES: Readonly<Record<string, Field<string | null | undefined>>> = {
  gpu: ({ offer }) => offer.gpu.slug,
  arch: ({ offer }) => offer.gpu.architecture,
  type: ({ instanceType }) => instanceType,
  network: ({ offer: { interconnect } }) => (typeof interconnect === "string" ? interconnect : null),
  place: ({ offer }) => `${offer.region}\n${offer.regionInfo.cityState}`,
  provider: ({ offer }) => offer.provider.name,
  country: ({ offer }) => offer.regionInfo.countryCode,
  continent: ({ offer }) => offer.regionInfo.continent,
  deployment: ({ offer }) => offer.deploymentType,
  seller: ({ seller }) => seller,
};

const NUMBERS: Readonly<Record<string, Field<number>>> = {
  gpus: ({ offer }) => offer.gpuCount,
  vram: ({ offer }) => offer.gpu.vramGB,
  totalvram: ({ offer }) => offer.gpu.vramGB * offer.gpuCount,
  // Zero is unknown
  ram: ({ offer }) => offer.specs.ram || Number.NaN,
  vcpu: ({ offer }) => offer.specs.vcpu || Number.NaN,
  price: ({ offer }) => offer.pricePerGpu,
  hourly: ({ offer }) => offer.priceHourly,
  // Per GPU
  spotprice: ({ offer, spot }) => (spot?.kind === "price" ? spot.priceHourly / offer.gpuCount : Number.NaN),
};

const FLAGS: Readonly<Record<string, Test>> = {
  nvlink: ({ offer }) => offer.nvlinkEnabled,
  verified: ({ verified }) => verified === true,
  // One can buy none of the sample.
  available: ({ offer, sample }) => offer.isAvailable && sample !== true,
  spot: ({ spot }) => spot?.kind === "price",
  unknown: () => false,
  "?": () => true,
};

/** Named by the words of a reading: each sets a wish. */
const WISHES: Readonly<Record<string, (value: string) => SearchWishes>> = {
  sort: (key) => ({ sortBy: key as NonNullable<SearchWishes["sortBy"]> }),
  budget: (usd) => ({ budgetUsd: Number(usd) }),
  hours: (hours) => ({ hours: Number(hours) }),
  fits: (fits) => ({ fits }),
  disk: (gb) => ({ diskGb: Number(gb) }),
  desc: () => ({ sortOrder: "desc" }),
  "on-demand": () => ({ spot: false }),
  spot: () => ({ spot: true }),
};

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "=": (a, b) => a === b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

const tokenPattern = /\(|\)|(?:[^\s()"]|"[^"]*")+/g;

/** Names with `*` and `?`, and commas between them; a line of several may match. */
function matcher(globs: string): (value: string) => boolean {
  const sources = globs.split(",").map((glob) =>
    glob
      .replaceAll(/[.+^$()[\]{}|\\]/g, String.raw`\$&`)
      .replaceAll("*", ".*")
      .replaceAll("?", "."),
  );
  const pattern = new RegExp(`^(?:${sources.join("|")})$`, "im");
  return (value) => pattern.test(value);
}

/** @throws TypeError for an unknown condition. */
function testOf(token: string): Test {
  const [, name = "", sign = "", value = ""] = /^([a-z-]+|\?)(?:([<>]?=|[<>])(.+))?$/.exec(token) ?? [];
  const text = value.replaceAll('"', "");
  const [named, number, flag] = [NAMES[name], NUMBERS[name], FLAGS[name]];
  if (named !== undefined) {
    const matches = matcher(text);
    return (searched) => matches(named(searched) ?? "");
  }
  const compare = COMPARISONS[sign];
  if (number !== undefined && compare !== undefined) {
    return (searched) => compare(number(searched), Number(text));
  }
  if (name === "number") {
    // A number alone: a count, a memory size, a number in the GPU's name
    return ({ offer: { gpu, gpuCount } }) =>
      [gpuCount, gpu.vramGB].includes(Number(text)) || gpu.name.split(/\D+/).includes(text);
  }
  if (name === "disk") {
    // A disk that is included or can be chosen; or nothing is known about disks
    return ({ offer }) => (offer.storageMaxGB === 0 && !offer.costDataComplete) || offer.storageMaxGB >= Number(text);
  }
  if (flag === undefined && WISHES[name] === undefined) {
    throw new TypeError(`docs/search-words.txt has the unknown condition ${token}.`);
  }
  return flag ?? (() => true);
}

/** Reads conditions: all must hold, of those with "or" between them one, and not the one behind "not". */
function conditions(tokens: string[]): Test {
  const choices: Test[][] = [[]];
  for (let token = tokens.shift(); token !== undefined && token !== ")"; token = tokens.shift()) {
    if (token === "or") {
      choices.push([]);
      continue;
    }
    const isNot = token === "not";
    const operand = isNot ? (tokens.shift() ?? "") : token;
    const test = operand === "(" ? conditions(tokens) : testOf(operand);
    choices.at(-1)?.push(isNot ? (searched) => !test(searched) : test);
  }
  return (searched) => choices.some((tests) => tests.every((test) => test(searched)));
}

function* readLines(): Generator<CorpusSearch> {
  let kind = "";
  for (const line of readFileSync(new URL("../../../docs/search-words.txt", import.meta.url), "utf8").split("\n")) {
    kind = /^## (.*)$/.exec(line)?.[1] ?? kind;
    const [, text, reading] = /^([^#].*) \| ([^|]*)$/.exec(line) ?? [];
    if (text !== undefined && reading !== undefined) {
      const tokens: string[] = reading.match(tokenPattern) ?? [];
      const wishes = tokens.map((token) => {
        const [name = "", value = ""] = token.split("=");
        return WISHES[name]?.(value) ?? {};
      });
      yield {
        text,
        kind,
        reading,
        wishes: Object.assign({}, ...wishes) as SearchWishes,
        isDoubtful: tokens.includes("?"),
        isUnknown: tokens.includes("unknown"),
        isTyped: kind.startsWith("slips"),
        meant: conditions([...tokens]),
      };
    }
  }
}

export const corpus: readonly CorpusSearch[] = [...readLines()];

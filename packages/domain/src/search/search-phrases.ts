import type { WantedImage } from "../image/image-filter.js";
import type { SearchTerm, SearchWishes } from "./search-term.js";

// Words of a search with a fixed meaning, as patterns of plain words in lower case.

/** What a phrase means. */
interface Phrase {
  kind: "wish" | "count" | "deployment" | "feature" | "image";
  terms: readonly SearchTerm[];
  wishes?: SearchWishes;
  /** An image that the catalog must know. */
  image?: WantedImage;
  as: string;
}

const END = "(?= |$)";
const pattern = (words: string): RegExp => new RegExp(`^(?:${words})${END}`);

/** Numbers in words. */
export const COUNTS: Readonly<Record<string, number>> = {
  single: 1,
  one: 1,
  dual: 2,
  double: 2,
  two: 2,
  triple: 3,
  three: 3,
  quad: 4,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  sixteen: 16,
};

const countPattern = pattern(String.raw`(${Object.keys(COUNTS).join("|")})(?:[- ](?:x|gpus?|cards?))?`);

const phrases: readonly (readonly [RegExp, Phrase])[] = [
  [
    pattern("cheapest|cheap|lowest (?:price|cost)|best price|inexpensive"),
    { kind: "wish", terms: [], wishes: { sortBy: "pricePerGpu" }, as: "cheapest first" },
  ],
  [
    pattern(
      "(?:currently |immediately )?available(?: (?:right )?now)?|in[- ]stock(?: now)?|(?:right )?now|instock|live|today|currently",
    ),
    { kind: "feature", terms: [{ kind: "available" }], as: "available" },
  ],
  [
    pattern("(?:spot|preempt[ia]ble|pre-emptible|interruptible)(?: (?:price|instance|gpu|offer)s?)?"),
    { kind: "wish", terms: [{ kind: "spot" }], wishes: { spot: true }, as: "spot prices" },
  ],
  [
    pattern("on[- ]?demand|non[- ]spot|(?:not|no) (?:spot|preemptible|interruptible)"),
    { kind: "wish", terms: [], wishes: { spot: false }, as: "on-demand prices" },
  ],
  [pattern("vms?|virtual(?: machines?)?"), deployment("virtual", "virtual machine")],
  [pattern("bare[- ]?metal|baremetal|metal"), deployment("bare-metal", "bare metal")],
  [pattern("containers?"), deployment("container", "container")],
  [pattern("nv-?link(?:ed)?"), { kind: "feature", terms: [{ kind: "nvlink" }], as: "NVLink" }],
  [pattern("infini[- ]?band|ib"), { kind: "feature", terms: [{ kind: "word", text: "infiniband" }], as: "InfiniBand" }],
  [
    pattern("multi(?:ple)?[- ]gpus?"),
    {
      kind: "count",
      terms: [{ kind: "compare", field: "gpuCount", operator: ">=", value: 2 }],
      as: "at least 2 GPUs",
    },
  ],
];

function deployment(type: string, as: string): Phrase {
  return { kind: "deployment", terms: [{ kind: "deployment", types: [type] }], as };
}

const systemPattern =
  /^(ubuntu|debian|fedora|centos|rocky linux|rocky|almalinux|rhel|opensuse|windows server|windows)(?:(?: server)?[ -]?(\d{1,4}(?:\.\d{1,2})?))?(?= |$)/;
const cudaPattern = /^cuda(?:[ -]?v?(\d{1,2}(?:\.\d{1,2})?))?(?= |$)/;

/** The phrase at the start of a text of plain words, and its length; undefined if there is none. */
export function readPhrase(text: string): { phrase: Phrase; length: number } | undefined {
  for (const [words, phrase] of phrases) {
    const match = words.exec(text);
    if (match !== null) {
      return { phrase, length: match[0].length };
    }
  }
  const [count, word = ""] = countPattern.exec(text) ?? [];
  const value = COUNTS[word];
  if (count !== undefined && value !== undefined) {
    const terms: SearchTerm[] = [{ kind: "compare", field: "gpuCount", operator: "=", value }];
    return { phrase: { kind: "count", terms, as: value === 1 ? "1 GPU" : `${value} GPUs` }, length: count.length };
  }
  return readImage(text);
}

/** What words about images are taken for where no provider's images are known. */
export const IMAGES_UNKNOWN = "not filtered, because images are unknown here";

function readImage(text: string): { phrase: Phrase; length: number } | undefined {
  const [system, name, version] = systemPattern.exec(text) ?? [];
  if (system !== undefined && name !== undefined) {
    const os = version === undefined ? name : `${name}-${version}`;
    return { phrase: { kind: "image", terms: [], image: { os }, as: `an image with ${os}` }, length: system.length };
  }
  const [cuda, toolkit] = cudaPattern.exec(text) ?? [];
  if (cuda !== undefined) {
    const image: WantedImage = toolkit === undefined ? { hasCuda: true } : { cuda: toolkit };
    const as = `an image with CUDA${toolkit === undefined ? "" : ` ${toolkit}`}`;
    return { phrase: { kind: "image", terms: [], image, as }, length: cuda.length };
  }
  const [docker] = /^docker(?= |$)/.exec(text) ?? [];
  return docker === undefined
    ? undefined
    : {
        phrase: { kind: "image", terms: [], image: { hasDocker: true }, as: "an image with Docker" },
        length: docker.length,
      };
}

/** Words that say nothing beside others. */
export const NOISE: ReadonlySet<string> = new Set(
  `with for a an the and i we need want looking show find get give me rent renting rental hire please some any all everything
  anything anywhere everywhere anyone gpu gpus card cards instance instances server servers machine machines node nodes cloud clouds offer offers deal deals
  price prices priced pricing cost costs $ usd hourly per hour of to by is are that has have having only just but which provider providers
  region country inference training finetuning fine-tuning cluster clusters workload job ai ml llm llms model models
  what does how much can you use using run running`.split(/\s+/),
);

/** Words before a place or a provider. */
export const PREPOSITIONS: ReadonlySet<string> = new Set("in at on from near within inside via by hosted".split(" "));

/** Words that negate what follows. `no` alone is Norway. */
export const NEGATION =
  /^(?:(?:(?:everything|anything|anywhere|all) )?(?:except(?: for)?|but not|other than|excluding|excl\.?|without|outside(?: of)?)|(?:everything|anything|everywhere|anywhere|anyone|all|any) but|not|no|non|w\/o)(?= )/;

/** Words between alternatives. */
export const EITHER: ReadonlySet<string> = new Set(["or"]);
/** Words and marks between names that are alternatives if they are of one kind, else conditions. */
export const BY_KIND: ReadonlySet<string> = new Set(["and", "&", "+", "/", "vs", "versus"]);

import type { WantedImage } from "../image/image-filter.js";
import { at, COUNTS, END, takeFirst, type Rows } from "./search-limits.js";
import type { SearchField, SearchOperator, SearchTerm, SearchWishes } from "./search-term.js";

// The phrases of searches with a fixed meaning, and words with a part in them. Patterns are of plain words in lower case. A test
// reads the examples in the comments; docs/search-words.txt has more.

const BITS = String.raw`(?: (?:at|in|with))?[ -]?(?:@|(?=(?:fp|bf|int|q)\d|\d\d?[ -]?bits?${END}))(?:fp|bf|int|q)?(\d{1,2})(?:[ -]?bits?)?`;

/** Families of language models. */
export const MODELS =
  "(?:code)?llama|mistral|mixtral|ministral|qwen|qwq|gemma|phi|deepseek|falcon|yi|gpt|glm|kimi|command|nemotron|bloom|olmo";
/** Groups: whether it is trained, the number of experts, billions of parameters, bits. */
const MODEL = at(
  String.raw`(?:(?:that |which |to |can |it |able )*(?:(train(?:ing)?|fine-?tun(?:e|ing))|runs?|running|fits?|serv(?:es?|ing)|hosts?|loads?|for|infer(?:ence)?)(?: (?:an?|the|of|on|with))* )?(?:(?:meta[ -])?(?:${MODELS})[a-z]*(?:[ -]?[vr]?\d{1,2}(?:\.\d)?(?=[ :-]))?(?:[ -](?:r1|v3|oss|coder|large|small|instruct|chat|base))*[ :-]?)?(?:(\d{1,2})x)?(\d{1,4}(?:\.\d{1,2})?)b(?:[ -](?:models?|params?|parameters?|instruct|chat|it|base|llm))*(?:${BITS})?`,
);

/** What a phrase means. */
export interface Phrase {
  kind: "wish" | "count" | "deployment" | "feature" | "image";
  terms: readonly SearchTerm[];
  wishes?: SearchWishes;
  /** An image that the catalog must know. */
  image?: WantedImage;
  as: string;
  doubt?: string | undefined;
  /** Whether it is a disk for the weights of the model that other words name. */
  isForWeights?: true;
}

const wish = (as: string, wishes: SearchWishes, terms: readonly SearchTerm[] = []): Phrase => ({
  kind: "wish",
  terms,
  wishes,
  as,
});
const deployment = (type: string, as: string): Phrase => ({
  kind: "deployment",
  terms: [{ kind: "deployment", types: [type] }],
  as,
});
const imagePhrase = (image: WantedImage, name: string): Phrase => ({
  kind: "image",
  terms: [],
  image,
  as: `an image with ${name}`,
});
const compare = (field: SearchField, operator: SearchOperator, value: number): SearchTerm => ({
  kind: "compare",
  field,
  operator,
  value,
});
const feature = (as: string, term: SearchTerm): Phrase => ({ kind: "feature", terms: [term], as });

const OWN = "(?:(?:all|an?|its|their|the|model|local|enough) )*";
const CHEAPEST = "(?:cheap(?:est)?|lowest|best|least expensive)(?: (?:price|cost))?(?: (?:per|for each|by))";
const SORTS: Readonly<Record<string, readonly [NonNullable<SearchWishes["sortBy"]>, least: string, most: string]>> = {
  vram: ["totalVram", "least memory of all GPUs first", "most memory of all GPUs first"],
  gpus: ["gpuCount", "fewest GPUs first", "most GPUs first"],
  hour: ["priceHourly", "cheapest machine first", "most expensive machine first"],
  price: ["pricePerGpu", "cheapest first", "most expensive first"],
};
const SORTED_AS: Readonly<Record<string, string>> = { memory: "vram", machine: "gpus", total: "hour" };

function sorting(what: string, isDown: boolean): Phrase | undefined {
  const [sortBy, least, most] = SORTS[SORTED_AS[what] ?? what] ?? [];
  return sortBy && wish((isDown ? most : least) ?? "", { sortBy, ...(isDown && { sortOrder: "desc" }) });
}
const PHRASES: Rows<Phrase | ((match: RegExpExecArray) => Phrase | undefined)> = [
  // `most vram`, `largest machine`, `most expensive`
  [
    at(
      "(?:most|largest|biggest|highest) (?:total |number of |hourly )?(?:(vram|memory|gpus|machine|price)|expensive|gpu memory)s?(?: first)?",
    ),
    ([, what = "price"]) => sorting(what, true),
  ],
  // `sort by price`, `order by vram desc`, `sorted by hourly price ascending`
  [
    at(
      "(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?) by (?:the )?((?:high|larg|bigg)est |most )?(?:(?:gpu|total|per|lowest|cheapest) )*?(?:(hour|total|vram|memory|gpus)(?:ly)?(?: price| cost| count)?|price|cost)(?: (?:per gpu|(desc(?:ending)?|high(?:est)?(?: to low| first)?)|asc(?:ending)?|low(?:est)?(?: to high| first)?))?",
    ),
    ([, most, what = "price", down]) => sorting(what, (most ?? down) !== undefined),
  ],
  // `cheapest per gb vram`, `best price per gb`, `cheapest per vram`
  [
    at(`${CHEAPEST} (?:(?:gb|gig)(?: (?:of )?(?:vram|gpu memory|memory))?|vram)`),
    wish("cheapest memory first", { sortBy: "vramPrice" }),
  ],
  // `cheapest per hour in total`, `cheapest per machine`
  [
    at(`${CHEAPEST} (?:hour in total|machine|instance|node|server)|(?:cheapest|lowest) total(?: (?:price|cost))?`),
    wish("cheapest machine first", { sortBy: "priceHourly" }),
  ],
  // `cheapest`, `cheapest first`, `best price`
  [
    at(
      "(?:cheap(?:est|er(?! than))?(?: per (?:gpu|hour|gpu[- ]hour))?|lowest[- ](?:price|cost)d?|best (?:price|deal|value)|inexpensive|least expensive)(?: first)?|lowest first",
    ),
    wish("cheapest first", { sortBy: "pricePerGpu" }),
  ],
  // `available`, `in stock`, `right now`
  [
    at(
      "(?:currently |immediately )?available(?: (?:right )?now)?|in[- ]stock(?: now)?|(?:right )?now|instock|live|today|tonight|currently",
    ),
    feature("available", { kind: "available" }),
  ],
  // `spot`, `preemptible`
  [
    at("(?:spot|preempt[ia]ble|pre-emptible|interruptible)(?: (?:price|instance|gpu|offer)s?)?"),
    wish("spot prices", { spot: true }, [{ kind: "spot" }]),
  ],
  // `on demand`, `no spot`
  [
    at("on[- ]?demand|non[- ]spot|(?:not|no|without) (?:spot|preemptible|interruptible)"),
    wish("on-demand prices", { spot: false }),
  ],
  // `vm`, `bare metal`, `container`
  [at("vms?|virtual(?: machines?)?"), deployment("virtual", "virtual machine")],
  [at("bare[- ]?metal|metal"), deployment("bare-metal", "bare metal")],
  [at("containers?"), deployment("container", "container")],
  // `verified hosts`, `community cloud`, `secure cloud`
  [at("verified(?: (?:hosts?|machines?|providers?))?"), feature("verified hosts", { kind: "verified" })],
  [at("community(?: cloud)?|(?:private|individual) hosts?"), feature("hosts of marketplaces", { kind: "host" })],
  [
    at("secure cloud|(?:no|not) (?:community|marketplaces?)(?: (?:cloud|hosts?))?"),
    feature("providers and vetted partners", { kind: "vetted" }),
  ],
  // `nvlink`, `infiniband`
  [at("nv-?link(?:ed)?"), feature("NVLink", { kind: "nvlink" })],
  [at("infini[- ]?band|ib"), feature("InfiniBand", { kind: "word", text: "infiniband" })],
  // `multi gpu`
  [at("multi(?:ple)?[- ]gpus?"), { kind: "count", terms: [compare("gpuCount", ">=", 2)], as: "at least 2 GPUs" }],
  // `under €2`, `2 euros an hour`: without an exchange rate, no price is known to match
  [
    /^(?:[<>=]+ ?|(?:under|below|less than|max|at most|up to|over|from) )?(?:[€£¥₹] ?[\d.]+|[\d.]+ ?(?:[€£¥₹]|(?:eur|euros?|gbp|pounds?|chf|francs?|inr|rupees?|yen|cny|rmb|yuan)(?=$|[ /])))(?: ?(?:\/ ?|per |an? )(?:gpu[- /]?)?(?:hour|hr|h)?)*(?=$|[ -])/,
    feature("nothing, because prices are in US dollars", compare("pricePerGpu", "<", 0)),
  ],
  // `for 3 days`, `72 hours`, `for the weekend`
  [
    new RegExp(
      `^(?:(?:for|over|during) )?(?:(?:about|at least|up to|max) )?(?:(\\d{1,4}(?:\\.\\d)?)[ -]?|(${Object.keys(COUNTS).join("|")}|an?|the|this)[ -](?:(?:whole|entire|full) )?)?(hours?|hrs?|h|days?|d|weekends?|weeks?|wk|months?|years?)${END}`,
    ),
    ([, digits, word, unit = ""]) => {
      if ((digits ?? word) === undefined && !unit.startsWith("weekend")) {
        return undefined;
      }
      const each = { h: 1, d: 24, m: 720, y: 8760 }[unit.charAt(0)] ?? (unit.startsWith("weekend") ? 48 : 168);
      const hours = Math.ceil(Number(digits ?? COUNTS[word ?? ""] ?? 1) * each);
      return wish(`for ${hours} hours`, { hours });
    },
  ],
  // `runs llama 70b`, `llama 3.1 70b at 4 bit`, `for mixtral 8x7b`, `70b`
  [
    MODEL,
    ([, trained, experts, size, bits]) => {
      const fits = `${Number(experts ?? 1) * Number(size)}b${bits === undefined ? "" : `@${bits}`}`;
      const doubt =
        trained === undefined
          ? experts && `all ${experts} experts are counted`
          : "training takes several times the memory that is counted";
      return { ...wish(`fits a model of ${fits}`, { fits }), doubt };
    },
  ],
  // `with its weights on disk`, `disk for the weights`
  [
    at(
      `(?:with |and )*(?:${OWN}weights (?:stored |kept )?on ${OWN}(?:disk|ssd|nvme|storage)|(?:${OWN}(?:disk|room|space|storage) )?for ${OWN}weights)`,
    ),
    { ...wish("a disk for weights", {}), doubt: "no model with its size is named", isForWeights: true },
  ],
  // `2 nodes`, `multi node`: each offer is one machine
  [
    /^(?:\d{1,3} (?:nodes|machines|servers|instances|vms)|multi[- ]?node)(?= |$)/,
    { ...wish("one machine", {}), doubt: "each offer is a machine of its own" },
  ],
  // `ubuntu 22.04`, `cuda 12`, `docker`
  [
    at(
      String.raw`(ubuntu|debian|fedora|centos|rocky linux|rocky|almalinux|rhel|opensuse|windows server|windows)(?:(?: server)?[ -]?(\d{1,4}(?:\.\d{1,2})?))?`,
    ),
    ([, name = "", version]) => {
      const os = version === undefined ? name : `${name}-${version}`;
      return imagePhrase({ os }, os);
    },
  ],
  [
    at(String.raw`cuda(?:[ -]?v?(\d{1,2}(?:\.\d{1,2})?))?`),
    ([, cuda]) => (cuda === undefined ? imagePhrase({ hasCuda: true }, "CUDA") : imagePhrase({ cuda }, `CUDA ${cuda}`)),
  ],
  [at("docker"), () => imagePhrase({ hasDocker: true }, "Docker")],
];

/** The phrase at the start of a text of plain words, and its length; undefined if there is none. */
export function readPhrase(text: string): { phrase: Phrase; length: number } | undefined {
  const row = takeFirst(PHRASES, text);
  const phrase = typeof row?.meaning === "function" ? row.meaning(row.match) : row?.meaning;
  return row && phrase && { phrase, length: row.length };
}

/** What words about images are taken for where no provider's images are known. */
export const IMAGES_UNKNOWN = "not filtered, because images are unknown here";
/** What is said of words without effect. */
export const NO_EFFECT = "it has no effect";

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words that say nothing beside others; alone, they are text. */
export const NOISE: ReadonlySet<string> = words(
  `with for a an the and i we need want looking show find get give me rent renting rental hire please some any all everything
  anything anywhere everywhere anyone gpu gpus card cards instance instances server servers machine machines node nodes box cloud clouds
  offer offers deal deals price prices priced pricing cost costs $ usd hourly per hour of to that have has having only just but which
  provider providers region country what does how much can could you use using is are am be it its do there across my so as at in by or one's
  whats what's who where them whichever somewhere same hello hi gig gigs exactly precisely does must should would like go id la ma pa mu gb thing something i'm im`,
);

/** Words without effect, which may have been meant as conditions. */
export const DROPPED: ReadonlySet<string> = words(
  `inference training finetuning fine-tuning cluster clusters workload job ai ml llm llms model models run running runs fast faster
  fastest best better newest new good reliable secure either vram ram memory disk storage cpu cpus cores network networking bandwidth
  around about roughly approximately approx close closest nearest include includes included`,
);

/** Two letters that are words or units before they are countries: a place only beside `in`, another place, or in capitals. */
export const SHORT_WORDS: ReadonlySet<string> = words("is it in at be to so me my am as by do id la ma pa mu gb");

/** Words before a place or a provider. */
export const PREPOSITIONS: ReadonlySet<string> = words("in at on from near within inside via by hosted");

/** Words that negate what follows. `no` alone is Norway. */
export const NEGATION =
  /^(?:(?:(?:everything|anything|anywhere|all) )?(?:except(?: for)?|but not|other than|excluding|excl\.?|without|outside(?: of)?)|(?:everything|anything|everywhere|anywhere|anyone|all|any) but|not|no|non|w\/o)(?= )/;

/** Words between alternatives. */
export const EITHER: ReadonlySet<string> = words("or");
/** Words and marks between names that are alternatives if they are of one kind, else conditions. */
export const BY_KIND: ReadonlySet<string> = words("and & + / vs versus");

const lines = (text: string): readonly string[] => text.split("|");

/** Phrases that are completed while they are typed, and whose slips are taken. */
export const COMPLETED = lines(
  "under|available|in stock|cheapest|spot|on demand|preemptible|interruptible|virtual machine|bare metal|container|nvlink|infiniband|single|dual|quad|eight|ubuntu|debian|cuda|docker|google cloud|lambda labs|amazon|microsoft azure|digital ocean|european union|geforce",
);

/** Words at the end of a text whose number or name is still to come. */
export const UNFINISHED = lines(
  "under|below|less than|cheaper than|max|maximum|at most|up to|no more than|over|above|more than|at least|min|minimum|from|between|budget|not|no|without|except|but not|in|on|at|near|or|and|with|for|price|vram|ram|disk|runs|fits",
);

import type { WantedImage } from "../image/image-filter.js";
import { at, COUNTS, END, MACHINE, takeFirst, type Rows } from "./search-limits.js";
import type { SearchOperator, SearchTerm, SearchWishes } from "./search-term.js";

// The phrases of searches with a fixed meaning, and words with a part in them. Patterns are of plain words in lower case. A test
// reads the examples in the comments; docs/search-words.txt has more.

const BITS = String.raw`(?: (?:at|in|with))?[ -]?(?:@|(?=(?:fp|bf|int|q)\d|\d\d?[ -]?bits?${END}))(?:fp|bf|int|q)?(\d{1,2})(?:[ -]?bits?)?`;

/** Families of language models. */
export const MODELS =
  "(?:code)?llama|mistral|mixtral|ministral|qwen|qwq|gemma|phi|deepseek|falcon|yi|gpt|glm|kimi|command|nemotron|bloom|olmo|sdxl|flux|whisper";
/** Billions of parameters of models whose experts share some: Mixtral 8x7B has 46.7, 8x22B 141, by their model cards. */
const MIXTRALS: Readonly<Record<string, number>> = { "8x7": 47, "8x22": 141 };
/** Groups: whether it is trained, the number of experts, billions of parameters, bits, context. */
const MODEL = at(
  String.raw`(?:(?:(train(?:ing)?|fine-?tun(?:e|ing)|q?lora)|runs?|running|fits?|serv(?:es?|ing)|hosts?|loads?|for|infer(?:ence)?)(?: (?:an?|the|of|on|with))* )?(?:(?:meta[ -])?(?:${MODELS})[a-z]*(?:[ -]?[vr]?\d{1,2}(?:\.\d)?(?=[ :-]))?(?:[ -](?:r1|v3|oss|coder|large|small|instruct|chat|base))*[ :-]?)?(?:(\d{1,2})x)?(\d{1,4}(?:\.\d{1,2})?)b(?:[ -](?:models?|param(?:eter)?s?|instruct|chat|it|base|llm))*(?:${BITS})?(?: (?:with|at)(?: an?)? (\d{1,4}k)(?: tokens?)?(?: of)? context)?`,
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
  /** What it is for, which other words name: the weights of a model, or how long a budget lasts. */
  isFor?: "weights" | "time";
}

const meaning = (kind: Phrase["kind"], as: string, ...terms: SearchTerm[]): Phrase => ({ kind, as, terms });
const wish = (as: string, wishes: SearchWishes, ...terms: SearchTerm[]): Phrase => ({
  ...meaning("wish", as, ...terms),
  wishes,
});
const deployment = (type: string, as: string): Phrase =>
  meaning("deployment", as, { kind: "deployment", types: [type] });
const imagePhrase = (image: WantedImage, name: string): Phrase => ({
  ...meaning("image", `an image with ${name}`),
  image,
});
const ofCount = (as: string, operator: SearchOperator, value: number): Phrase =>
  meaning("count", as, { kind: "compare", field: "gpuCount", operator, value });

const COUNT = Object.keys(COUNTS).join("|");
/** What is said of words without effect. */
export const NO_EFFECT = "it has no effect";

const OWN = "(?:(?:all|an?|its|their|the|model|local|enough) )*";
const CHEAPEST = "(?:cheap(?:est)?|lowest|best|least expensive)(?: (?:price|cost))?(?: (?:per|for each|by))";
const SORTS: Rows<readonly [NonNullable<SearchWishes["sortBy"]>, least: string, most: string]> = [
  [/^gpus/, ["gpuCount", "fewest GPUs first", "most GPUs first"]],
  [/^(?:hour|total)/, ["priceHourly", "cheapest machine first", "most expensive machine first"]],
  [/^price/, ["pricePerGpu", "cheapest first", "most expensive first"]],
  [/^/, ["totalVram", "least memory of all GPUs first", "most memory of all GPUs first"]],
];

function sorting(what: string, isDown: boolean): Phrase | undefined {
  const [sortBy, least, most] = takeFirst(SORTS, what)?.meaning ?? [];
  return sortBy && wish((isDown ? most : least) ?? "", { sortBy, ...(isDown && { sortOrder: "desc" }) });
}

const PHRASES: Rows<Phrase | ((match: RegExpExecArray) => Phrase | undefined)> = [
  // `most vram`, `biggest machine`, `most expensive`
  [
    at(
      "(?:(?:most|largest|biggest|highest) (?:total |number of |hourly |gpu )?(?:(vram|memory|gpus|price)|expensive)s?|(largest|biggest))(?: first)?",
    ),
    ([, what, largest = "price"]) => sorting(what ?? largest, true),
  ],
  // `sort by price`, `order by vram desc`, `sorted by hourly price ascending`
  [
    at(
      "(?:sort|order|rank)(?:ed)? by (?:the )?((?:high|larg|bigg)est |most )?(?:(?:gpu|total|per|lowest|cheapest) )*?(?:(hour|total|vram|memory|gpus)(?:ly)?(?: price| cost| count)?|price|cost)(?: (?:per gpu|((?:desc|high)[a-z]*(?: to low| first)?)|(?:asc|low)[a-z]*(?: to high| first)?))?",
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
    at(`${CHEAPEST} (?:hour in total|${MACHINE})|(?:cheapest|lowest) total(?: (?:price|cost))?`),
    wish("cheapest machine first", { sortBy: "priceHourly" }),
  ],
  // `cheapest`, `cheapest first`, `best price`
  [
    at(
      "(?:dirt[- ])?(?:cheap(?:est|er(?! than))?(?: per (?:gpu|hour|gpu[- ]hour))?|lowest[- ](?:price|cost)d?|best (?:price|deal|value)|inexpensive|least expensive)(?: first)?|lowest first",
    ),
    wish("cheapest first", { sortBy: "pricePerGpu" }),
  ],
  // `available`, `in stock`, `right now`
  [
    at(
      "(?:currently |immediately )?available(?: (?:right )?now)?|in[- ]?stock(?: now)?|(?:right )?now|live|today|tonight|currently",
    ),
    meaning("feature", "available", { kind: "available" }),
  ],
  // `spot`, `preemptible`
  [at("spot|pre-?empt[ia]ble|interruptible"), wish("spot prices", { spot: true }, { kind: "spot" })],
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
  [at("verified(?: hosts?)?"), meaning("feature", "verified hosts", { kind: "verified" })],
  [
    at("community(?: cloud)?|(?:private|individual) hosts?"),
    meaning("feature", "hosts of marketplaces", { kind: "host" }),
  ],
  [
    at("secure cloud|(?:no|not) (?:community|marketplaces?)(?: (?:cloud|hosts?))?"),
    meaning("feature", "providers and vetted partners", { kind: "vetted" }),
  ],
  // `nvlink`, `infiniband`
  [at("nv-?link(?:ed)?"), meaning("feature", "NVLink", { kind: "nvlink" })],
  [at("infini[- ]?band|ib"), meaning("feature", "InfiniBand", { kind: "word", text: "infiniband" })],
  // `multi gpu`, `dgx`
  [at("multi(?:ple)?[- ]gpus?"), ofCount("at least 2 GPUs", ">=", 2)],
  [at("dgx"), { ...ofCount("8 GPUs", "=", 8), doubt: "as most DGX have" }],
  // `under €2`, `2 euros an hour`: without an exchange rate, no price is known to match
  [
    /^(?:[<>=]+ ?|(?:under|below|less than|max|at most|up to|over|from) )?(?:[€£¥₹] ?[\d.]+|[\d.]+ ?(?:[€£¥₹]|(?:eur|euros?|gbp|pounds?|chf|francs?|inr|rupees?|yen|cny|rmb|yuan)(?=$|[ /])))(?: ?(?:\/ ?|per |an? )(?:gpu[- /]?)?(?:hour|hr|h)?)*(?=$|[ -])/,
    meaning("feature", "nothing, because prices are in US dollars", {
      kind: "compare",
      field: "pricePerGpu",
      operator: "<",
      value: 0,
    }),
  ],
  // `for 3 days`, `72 hours`, `for the weekend`, `monthly bill`
  [
    new RegExp(
      `^(?:(?:for|over|during) )?(?:(?:about|at least|up to|max) )?(?:(\\d{1,4}(?:\\.\\d)?)[ -]?|(${COUNT}|an?|the|this)[ -](?:(?:whole|entire|full) )?)?(hours?|hrs?|h|days?|d|weekends?|weeks?|wk|months?|monthly (?:cost|bill|price)|years?)${END}`,
    ),
    ([, digits, word, unit = ""]) => {
      if ((digits ?? word) === undefined && !/^weekend|ly/.test(unit)) {
        return undefined;
      }
      const each = { h: 1, d: 24, m: 720, y: 8760 }[unit.charAt(0)] ?? (unit.startsWith("weekend") ? 48 : 168);
      const hours = Math.ceil(Number(digits ?? COUNTS[word ?? ""] ?? 1) * each);
      return wish(`for ${hours} hours`, { hours });
    },
  ],
  // `runs llama 70b`, `llama 3.1 70b at 4 bit`, `for mixtral 8x7b`, `70b with 32k context`
  [
    MODEL,
    ([, trained, experts, size, bits, context]) => {
      const shared = MIXTRALS[`${experts}x${size}`];
      const params = `${shared ?? Number(experts ?? 1) * Number(size)}b`;
      const fits = `${params}${bits === undefined ? "" : `@${bits}`}${context === undefined ? "" : `,${context}`}`;
      const counted = experts && shared === undefined ? `all ${experts} experts are counted` : undefined;
      const doubt = trained ? "training takes several times the memory that is counted" : counted;
      const as = `fits a model of ${params} at ${bits ?? 16} bits, ${context ?? "8k"} of context`;
      return { ...wish(as, { fits }), doubt };
    },
  ],
  // `with its weights on disk`, `disk for the weights`
  [
    at(
      `(?:${OWN}weights (?:stored |kept )?on ${OWN}(?:disk|ssd|nvme|storage)|(?:${OWN}(?:disk|room|space|storage) )?for ${OWN}weights)`,
    ),
    { ...wish("a disk for weights", {}), doubt: "no model with its size is named", isFor: "weights" },
  ],
  // `top 3`, `the three cheapest`: lists are as long as they are
  [at(`top (?:\\d{1,3}|${COUNT})|(?:\\d{1,3}|${COUNT})(?= cheapest)`), { ...wish("ignored", {}), doubt: NO_EFFECT }],
  // `how long`, `how many hours`: of a budget
  [at("how (?:long|many (?:hours|days|weeks))"), { ...wish("how long a budget lasts", {}), isFor: "time" }],
  // `2 nodes`, `multi node`: each offer is one machine
  [
    at(
      `(?:(?:max|at (?:most|least)|up to|min|more than) )?(?:\\d{1,3}|single|one|two|three|four)(?: or (?:more|fewer|less))? ${MACHINE}|multi[- ]?node`,
    ),
    ([text]) => ({
      ...wish("one machine", {}),
      doubt: /s$|^mu/.test(text) ? "each offer is a machine of its own" : undefined,
    }),
  ],
  // `ubuntu 22.04`, `cuda 12`, `docker`
  [
    at(
      String.raw`(ubuntu|debian|fedora|centos|rocky linux|rocky|almalinux|rhel|opensuse|windows)(?:(?: server)?[ -]?(\d{1,4}(?:\.\d{1,2})?))?`,
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
  [at("docker"), imagePhrase({ hasDocker: true }, "Docker")],
];

/** The phrase at the start of a text of plain words, and its length; undefined if there is none. */
export function readPhrase(text: string): { phrase: Phrase; length: number } | undefined {
  const row = takeFirst(PHRASES, text);
  const phrase = typeof row?.meaning === "function" ? row.meaning(row.match) : row?.meaning;
  return row && phrase && { phrase, length: row.length };
}

/** What words about images are taken for where no provider's images are known. */
export const IMAGES_UNKNOWN = "not filtered, because images are unknown here";

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words that say nothing beside others; alone, they are text. */
export const NOISE: ReadonlySet<string> = words(
  `with for a an the and i we need want looking show find get give me rent renting rental hire please some any all everything
  anything anywhere everywhere anyone gpu card instance server machine node box boxes rig cloud whole entire full
  offer deal price priced pricing cost $ usd hourly per hour of to that have has having only just but which
  provider region country what does how much can could you use using is are am be it its do there across my so as at in by or one's
  what's who where them whichever somewhere same hi gig exactly must should would will able like buy last image on
  go id la ma pa mu gb thing something i'm im first qty`,
);

/** Words without effect, which may have been meant as conditions. */
export const DROPPED: ReadonlySet<string> = words(
  `inference training finetuning fine-tuning cluster workload job ai ml llm model run running fast faster fastest best better
  newest new good reliable secure either vram ram memory disk storage cpu core network networking bandwidth around about roughly
  approximately approx close closest nearest include included lora qlora hgx pytorch tensorflow many`,
);

/** Two letters that are words or units before they are countries: a place only beside `in`, another place, or in capitals. */
export const SHORT_WORDS: ReadonlySet<string> = words("is it in at be to so me my am as by do id la ma pa mu gb");

/** Words before a place or a provider. */
export const PREPOSITIONS: ReadonlySet<string> = words("in at on from near within inside via by hosted");

/** Words that negate what follows. `no` alone is Norway. */
export const NEGATION =
  /^(?:except(?: for)?|but not|other than|excluding|excl\.?|without|outside(?: of)?|(?:everything|anything|everywhere|anywhere|anyone|all|any) but|not?|neither|non|w\/o)(?= )/;

/** Words and marks between names that are alternatives if they are of one kind, else conditions. */
export const BY_KIND: ReadonlySet<string> = words("and & + / vs versus");

const lines = (text: string): readonly string[] => text.split("|");

/** Phrases that are completed while they are typed, and whose slips are taken. */
export const COMPLETED = lines(
  "under|available|in stock|cheapest|spot|on demand|preemptible|interruptible|virtual machine|bare metal|container|nvlink|infiniband|single|dual|quad|eight|ubuntu|debian|cuda|docker|google cloud|lambda labs|microsoft azure|digital ocean|european union|geforce",
);

/** Words at the end of a text whose number or name is still to come. */
export const UNFINISHED = lines(
  "under|below|less than|cheaper than|max|maximum|at most|up to|no more than|over|above|more than|at least|min|minimum|from|between|budget|not|no|without|except|but not|in|on|at|near|or|and|with|for|price|vram|ram|disk|runs|fits",
);

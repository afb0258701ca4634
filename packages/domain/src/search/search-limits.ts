import type { SearchField, SearchOperator } from "./search-term.js";

// Words around numbers in searches: limits, fields, units, what a price is for. A test reads the examples in the comments.

/** The end of a word. */
export const END = "(?=$|[ /])";
/** A pattern of words at the start of a text. */
export const at = (words: string): RegExp => new RegExp(`^(?:${words})${END}`);

/** Nouns of the machine with all of its GPUs. */
export const MACHINE = "(?:machine|instance|server|node|box|vm|rig)(?:e?s)?";

/** Patterns with what they mean; the first that matches counts. */
export type Rows<Meaning> = readonly (readonly [words: RegExp, meaning: Meaning])[];

/** The meaning of the first row that a text begins with, the match, and its length. */
export function takeFirst<Meaning>(
  rows: Rows<Meaning>,
  text: string,
): { meaning: Meaning; match: RegExpExecArray; length: number } | undefined {
  for (const [words, meaning] of rows) {
    const match = words.exec(text);
    if (match !== null) {
      return { meaning, match, length: match[0].length };
    }
  }
  return undefined;
}

const COUNT_WORDS =
  "1 single|1 one|2 dual|2 double|2 two|2 a couple of|2 a pair of|3 triple|3 three|4 quad|4 four|5 five|6 six|7 seven|8 eight|9 nine|10 ten|12 twelve|15 fifteen|16 sixteen|20 twenty|30 thirty|40 forty|50 fifty|60 sixty|70 seventy|80 eighty|90 ninety|100 hundred";

/** Numbers in words. */
export const COUNTS: Readonly<Record<string, number>> = Object.fromEntries(
  COUNT_WORDS.split("|").map((line) => [line.replace(/^\d+ /, ""), Number.parseInt(line, 10)]),
);

/** Signs and words before a number. `budget` is for all hours. */
export const LIMITS: Rows<SearchOperator | "budget" | "between"> = [
  [/^(?:<=|=<) ?/, "<="],
  [/^(?:>=|=>) ?/, ">="],
  [/^< ?/, "<"],
  [/^> ?/, ">"],
  [/^= ?/, "="],
  // `under $2`, `less than 48gb`, `fewer than 4 gpus`, `less then $1`
  [/^(?:under|below|beneath|(?:less|cheaper|lower|fewer|smaller) th[ae]n) /, "<"],
  // `max $2`, `up to 48gb`, `no more than 2 gpus`
  [/^(?:max(?:imum)?(?: of)?|at (?:the )?most|up to|(?:no|not) more than|not (?:over|above)|within) /, "<="],
  // `budget $50`, `budget of $20`, `spend $300`
  [/^(?:budget(?: of| is|:)?|spend(?:ing)?) /, "budget"],
  // `over $2`, `more than 40gb`, `above 2 gpus`
  [/^(?:over|above|(?:more|bigger|larger|higher|greater) th[ae]n) /, ">"],
  // `at least 40gb`, `min 2 gpus`, `no less than $1`
  [/^(?:at least|min(?:imum)?(?: of)?|(?:no|not) (?:less|fewer) than|not (?:under|below)|starting (?:at|from)) /, ">="],
  // `between $1 and $2`
  [/^between /, "between"],
  // `from $1`, `from 24 to 48gb`
  [/^from /, ">="],
];

/** Words behind a number. */
export const LIMIT_ENDS: Rows<SearchOperator | "budget"> = [
  // `$2 or less`, `48gb max`; but "80gb max $2" limits the price
  [at(" (?:or (?:less|under|below|cheaper|fewer|lower)|tops|(?:max(?:imum)?|at most)(?! \\$?\\d))"), "<="],
  // `$2 or more`, `40gb min`, `24gb and up`
  [
    at(" (?:(?:or|and) (?:up|more|above|over|higher|better|larger|bigger)|(?:min(?:imum)?|at least)(?! \\$?\\d))"),
    ">=",
  ],
  // `$50 budget`
  [at(" (?:of )?budget"), "budget"],
];

/** Names of fields before a number: `vram 48gb`, `price under $2`. */
export const FIELDS: Rows<SearchField> = [
  [/^(?:total ?vram|total gpu memory)/, "totalVram"],
  [/^(?:vram|gpu (?:memory|ram))/, "vram"],
  [/^(?:(?:system |main |host )?(?:ram|memory))/, "ram"],
  [/^(?:v?cpus?|cores)/, "vcpu"],
  [/^(?:gpus|gpu count|count)/, "gpuCount"],
  [/^(?:disk|storage|(?:nvme |local )?ssd|nvme)/, "disk"],
  [/^(?:gpu )?(?:price|costs?)(?: per (?:gpu[- ]hour|gpu|hour))?/, "pricePerGpu"],
  [/^(?:hourly|total)(?: (?:price|costs?))?/, "priceHourly"],
];

/** What a size is of: `48gb vram`, `512gb ram`, `1tb ssd`, `640gb vram total`. */
export const SIZES: Rows<SearchField> = [
  // `96gb vram from 4 gpus`
  [
    at(
      " ?(?:of )?(?:total (?:vram|gpu memory)|(?:vram |gpu memory )?(?:in )?total|combined|(?:vram )?(?:from|across|over)(?= \\d+ (?:gpus|cards)))",
    ),
    "totalVram",
  ],
  [
    at(
      " ?(?:of )?(?:vram|(?:gpu|video) (?:memory|ram|mem)|(?:cards?|gpus?)|(?:per|each|/) ?gpu|each|apiece)(?: each| apiece| per gpu)?",
    ),
    "vram",
  ],
  [at(" ?(?:of )?(?:(?:system|main|cpu|host) )?(?:ram|memory|mem)"), "ram"],
  [at(" ?(?:of )?(?:(?:ssd|nvme|disk|local|scratch|free) )*(?:disk|storage|ssd|nvme|hdd|volume)(?: space)?"), "disk"],
];

/** What a price is for: `$2/hr`, `$2 per gpu`, `$20 per hour in total`, `$900 a month`. */
export const PRICE_ENDS: Rows<"gpu" | "instance" | "total" | "month" | "week" | "day" | "hour"> = [
  [at(" ?(?:/ ?|per |an? )?gpu[- /]?(?:per )?(?:hours?|hrs?|h)"), "gpu"],
  [at(" ?(?:/ ?|per |an? )?(?:hours?|hrs?|h)"), "hour"],
  [at(" ?(?:/ ?|per |an? |each )(?:gpu|card)s?| each| apiece"), "gpu"],
  [at(" (?:in )?total| (?:altogether|all in)"), "total"],
  [at(" hourly"), "instance"],
  [at(` ?(?:/ ?|per |an? |for the (?:whole )?|for )${MACHINE}`), "instance"],
  [at(" ?(?:/ ?|per |a )(?:month|mo)| monthly"), "month"],
  [at(" ?(?:/ ?|per )week| weekly"), "week"],
  [at(" ?(?:/ ?|per |a )day| daily"), "day"],
];

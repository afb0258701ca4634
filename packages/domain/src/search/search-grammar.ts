import { readAmount } from "./search-amounts.js";
import type { SearchNames } from "./search-names.js";
import { settledIn } from "./search-settled.js";
import { NEGATION, NO_EFFECT, readPhrase } from "./search-phrases.js";
import { UnitReader } from "./search-unit.js";
import { WordRun, type Unit, type UnitKind } from "./search-word-run.js";
import { MAX_SEARCH_WORDS, splitWords } from "./search-words.js";
import {
  all as conjunction,
  either,
  negatedTerm,
  type SearchTerm,
  type SearchWishes,
  type SearchPiece,
} from "./search-term.js";

// Reads a search one way: its units, joined by "or", "and", commas and "not". read-search.ts chooses between ways.

interface ReadingOptions {
  openWord?: number;
  /** Names of GPUs that are also those of instance types (`p4`) mean the latter. */
  asTypes?: boolean;
}

/** One reading of a search text. */
export interface SearchReading {
  terms: readonly SearchTerm[];
  wishes: SearchWishes;
  pieces: readonly SearchPiece[];
  texts: ReadonlyMap<number, SearchTerm>;
}

/** Kinds of which several, joined by "and" or a comma, are alternatives: nothing is two of them. */
const ALTERNATIVES: ReadonlySet<UnitKind> = new Set([
  "gpu",
  "type",
  "provider",
  "place",
  "city",
  "image",
  "deployment",
  "text",
]);

/** Kinds of names that are compared: `h100 cheaper than a100`. */
const COMPARED: ReadonlySet<UnitKind> = new Set(["gpu", "provider"]);

/** Reads a text with the names of a catalog. Every text has a meaning. */
export function readWords(text: string, names: SearchNames, options: ReadingOptions = {}): SearchReading {
  return new ChainReader(text, names, options).read();
}

class ChainReader {
  readonly #run: WordRun;
  readonly #units: UnitReader;

  constructor(
    private readonly text: string,
    private readonly names: SearchNames,
    options: ReadingOptions,
  ) {
    this.#run = new WordRun(splitWords(text), options.openWord);
    this.#units = new UnitReader(this.#run, names, options.asTypes === true);
  }

  read(): SearchReading {
    if (this.#run.words.length > MAX_SEARCH_WORDS) {
      // Longer than any name, so that it matches nothing.
      const term: SearchTerm = { kind: "word", text: this.text };
      return { terms: [term], wishes: {}, pieces: [], texts: new Map() };
    }
    const units: Unit[] = [];
    for (let at = 0; at < this.#run.words.length;) {
      const unit = this.#readChain(at);
      at = unit?.to ?? at + 1;
      if (unit !== undefined) {
        units.push(unit);
      }
    }
    // Alone, they are words.
    const isNoise = units.every(({ kind }) => kind === "noise");
    const meant = isNoise ? units.map(({ from }) => this.#units.readText(from)) : units.map(settledIn(units));
    const conditions = meant.flatMap((unit) => unit.terms.flatMap(conjuncts));
    const disks = meant.flatMap((unit) => unit.wishes?.diskGb ?? []);
    return {
      terms: withOneImage(conditions, this.names),
      wishes: {
        ...Object.assign({}, ...meant.map((unit) => unit.wishes)),
        ...(disks.length > 0 && { diskGb: Math.max(...disks) }),
        // A condition wins over what is only wished for.
        ...(conditions.some(({ kind }) => kind === "spot") && { spot: true }),
      },
      pieces: meant.flatMap((unit) => this.#piece(unit)),
      texts: this.#units.texts,
    };
  }

  #piece(unit: Unit): SearchPiece[] {
    const { kind, doubt, instead, wishes = {} } = unit;
    if (unit.parts !== undefined) {
      return unit.parts.flatMap((part) => this.#piece(part)).sort((a, b) => a.start - b.start);
    }
    const source = this.#sourceOf(unit.from, unit.to);
    const as = kind === "noise" ? "ignored" : (unit.as ?? source.text);
    const wish = wishes.sortBy !== undefined ? "sortBy" : wishes.spot !== undefined ? "spot" : undefined;
    const terms = unit.terms.flatMap(conjuncts);
    // The other reading of a price is its words and what they lack.
    const piece: SearchPiece = { ...source, as, terms, doubt, instead: instead?.replace("…", source.text), wish };
    return kind === "noise" && doubt === undefined ? [] : [piece];
  }

  #sourceOf(from: number, to: number): { text: string; start: number; end: number } {
    const words = this.#run.words.slice(from, to);
    const start = Math.min(...words.map((word) => word.start));
    const last = Math.max(...words.map((word) => word.end));
    const isOpen = this.text.slice(start, last).split("(").length > this.text.slice(start, last).split(")").length;
    // The bracket behind the last word belongs to one of them.
    const end = isOpen && this.text.charAt(last) === ")" ? last + 1 : last;
    return { text: this.text.slice(start, end), start, end };
  }

  /** Alternatives: `h100 or a100`, `h100|a100`, `aws, gcp`, `not aws or gcp`. */
  #readChain(start: number): Unit | undefined {
    const excluded = this.#operandOfNot(start);
    if (excluded !== undefined) {
      const chain = this.#readChain(excluded);
      return chain === undefined ? undefined : this.#negated(chain, start);
    }
    const first = this.#units.read(start);
    if (first === undefined || first.kind === "noise") {
      return first;
    }
    const pair = this.#readPair(start);
    const isPairs = pair !== undefined && this.#readPair(this.#jointAfter(pair.to)?.to) !== undefined;
    const units = [isPairs ? pair : first];
    let isSaid = false;
    for (;;) {
      const joint = this.#jointAfter(units.at(-1)?.to ?? start);
      const next =
        joint === undefined
          ? undefined
          : ((isPairs ? this.#readPair(joint.to) : this.#readForm(units[0], joint.to)) ?? this.#readOperand(joint.to));
      if (
        joint === undefined ||
        next === undefined ||
        !(joint.isEither || (joint.kinds.has(next.kind) && units.every(({ kind }) => kind === next.kind)))
      ) {
        break;
      }
      isSaid ||= !joint.isEither;
      units.push(next);
    }
    const unit = units.length === 1 ? first : this.#either(units, isSaid);
    return { ...unit, to: this.#skipLastJoint(unit.to) };
  }

  /** "h100 or" is a search whose end is still to come. */
  #skipLastJoint(at: number): number {
    const to = this.#run.endOfJoints(at);
    return to === this.#run.words.length ? to : at;
  }

  /** A count and a GPU, as in "8x h100 or 4x a100"; undefined for other words. */
  #readPair(at: number | undefined): Unit | undefined {
    const count = at === undefined ? undefined : this.#units.read(at);
    const gpu = count?.kind === "count" && !this.#isJoined(count.to) ? this.#units.read(count.to) : undefined;
    return count === undefined || gpu?.kind !== "gpu"
      ? undefined
      : {
          kind: "gpu",
          terms: [...count.terms, ...gpu.terms],
          as: gpu.as === undefined ? undefined : `${this.#sourceOf(count.from, count.to).text} ${gpu.as}`,
          from: count.from,
          to: gpu.to,
        };
  }

  /** Another form of the first GPU: `a100 pcie or sxm`, `a100 40gb or 80gb`. */
  #readForm(first: Unit | undefined, at: number): Unit | undefined {
    if (first?.kind !== "gpu" || !FORM.test(this.#run.words[at]?.key ?? "")) {
      return undefined;
    }
    for (const to of [at + 2, at + 1]) {
      for (let head = first.to - 1; head > first.from; head--) {
        const name = `${this.#run.textOf(first.from, head)} ${this.#run.textOf(at, to)}`;
        const isOver = to > this.#run.words.length || (to > at + 1 && this.#isJoined(at + 1));
        const slugs = isOver ? undefined : this.names.gpu(name);
        if (slugs !== undefined) {
          return { kind: "gpu", terms: [{ kind: "gpu", slugs }], as: this.names.describeGpus(slugs), from: at, to };
        }
      }
    }
    return undefined;
  }

  #isJoined(at: number): boolean {
    return this.#run.isJoint(at) || this.#run.words[at - 1]?.hasComma === true;
  }

  #either(all: readonly Unit[], isSaid: boolean): Unit {
    const units = all.filter(({ kind }) => kind !== "noise");
    const said = units.map((unit) => unit.as ?? this.#sourceOf(unit.from, unit.to).text);
    // A wish among alternatives leaves the choice open.
    const isOpen = units.some(({ terms }) => terms.length === 0);
    const isMixed = units.some(({ kind }) => kind !== units[0]?.kind);
    const unknown = all.find(({ kind, terms: [term] }) =>
      term === undefined ? kind === "noise" : kind === "text" && !this.names.has(term),
    );
    return {
      kind: units[0]?.kind ?? "text",
      terms: isOpen ? [] : [either(units.map(({ terms }) => conjunction(terms)))],
      as: isSaid || units.some(({ as }) => as !== undefined) ? said.join(" or ") : undefined,
      doubt: unknown ? this.#unknown(unknown) : isMixed ? "of several kinds" : undefined,
      from: all[0]?.from ?? 0,
      to: all.at(-1)?.to ?? 0,
    };
  }

  #unknown({ from, to }: Unit): string {
    return `nothing is called ${JSON.stringify(this.#sourceOf(from, to).text)}`;
  }

  /** A unit, or one that is excluded. */
  #readOperand(start: number): Unit | undefined {
    const at = this.#skipNoise(start);
    const excluded = this.#operandOfNot(at);
    if (excluded === undefined) {
      return this.#units.read(at);
    }
    const unit = this.#readOperand(excluded);
    return unit === undefined ? undefined : this.#negated(unit, at);
  }

  #negated(unit: Unit, from: number): Unit {
    const { kind, terms, as, to } = unit;
    if (terms.length === 0) {
      const { doubt = NO_EFFECT } = unit;
      return { kind: "not", terms, as: unit.doubt && as, doubt, from, to };
    }
    const isUnknown = kind === "text" && terms.every((one) => !this.names.has(one));
    const doubt = isUnknown ? this.#unknown(unit) : undefined;
    return { kind: "not", terms: [negatedTerm(conjunction(terms))], as: as && `not ${as}`, doubt, from, to };
  }

  /** Articles and the like before an operand. */
  #skipNoise(start: number): number {
    let at = start;
    for (; at + 1 < this.#run.words.length; at++) {
      const unit = this.#units.read(at);
      if (unit?.kind !== "noise" || unit.doubt !== undefined) {
        break;
      }
    }
    return at;
  }

  /** Where the operand of a bang or of a word such as "without" begins; undefined if there is none. */
  #operandOfNot(at: number): number | undefined {
    const { words } = this.#run;
    if (words[at]?.kind === "bang") {
      return at + 1;
    }
    const rest = this.#run.restAt(at);
    // "not over $2" and "no spot" are phrases of their own.
    if (readPhrase(rest) !== undefined || readAmount(rest) !== undefined) {
      return undefined;
    }
    const count = rest.split(" ").length;
    const isFollowed = ["quote", "bang"].includes(words[at + count]?.kind ?? "");
    const [words2] = NEGATION.exec(isFollowed ? `${rest} ` : rest) ?? [];
    const to = words2 === undefined ? undefined : this.#run.endOf(at, words2.length);
    return to === undefined || this.#run.isJoint(to) ? undefined : this.#skipNoise(to);
  }

  /** What joins a unit with the next one: a bar, a comma, `or`, `and`. */
  #jointAfter(at: number): { isEither: boolean; kinds: ReadonlySet<UnitKind>; to: number } | undefined {
    const { words } = this.#run;
    const to = this.#run.endOfJoints(at);
    const isEither = words.slice(at, to).some(({ kind, key }) => kind === "bar" || /^n?or$/.test(key));
    const isJoined = to > at || words[at - 1]?.hasComma === true;
    const kinds = /^th[ae]n$/.test(words[to - 1]?.key ?? "") ? COMPARED : ALTERNATIVES;
    return isJoined && to < words.length ? { isEither, kinds, to } : undefined;
  }
}

const FORM = /^(?:sxm[2-6]?|pcie|nvl|\d{2,3}(?:gi?b?)?|ti|super)$/;

function conjuncts(term: SearchTerm): readonly SearchTerm[] {
  return term.kind === "all" ? term.terms.flatMap(conjuncts) : [term];
}

/** `ubuntu 22.04 cuda 12` is one image that has both. */
function withOneImage(terms: readonly SearchTerm[], names: SearchNames): readonly SearchTerm[] {
  const images = terms.filter((term) => term.kind === "image");
  if (images.length < 2) {
    return terms;
  }
  const wanted = Object.assign({}, ...images.map((image) => image.wanted)) as (typeof images)[number]["wanted"];
  const image: SearchTerm = { kind: "image", wanted, providers: names.image(wanted) ?? [] };
  return [...terms.filter((term) => term.kind !== "image"), image];
}

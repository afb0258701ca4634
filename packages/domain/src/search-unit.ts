import { readAmount } from "./search-amounts.js";
import { placeName, type SearchNames } from "./search-names.js";
import { IMAGES_UNKNOWN, BY_KIND, EITHER, NOISE, PREPOSITIONS, readPhrase } from "./search-phrases.js";
import { MAX_NAME_LENGTH } from "./image-filter.js";
import { readField } from "./search-print.js";
import type { SearchWord } from "./search-words.js";
import type { SearchTerm, SearchWishes } from "./search-term.js";

// Reads the next words of a search that mean something together. In order: quoted texts and exact forms, numbers with limits and
// units, words with a fixed meaning, names, and text that must occur.

/** How words are read that can be read in two ways. */
export interface ReadingOptions {
  /** Index of a word that may be the beginning of a name. */
  openWord?: number;
  /** Names of GPUs that are also those of instance types (`p4`) mean the latter. */
  asTypes?: boolean;
}

/** What kind of words these are. Names of one kind may be alternatives. */
export type UnitKind =
  | "gpu"
  | "provider"
  | "place"
  | "city"
  | "count"
  | "amount"
  | "image"
  | "deployment"
  | "feature"
  | "wish"
  | "text"
  | "not"
  | "noise";

/** Some words, and what they mean together. */
export interface Unit {
  kind: UnitKind;
  terms: readonly SearchTerm[];
  wishes?: SearchWishes;
  /** In words; undefined if it is what is written. */
  as?: string | undefined;
  /** Its words: the first, and the one after the last. */
  from: number;
  to: number;
}

/** Maximum number of words and characters of a phrase. */
const MAX_PHRASE = { words: 12, characters: 120 };
/** Maximum number of words of a name. */
const MAX_NAME_WORDS = 4;

// Words that are no part of a GPU's name, although resolveGpu ignores them in the names of sources.
const notInGpus =
  /^(?:nv-?link|aws|google|cloud|gpus?|dgx|vws|bare-?metal|bare|metal|data|center|generation|edition|tensor|core|qualcomm|habana|xilinx|aws)$/;
// After a number, these are its unit, so that it is no memory of the GPU before it.
const unitWords =
  /^(?:g(?:i?b)?|[x*]|gpus?|cards?|v?cpus?|cores?|threads?|usd|dollars?|cents?|vram|ram|memory|mem|disk|storage|ssd|nvme|total|or (?:more|less|above|better)|per|\/)(?= |$)/;
/** A word that may begin an instance type: `p4`, `a2`, `g5g`. */
const typeName = /^[a-z]{1,4}\d{1,3}[a-z]{0,3}$/;
const sizePattern = /^(\d{1,4})g(?:i?b)?$/i;

/** Reads units of a text's words. */
export class UnitReader {
  readonly words: readonly SearchWord[];
  /** Words that were read as text, by index. */
  readonly texts = new Map<number, SearchTerm>();
  readonly #names: SearchNames;
  readonly #options: ReadingOptions;
  #hasTypeName = false;

  constructor(words: readonly SearchWord[], names: SearchNames, options: ReadingOptions) {
    this.words = words;
    this.#names = names;
    this.#options = options;
  }

  /** Whether a GPU's name might be an instance type. */
  get hasTypeName(): boolean {
    return this.#hasTypeName;
  }

  /** The unit at a word; undefined at a mark. */
  read(at: number): Unit | undefined {
    const word = this.words[at];
    if (word === undefined || word.kind === "bar" || word.kind === "bang") {
      return undefined;
    }
    if (word.kind === "quote") {
      return { kind: "text", terms: [{ kind: "phrase", text: word.text, isOpen: word.isOpen }], from: at, to: at + 1 };
    }
    if (word.isGlued) {
      return this.#readGlued(at);
    }
    if (at === this.#options.openWord) {
      return { kind: "text", terms: [{ kind: "word", text: word.text, isOpen: true }], from: at, to: at + 1 };
    }
    return this.#readAny(at);
  }

  #readAny(at: number): Unit {
    const field = this.#readField(at);
    if (field !== undefined || (this.words[at]?.text.length ?? 0) > MAX_NAME_LENGTH) {
      return field ?? this.readText(at);
    }
    return (
      this.#readIntelMax(at) ??
      this.#readAmount(at) ??
      this.#readPhrase(at) ??
      this.#readArticle(at) ??
      this.#readPreposition(at) ??
      this.#readName(at) ??
      this.#readNumber(at) ??
      this.#readSlashes(at) ??
      this.#readNoise(at) ??
      this.readText(at)
    );
  }

  /** Whether a word joins units: a bar, `or`, `and`. */
  isJoint(at: number): boolean {
    const word = this.words[at];
    return (
      word?.kind === "bar" ||
      (word?.kind === "word" && !word.isGlued && (EITHER.has(word.key) || BY_KIND.has(word.key)))
    );
  }

  /** Words up to a mark, a comma or a glued word, joined by single spaces. */
  restAt(at: number): string {
    const parts: string[] = [];
    for (const word of this.words.slice(at, at + MAX_PHRASE.words)) {
      const isFirst = parts.length === 0;
      if (word.kind !== "word" || at + parts.length === this.#options.openWord || (word.isGlued && !isFirst)) {
        break;
      }
      parts.push(word.key);
      if (word.hasComma || word.isGlued) {
        break;
      }
    }
    return parts.join(" ").slice(0, MAX_PHRASE.characters);
  }

  /** The word after the first `length` characters of the text at a word; undefined if they end within a word. */
  endOf(at: number, length: number): number | undefined {
    let end = -1;
    for (let to = at; to < this.words.length && end < length; to++) {
      end += 1 + (this.words[to]?.key.length ?? 0);
      if (end === length) {
        return to + 1;
      }
    }
    return undefined;
  }

  /** A count and its name, or conditions joined by `&`: closer than alternatives. */
  #readGlued(at: number): Unit {
    const head = this.#readAny(at);
    const isNegated = this.words[head.to]?.kind === "bang";
    const rest = this.read(head.to + (isNegated ? 1 : 0));
    if (rest === undefined) {
      return head;
    }
    const terms = isNegated ? [negatedTerm(all(rest.terms))] : rest.terms;
    return {
      kind: head.kind === "count" ? rest.kind : "amount",
      terms: [...head.terms, ...terms],
      as: rest.as === undefined || isNegated ? undefined : `${head.as ?? countWords(head.terms)}${rest.as}`,
      from: at,
      to: rest.to,
    };
  }

  #readField(at: number): Unit | undefined {
    const term = readField(this.words[at]?.text ?? "", this.#names);
    return term === undefined ? undefined : { kind: "feature", terms: [term], from: at, to: at + 1 };
  }

  /** "max" is a limit, except in the names of Intel's cards. */
  #readIntelMax(at: number): Unit | undefined {
    return this.words[at]?.key === "max" && !this.words[at].hasComma ? this.#readGpu(at, at + 2) : undefined;
  }

  #readAmount(at: number): Unit | undefined {
    const amount = readAmount(this.restAt(at));
    const to = amount === undefined ? undefined : this.endOf(at, amount.length);
    if (amount === undefined || to === undefined) {
      return undefined;
    }
    const disk = amount.terms.find((term) => term.kind === "compare" && term.field === "disk");
    return {
      kind: amount.field === "gpuCount" ? "count" : "amount",
      terms: amount.terms,
      ...(disk?.kind === "compare" ? { wishes: { diskGb: disk.value } } : {}),
      as: amount.isExact ? undefined : amount.as,
      from: at,
      to,
    };
  }

  #readPhrase(at: number): Unit | undefined {
    const read = readPhrase(this.restAt(at));
    const to = read === undefined ? undefined : this.endOf(at, read.length);
    if (read === undefined || to === undefined) {
      return undefined;
    }
    const { image, ...phrase } = read.phrase;
    if (image === undefined) {
      return { ...phrase, from: at, to };
    }
    const providers = this.#names.image(image);
    return providers === undefined
      ? { ...phrase, as: IMAGES_UNKNOWN, from: at, to }
      : { ...phrase, terms: [{ kind: "image", wanted: image, providers }], from: at, to };
  }

  #readArticle(at: number): Unit | undefined {
    return /^(?:a|an|the)$/.test(this.words[at]?.key ?? "") ? this.#readNoise(at) : undefined;
  }

  /** `in germany`, `on aws`. `in` alone is India. */
  #readPreposition(at: number): Unit | undefined {
    const word = this.words[at];
    const next = this.words[at + 1]?.key === "the" ? at + 2 : at + 1;
    if (
      word === undefined ||
      !PREPOSITIONS.has(word.key) ||
      word.hasComma ||
      this.words[next]?.kind !== "word" ||
      this.isJoint(next)
    ) {
      return undefined;
    }
    const unit = this.read(next);
    const isPlace = unit !== undefined && ["provider", "place", "city", "text"].includes(unit.kind);
    return isPlace ? { ...unit, from: at } : undefined;
  }

  /** A GPU, a provider or a place: the longest name. */
  #readName(at: number): Unit | undefined {
    for (let to = this.#longestName(at); to > at; to--) {
      const unit = this.#readGpu(at, to) ?? this.#readProvider(at, to) ?? this.#readPlace(at, to);
      if (unit !== undefined) {
        return unit;
      }
    }
    return undefined;
  }

  /** The end of the longest possible name: words without a comma between them, and without those of the grammar. */
  #longestName(at: number): number {
    let to = at + 1;
    while (
      to < at + MAX_NAME_WORDS &&
      this.words[to]?.kind === "word" &&
      !/[<>=$]/.test(this.words[to]?.key ?? "") &&
      this.words[to - 1]?.hasComma === false &&
      this.words[to - 1]?.isGlued === false &&
      to !== this.#options.openWord &&
      !this.isJoint(to)
    ) {
      to++;
    }
    return to;
  }

  #nameOf(from: number, to: number): string {
    return this.words
      .slice(from, to)
      .map(({ key }) => key)
      .join(" ");
  }

  #readGpu(from: number, to: number): Unit | undefined {
    const name = this.#nameOf(from, to);
    const isOne = to === from + 1;
    // A number alone is read by a rule of its own.
    if (isOne ? /^\d+$/.test(name) : this.words.slice(from, to).some(({ key }) => notInGpus.test(key))) {
      return undefined;
    }
    // "a100 80gb ram": the size belongs to what follows.
    if (!isOne && / (?:\d+(?:g(?:i?b)?)?|g(?:i?b)?)$/.test(name) && unitWords.test(this.restAt(to))) {
      return undefined;
    }
    const slugs = this.#names.gpu(name);
    if (slugs === undefined) {
      return undefined;
    }
    if (isOne && typeName.test(name)) {
      const term: SearchTerm = { kind: "type", text: name };
      this.#hasTypeName = true;
      if (this.#options.asTypes === true && this.#names.has(term)) {
        return { kind: "text", terms: [term], as: `instance types ${name}`, from, to };
      }
    }
    // A vendor or an architecture says what it is.
    const as = isOne && !/\d/.test(name) ? undefined : this.#names.describeGpus(slugs);
    return { kind: "gpu", terms: [{ kind: "gpu", slugs }], as, from, to };
  }

  #readProvider(from: number, to: number): Unit | undefined {
    const keys = this.#names.provider(this.#nameOf(from, to));
    return keys === undefined
      ? undefined
      : { kind: "provider", terms: [{ kind: "provider", keys }], as: this.#names.describeProviders(keys), from, to };
  }

  #readPlace(from: number, to: number): Unit | undefined {
    const name = this.#nameOf(from, to);
    const place = this.#names.place(name);
    if (place === undefined) {
      return undefined;
    }
    if (place.codes.length === 0) {
      return { kind: "city", terms: [place], as: this.#names.describePlace(place.name ?? name), from, to };
    }
    const countries =
      place.codes.length > 6 ? `${place.codes.length} countries` : place.codes.map(placeName).join(", ");
    return { kind: "place", terms: [place], as: countries, from, to };
  }

  /** A count, the memory of a GPU, or a number in its name; before a GPU's name, a count. */
  #readNumber(at: number): Unit | undefined {
    const key = this.words[at]?.key ?? "";
    if (!/^\d{1,9}$/.test(key)) {
      return undefined;
    }
    const value = Number(key);
    const slugs = value >= 1000 ? this.#names.gpu(key) : undefined;
    if (slugs !== undefined) {
      const as = this.#names.describeGpus(slugs);
      return { kind: "gpu", terms: [{ kind: "gpu", slugs }], as, from: at, to: at + 1 };
    }
    const isCount = value > 0 && value <= 16 && this.#isGpuAt(at + 1);
    const term: SearchTerm = isCount
      ? { kind: "compare", field: "gpuCount", operator: "=", value }
      : { kind: "number", value };
    return { kind: "count", terms: [term], from: at, to: at + 1 };
  }

  #isGpuAt(at: number): boolean {
    const word = this.words[at];
    const isName = word?.kind === "word" && !word.isGlued && at !== this.#options.openWord;
    return isName && (this.#readName(at)?.kind === "gpu" || this.#readNumber(at)?.kind === "gpu");
  }

  /** `a100/h100`: alternatives of one kind, if each is a name. A region may contain a slash, too. */
  #readSlashes(at: number): Unit | undefined {
    const word = this.words[at];
    const parts = word?.key.split("/") ?? [];
    if (word === undefined || parts.length < 2 || parts.length > 8 || parts.includes("")) {
      return undefined;
    }
    const units = parts.flatMap((key): Unit[] => {
      const part = new UnitReader([{ ...word, key, text: key }], this.#names, {
        asTypes: this.#options.asTypes === true,
      });
      const unit = part.#readAmount(0) ?? part.#readName(0) ?? part.#readNumber(0);
      return unit === undefined ? [] : [unit];
    });
    const [first] = units;
    if (first === undefined || units.length < parts.length) {
      return undefined;
    }
    const isEither = units.every(({ kind }) => kind === first.kind);
    return {
      kind: isEither ? first.kind : "amount",
      terms: isEither ? [either(units.map(({ terms }) => all(terms)))] : units.flatMap(({ terms }) => terms),
      as: units.map(({ as }, index) => as ?? parts[index]).join(isEither ? " or " : " and "),
      from: at,
      to: at + 1,
    };
  }

  #readNoise(at: number): Unit | undefined {
    return NOISE.has(this.words[at]?.key ?? "") ? { kind: "noise", terms: [], from: at, to: at + 1 } : undefined;
  }

  /** Text that must occur, with a memory after or within it: `x100-80gb`. */
  readText(at: number): Unit {
    const text = this.words[at]?.text ?? "";
    if (/\d/.test(text) && this.#names.isType(text)) {
      return { kind: "text", terms: [{ kind: "type", text, isWhole: true }], from: at, to: at + 1 };
    }
    const parts = text.split(/[-_&]+/).filter((part) => part !== "");
    const names = parts.filter((part) => !sizePattern.test(part));
    const sizes = parts.flatMap((part): SearchTerm[] => {
      const digits = sizePattern.exec(part)?.[1];
      return digits === undefined ? [] : [{ kind: "compare", field: "vram", operator: "=", value: Number(digits) }];
    });
    if (names.length === 0) {
      return { kind: "text", terms: sizes, from: at, to: at + 1 };
    }
    // In "a2-highgpu-1g", the last part is no memory.
    const whole: SearchTerm = { kind: "word", text: parts.join("-") };
    const isWhole = sizes.length === 0 || this.#names.has(whole);
    const word: SearchTerm = isWhole ? whole : { kind: "word", text: names.join("-") };
    this.texts.set(at, word);
    return { kind: "text", terms: isWhole ? [word] : [word, ...sizes], from: at, to: at + 1 };
  }
}

function countWords(terms: readonly SearchTerm[]): string {
  const [term] = terms;
  return term?.kind === "compare" && term.field === "gpuCount" && term.operator === "=" ? `${term.value}× ` : "";
}

/** One term for terms that must all match. */
export function all(terms: readonly SearchTerm[]): SearchTerm {
  const [first] = terms;
  return terms.length === 1 && first !== undefined ? first : { kind: "all", terms };
}

/** One term for terms of which one must match. */
export function either(terms: readonly SearchTerm[]): SearchTerm {
  const flat = terms.flatMap((term) => (term.kind === "any" ? term.terms : [term]));
  const [first] = flat;
  return flat.length === 1 && first !== undefined ? first : { kind: "any", terms: flat };
}

/** The opposite of a term. */
export function negatedTerm(term: SearchTerm): SearchTerm {
  return term.kind === "not" ? term.term : { kind: "not", term };
}

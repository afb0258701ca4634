import { limitTerms, limitText, readAmount, type Amount } from "./search-amounts.js";
import { NamedUnits, readField } from "./search-named-unit.js";
import type { SearchNames } from "./search-names.js";
import { DROPPED, IMAGES_UNKNOWN, NO_EFFECT, NOISE, PREPOSITIONS, readPhrase } from "./search-phrases.js";
import { MAX_NAME_LENGTH } from "../image/image-filter.js";
import { all, either, negatedTerm, type SearchTerm } from "./search-term.js";
import { WordRun, type Unit } from "./search-word-run.js";

// Reads the next words of a search that mean something together. In order: quoted texts and exact forms, numbers with limits and
// units, words with a fixed meaning, names, and text that must occur.

/** Maximum of a number that is a count beside a GPU's name. */
export const MAX_COUNT = 16;

/** Reads units of a text's words. */
export class UnitReader {
  /** Words that were read as text, by index. */
  readonly texts = new Map<number, SearchTerm>();
  readonly named: NamedUnits;

  constructor(
    private readonly run: WordRun,
    private readonly names: SearchNames,
    private readonly asTypes: boolean,
  ) {
    this.named = new NamedUnits(run, names, asTypes);
  }

  /** The unit at a word; undefined at a mark. After a preposition, short words are places, too. */
  read(at: number, isPlace = false): Unit | undefined {
    const word = this.run.words[at];
    if (word === undefined || word.kind === "bar" || word.kind === "bang") {
      return undefined;
    }
    if (word.kind === "quote") {
      return { kind: "text", terms: [{ kind: "phrase", text: word.text, isOpen: word.isOpen }], from: at, to: at + 1 };
    }
    if (word.isGlued) {
      return this.#readGlued(at);
    }
    if (at === this.run.openWord) {
      return { kind: "text", terms: [{ kind: "word", text: word.text, isOpen: true }], from: at, to: at + 1 };
    }
    return (isPlace ? this.named.read(at, true) : undefined) ?? this.#readAny(at);
  }

  #readAny(at: number): Unit {
    const { text = "" } = this.run.words[at] ?? {};
    const field = readField(text, this.names);
    if (field !== undefined || text.length > MAX_NAME_LENGTH) {
      return field === undefined ? this.readText(at) : { kind: "feature", terms: [field], from: at, to: at + 1 };
    }
    return (
      this.#readTwoWordCard(at) ??
      this.#readPhrase(at) ??
      this.#readAmount(at) ??
      (/^(?:an?|the)$/i.test(text) ? this.#readNoise(at) : undefined) ??
      this.#readPreposition(at) ??
      this.named.read(at) ??
      this.#readNumber(at) ??
      this.#readSlashes(at) ??
      this.#readNoise(at) ??
      this.readText(at)
    );
  }

  /** A count and its name, or conditions joined by `&`: closer than alternatives. */
  #readGlued(at: number): Unit {
    const head = this.#readAny(at);
    const isNegated = this.run.words[head.to]?.kind === "bang";
    const rest = this.read(head.to + (isNegated ? 1 : 0));
    if (rest === undefined) {
      return head;
    }
    const terms = isNegated ? [negatedTerm(all(rest.terms))] : rest.terms;
    return {
      kind: head.kind === "count" ? rest.kind : "amount",
      terms: [...head.terms, ...terms],
      as: `${head.as ?? this.run.textOf(at, head.to, "text")} ${rest.as ?? this.run.textOf(head.to, rest.to, "text")}`,
      ...(!isNegated && { parts: [head, rest] }),
      from: at,
      to: rest.to,
    };
  }

  /** "max" is a limit, except in the names of Intel's cards; `a` before three digits is the letter of a card: `a 100`. */
  #readTwoWordCard(at: number): Unit | undefined {
    const isCard = /^(?:max .+|a \d{3})$/.test(this.run.textOf(at, at + 2));
    return isCard && this.run.words[at]?.hasComma === false ? this.named.gpu(at, at + 2) : undefined;
  }

  #readAmount(at: number): Unit | undefined {
    const amount = readAmount(this.run.restAt(at));
    const to = amount === undefined ? undefined : this.run.endOf(at, amount.length);
    if (amount === undefined || to === undefined) {
      return undefined;
    }
    const { field, limits, isBare } = amount;
    if (field === undefined) {
      return this.#readBare(amount, at, to);
    }
    const isPrice = field === "pricePerGpu" || field === "priceHourly";
    const [limit] = limits;
    const isOther = isBare && field !== "vram";
    return {
      kind: field === "gpuCount" ? "count" : "amount",
      terms: limitTerms(field, limits),
      ...(field === "disk" && limit !== undefined ? { wishes: { diskGb: limit.value } } : {}),
      as: amount.isExact && !isOther ? undefined : limitText(field, limits),
      ...(isOther && { doubt: "more than a GPU has", instead: `… ${field === "disk" ? "ram" : "disk"}` }),
      ...(isPrice ? { price: amount } : {}),
      from: at,
      to,
    };
  }

  /** A number without a unit: beside a GPU's name a count, with a limit a price. */
  #readBare(amount: Amount, at: number, to: number): Unit | undefined {
    const { limits, isLimited, isSpelled, isWhole } = amount;
    const text = this.run.textOf(at, to, "text");
    const isSmall = isWhole && limits.every(({ value }) => value > 0 && value <= MAX_COUNT);
    const isLow = limits.some(({ operator }) => operator.startsWith(">"));
    const isFollowed = isSmall && this.#isGpuAt(to) && !/^(?:under|below|beneath|cheaper) /i.test(text);
    const isCount = isFollowed || (isSmall && !isLimited && !isSpelled && this.named.isGpuBefore(at) && isLow);
    const field = isCount || (isSpelled && !isLimited) ? "gpuCount" : "pricePerGpu";
    const unit = { terms: limitTerms(field, limits), as: limitText(field, limits), from: at, to };
    if (field === "gpuCount") {
      const other = text.replace(/\d+/, "$$$&");
      const isDoubtful = isLimited && limits.length === 1;
      const doubt = isDoubtful && { doubt: "a number beside a GPU", instead: other === text ? undefined : other };
      return { kind: "count", ...unit, ...doubt };
    }
    // The price of a card's number is none: "under 4090".
    return isLimited && limits.every(({ value }) => value < 1000)
      ? { kind: "amount", ...unit, price: amount }
      : undefined;
  }

  #readPhrase(at: number): Unit | undefined {
    const read = readPhrase(this.run.restAt(at));
    const to = read === undefined ? undefined : this.run.endOf(at, read.length);
    if (read === undefined || to === undefined) {
      return undefined;
    }
    const { image, ...phrase } = read.phrase;
    if (image === undefined) {
      return { ...phrase, from: at, to };
    }
    const providers = this.names.image(image);
    return providers === undefined
      ? { ...phrase, as: IMAGES_UNKNOWN, doubt: NO_EFFECT, from: at, to }
      : { ...phrase, terms: [{ kind: "image", wanted: image, providers }], from: at, to };
  }

  /** `in germany`, `on aws`. `in` alone is India. */
  #readPreposition(at: number): Unit | undefined {
    const word = this.run.words[at];
    const next = /^(?:an?|the)$/.test(this.run.words[at + 1]?.key ?? "") ? at + 2 : at + 1;
    if (
      word === undefined ||
      !PREPOSITIONS.has(word.key) ||
      word.hasComma ||
      this.run.words[next]?.kind !== "word" ||
      this.run.isJoint(next)
    ) {
      return undefined;
    }
    const unit = this.read(next, true);
    // "on one gpu"
    const isAfter = unit !== undefined && ["provider", "place", "city", "text", "count"].includes(unit.kind);
    return isAfter ? { ...unit, from: at } : undefined;
  }

  /** A count, the memory of a GPU, or a number in its name; before a GPU's name, a count. */
  #readNumber(at: number): Unit | undefined {
    const key = this.run.words[at]?.key ?? "";
    if (!/^\d{1,9}$/.test(key)) {
      return undefined;
    }
    const value = Number(key);
    let next = at + 1;
    // "4 or 8 h100"
    while (this.run.isJoint(next) && /^\d{1,2}$/.test(this.run.words[next + 1]?.key ?? "")) {
      next += 2;
    }
    const slugs = value >= 1000 ? this.names.gpu(key) : undefined;
    if (slugs !== undefined) {
      const as = this.names.describeGpus(slugs);
      return { kind: "gpu", terms: [{ kind: "gpu", slugs }], as, from: at, to: at + 1 };
    }
    const isCount = value > 0 && value <= MAX_COUNT && this.#isGpuAt(next);
    const unit = { kind: "count", from: at, to: at + 1 } as const;
    return isCount
      ? { ...unit, terms: [{ kind: "compare", field: "gpuCount", operator: "=", value }] }
      : {
          ...unit,
          terms: [{ kind: "number", value }],
          as: `${key} GPUs, ${key} GB VRAM or ${key} in a name`,
          doubt: "it has no unit",
        };
  }

  #isGpuAt(at: number): boolean {
    const word = this.run.words[at];
    const isName = word?.kind === "word" && !word.isGlued && at !== this.run.openWord;
    const { kind } = (isName && (this.named.read(at) ?? this.#readNumber(at))) || {};
    return kind === "gpu" || kind === "type";
  }

  /** `a100/h100`: alternatives of one kind, if each is a name. A region may contain a slash, too. */
  #readSlashes(at: number): Unit | undefined {
    const word = this.run.words[at];
    const parts = word?.key.split("/") ?? [];
    if (word === undefined || parts.length < 2 || parts.length > 8 || parts.includes("")) {
      return undefined;
    }
    const units = parts.flatMap((key): Unit[] => {
      const run = new WordRun([{ ...word, key, text: key }], undefined);
      const part = new UnitReader(run, this.names, this.asTypes);
      const unit = part.#readAmount(0) ?? part.named.read(0) ?? part.#readNumber(0);
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
    const key = this.run.words[at]?.key ?? "";
    const isIn = (names: ReadonlySet<string>): boolean => names.has(key) || names.has(key.replace(/s$/, ""));
    const isDropped = isIn(DROPPED);
    return isDropped || isIn(NOISE)
      ? { kind: "noise", terms: [], as: key, ...(isDropped && { doubt: NO_EFFECT }), from: at, to: at + 1 }
      : undefined;
  }

  /** Text that must occur. */
  readText(at: number): Unit {
    const text = this.run.words[at]?.text ?? "";
    const isType = /\d/.test(text) && this.names.isType(text);
    const word: SearchTerm = isType
      ? { kind: "type", text, isWhole: true }
      : { kind: "word", text: text.replaceAll(/[_&]+/g, "-") };
    if (!isType) {
      this.texts.set(at, word);
    }
    return { kind: "text", terms: [word], from: at, to: at + 1 };
  }
}

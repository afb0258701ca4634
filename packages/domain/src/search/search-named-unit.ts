import { providerKey } from "../provider/provider-key.js";
import { countryName } from "./place-names.js";
import { SHORT_WORDS } from "./search-phrases.js";
import { placeName, type SearchNames } from "./search-names.js";
import { readAmount } from "./search-amounts.js";
import type { SearchTerm } from "./search-term.js";
import type { Unit, WordRun } from "./search-word-run.js";

// Reads names in a search: of GPUs, providers and places, also as fields: `gpu=h100`, `place=de,eu`.

const MAX_NAME_WORDS = 4;

// Words that are no part of a GPU's name, although resolveGpu ignores them in the names of sources.
const notInGpus =
  /^(?:nv-?link|aws|google|cloud|gpus?|dgx|vws|bare-?metal|bare|metal|data|center|generation|edition|tensor|core|qualcomm|habana|xilinx)$/;
// What belongs to the number before it, apart from units.
const behindNumber = /^(?:v?ram|mem(?:ory)?|disk|storage|ssd|nvme|or (?:more|less|fewer|above|better))(?= |$)/;
/** A region's code with spaces: `us west 2`, `east us 2`. */
const regionCode =
  /^(?=\S+ )(?:[a-z]{2}[ -]?(?:gov[ -]?)?)?(?:(?:north|south|east|(?:mid)?west|central)[ -]?)+(?:us[ -]?)?\d{1,2}(?= |$)/;
/** A word that may begin an instance type: `p4`, `a2`, `g5g`. */
const typeName = /^[a-z]{1,4}\d{1,3}[a-z]{0,3}$/;

/** Reads the names among a text's words. */
export class NamedUnits {
  constructor(
    private readonly run: WordRun,
    private readonly names: SearchNames,
    private readonly asTypes: boolean,
  ) {}

  /** A GPU, a provider or a place: the longest name. */
  read(at: number, isPlace = false): Unit | undefined {
    const region = this.#region(at);
    if (region !== undefined) {
      return region;
    }
    for (let to = this.#longestName(at); to > at; to--) {
      const isShort = SHORT_WORDS.has(this.run.textOf(at, to).replace(/ ?\bthe\b ?/, ""));
      const isName = !isShort || isPlace || this.#isMeant(at);
      const unit = this.gpu(at, to) ?? (isName ? (this.#provider(at, to) ?? this.#place(at, to, isPlace)) : undefined);
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
      this.run.words[to]?.kind === "word" &&
      !/[<>=$/]/.test(this.run.words[to]?.key ?? "") &&
      this.run.words[to - 1]?.hasComma === false &&
      this.run.words[to - 1]?.isGlued === false &&
      to !== this.run.openWord &&
      !this.run.isJoint(to)
    ) {
      to++;
    }
    return to;
  }

  gpu(from: number, to: number): Unit | undefined {
    const name = this.run.textOf(from, to);
    const isOne = to === from + 1;
    // A number alone is read by a rule of its own.
    if (isOne ? /^\d+$/.test(name) : this.run.words.slice(from, to).some(({ key }) => notInGpus.test(key))) {
      return undefined;
    }
    // "a100 80gb ram": the size belongs to what follows.
    if (!isOne && / (?:\d{1,3}(?:g(?:i?b)?)?|g(?:i?b)?)$/.test(name) && this.#hasUnit(to)) {
      return undefined;
    }
    // "a100 x 4" is a count.
    const isTimes = / [x*]$/.test(name) && /^\d{1,3}$/.test(this.run.words[to]?.key ?? "");
    const slugs = isTimes ? undefined : this.names.gpu(name);
    if (slugs === undefined) {
      return undefined;
    }
    const type: SearchTerm = { kind: "type", text: name };
    if (this.asTypes && isOne && typeName.test(name) && this.names.has(type)) {
      return { kind: "type", terms: [type], as: `instance types ${name}`, from, to };
    }
    // A vendor or an architecture says what it is.
    const as = isOne && !/\d/.test(name) ? undefined : this.names.describeGpus(slugs);
    return { kind: "gpu", terms: [{ kind: "gpu", slugs }], as, from, to };
  }

  #provider(from: number, to: number): Unit | undefined {
    const keys = this.names.provider(this.run.textOf(from, to));
    return keys === undefined
      ? undefined
      : { kind: "provider", terms: [{ kind: "provider", keys }], as: this.names.describeProviders(keys), from, to };
  }

  /** The number of a region is no count, also if no offer is there. */
  #region(at: number): Unit | undefined {
    const [text] = regionCode.exec(this.run.restAt(at)) ?? [];
    const to = text && this.run.endOf(at, text.length);
    if (!text || !to || this.#hasUnit(to)) {
      return undefined;
    }
    const term: SearchTerm = { kind: "word", text };
    const doubt = this.names.has(term) ? undefined : "no region has this code";
    return { kind: "city", terms: [term], as: `region ${text.replaceAll(" ", "-")}`, doubt, from: at, to };
  }

  /** Whether words belong to the number before them: "80 gigs", "80 or more", "80 ram". */
  #hasUnit(at: number): boolean {
    const rest = this.run.restAt(at);
    return behindNumber.test(rest) || readAmount(`1 ${rest}`)?.field !== undefined;
  }

  /** Whether the name of a GPU ends before a word. */
  isGpuBefore(at: number): boolean {
    return (
      [1, 2, 3, 4].some((count) => at >= count && this.gpu(at - count, at) !== undefined) ||
      /^\d{4}$/.test(this.run.words[at - 1]?.key ?? "")
    );
  }

  /** Whether a short word is a name: in capitals, beside another place, or alone. */
  #isMeant(at: number): boolean {
    const { words } = this.run;
    const text = words[at]?.text ?? "";
    const isPlaceAt = (other: number): boolean => {
      const key = words[other]?.key ?? "";
      return (this.names.place(key) ?? countryName(key.toUpperCase())) !== undefined;
    };
    const isBeside = (side: 1 | -1, comma: number): boolean =>
      (this.run.isJoint(at + side) && isPlaceAt(at + 2 * side)) ||
      (words[comma]?.hasComma === true && isPlaceAt(at + side));
    const isCapital = text === text.toUpperCase() && words.some((word) => word.text !== word.text.toUpperCase());
    return isCapital || isBeside(-1, at - 1) || isBeside(1, at) || words.length === 1;
  }

  #place(from: number, to: number, isPlace: boolean): Unit | undefined {
    const name = this.run.textOf(from, to);
    const place = this.names.place(name);
    if (place === undefined) {
      return undefined;
    }
    const doubt = name === "no" && !isPlace && !this.#isMeant(from) ? "a short word as a place" : undefined;
    if (place.codes.length === 0) {
      return { kind: "city", terms: [place], as: this.names.describePlace(place.name ?? name), from, to };
    }
    const countries =
      place.codes.length > 6 ? `${place.codes.length} countries` : place.codes.map(placeName).join(", ");
    return { kind: "place", terms: [place], as: countries, ...(doubt && { doubt }), from, to };
  }
}

/** The term of a field that is one of several names: `gpu=h100`, `provider:aws`, `place=de,eu`; undefined for other words. */
export function readField(word: string, names: SearchNames): SearchTerm | undefined {
  const [, field = "", value = ""] = /^([a-z]+)[=:](.+)$/i.exec(word) ?? [];
  const items = value.split(",").filter((item) => item !== "");
  if (items.length === 0) {
    return undefined;
  }
  switch (field.toLowerCase()) {
    case "gpu": {
      const slugs = [...new Set(items.flatMap((item) => names.gpu(item) ?? []))].sort();
      return slugs.length === 0 ? undefined : { kind: "gpu", slugs };
    }
    case "provider":
      return {
        kind: "provider",
        keys: [...new Set(items.flatMap((item) => names.provider(item) ?? [providerKey(item)]))],
      };
    case "place":
    case "country":
    case "continent":
      return placeTerm(items, names);
    case "type":
      return { kind: "type", text: value };
    default:
      return undefined;
  }
}

function placeTerm(items: readonly string[], names: SearchNames): SearchTerm {
  const places = items.map((item) => names.place(item) ?? { codes: [item.toLowerCase()], name: undefined });
  const name = places.find((place) => place.name !== undefined)?.name;
  const codes = [...new Set(places.flatMap((place) => place.codes))];
  return { kind: "place", codes, ...(name === undefined ? {} : { name }) };
}

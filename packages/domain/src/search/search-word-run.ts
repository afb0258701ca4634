import type { Amount } from "./search-amounts.js";
import { BY_KIND } from "./search-phrases.js";
import type { SearchTerm, SearchWishes } from "./search-term.js";
import type { SearchWord } from "./search-words.js";

// The words of a search as their readers see them: one by one, or several together.

/** What kind of words these are. Names of one kind may be alternatives. */
export type UnitKind =
  | "gpu"
  | "type"
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
  /** Why it is doubtful, and words for the other reading. */
  doubt?: string | undefined;
  instead?: string | undefined;
  /** Of a price whose hours aren't settled: other words decide. */
  price?: Amount;
  isFor?: "weights" | "time";
  /** Units with a piece each, where it is several: the count and the name of `8xh100`. */
  parts?: readonly Unit[];
  /** Its words: the first, and the one after the last. */
  from: number;
  to: number;
}

/** Between names: "cheaper than 80 cents" is a limit. */
const COMPARED = /^(?:cheaper|better|faster|slower) th[ae]n (?!\$|[.\d]{1,3}\b)/;
const MAX_PHRASE = { words: 12, characters: 120 };
/** The words of a search, and the one that may be the beginning of a name. */
export class WordRun {
  /** @param openWord Index of the word that may be the beginning of a name; undefined if there is none. */
  constructor(
    readonly words: readonly SearchWord[],
    readonly openWord: number | undefined,
  ) {}

  /** Whether a word joins units: a bar, `or`, `and`, those of `cheaper than`. */
  isJoint(at: number): boolean {
    const word = this.words[at];
    const isCompared = (): boolean => [at - 1, at].some((from) => COMPARED.test(this.textOf(from, from + 3)));
    return (
      word?.kind === "bar" ||
      (word?.kind === "word" && !word.isGlued && (/^n?or$/.test(word.key) || BY_KIND.has(word.key) || isCompared()))
    );
  }

  /** The end of the words at an index that join units. */
  endOfJoints(at: number): number {
    return this.isJoint(at) ? this.endOfJoints(at + 1) : at;
  }

  /** Words up to a mark, a comma or a glued word, joined by single spaces. */
  restAt(at: number): string {
    const parts: string[] = [];
    for (const word of this.words.slice(at, at + MAX_PHRASE.words)) {
      const isFirst = parts.length === 0;
      if (word.kind !== "word" || at + parts.length === this.openWord || (word.isGlued && !isFirst)) {
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
    for (let to = at + 1, end = -1; end < length && to <= this.words.length; to++) {
      end += 1 + (this.words[to - 1]?.key.length ?? 0);
      if (end === length) {
        return to;
      }
    }
    return undefined;
  }

  /** Words joined by single spaces: from the first up to the one before `to`. */
  textOf(from: number, to: number, as: "key" | "text" = "key"): string {
    return this.words
      .slice(from, to)
      .map((word) => word[as])
      .join(" ");
  }
}

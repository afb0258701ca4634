import { plainNumbers as pointed } from "../text/plain-numbers.js";
import { fold } from "./search-text.js";

// Splits a search text into words. What they mean is in read-search.ts.

/** A part of a search text. */
export interface SearchWord {
  /** A `bar` is either, a `bang` is not; the others are words. */
  kind: "word" | "quote" | "bar" | "bang";
  /** As typed, without quotes and marks around it. */
  text: string;
  /** Lower case without accents; numbers are plain ("1,000" is 1000, "0,5" is 0.5). */
  key: string;
  /** Position in the search text. */
  start: number;
  end: number;
  /** A comma follows. */
  hasComma: boolean;
  /** Belongs to the next word more closely than others: the count of `8xh100`, the first part of `a&b`. */
  isGlued: boolean;
  /** A quote without its end. */
  isOpen: boolean;
}

/** Maximum number of words; a text with more matches nothing. */
export const MAX_SEARCH_WORDS = 24;

const MAX_COUNTED = 100;

// A chunk ends at white space, a quote or a bar.
const chunkPattern = /"[^"]*(?:"|$)|\||[^\s"|]+/g;

/** The words of a text, in linear time. */
export function splitWords(text: string): readonly SearchWord[] {
  const words: SearchWord[] = [];
  for (const { 0: chunk, index } of text.matchAll(chunkPattern)) {
    if (chunk.startsWith('"')) {
      addQuote(words, chunk, index);
    } else if (chunk === "|") {
      words.push(wordOf("bar", "|", index));
    } else if (/^[!-]+$/.test(chunk)) {
      // Marks before a quote exclude it. A hyphen alone may be part of a range.
      if (text.charAt(index + chunk.length) === '"') {
        addBang(words, chunk, index);
      } else if (chunk === "-") {
        words.push(wordOf("word", chunk, index));
      }
    } else {
      addChunk(words, chunk, index);
    }
  }
  return words;
}

function wordOf(
  kind: SearchWord["kind"],
  text: string,
  start: number,
  more: Partial<Pick<SearchWord, "end" | "hasComma" | "isGlued" | "isOpen">> = {},
): SearchWord {
  return {
    kind,
    text,
    key: plainNumbers(fold(text)),
    start,
    end: start + text.length,
    hasComma: false,
    isGlued: false,
    isOpen: false,
    ...more,
  };
}

function addQuote(words: SearchWord[], chunk: string, start: number): void {
  const isOpen = chunk.length === 1 || !chunk.endsWith('"');
  const text = chunk.slice(1, isOpen ? undefined : -1).trim();
  if (text !== "") {
    words.push(wordOf("quote", text, start, { end: start + chunk.length, isOpen }));
  }
}

/** Two marks cancel each other. */
function addBang(words: SearchWord[], marks: string, start: number): void {
  words.push(...(marks.length % 2 === 1 ? [wordOf("bang", marks, start)] : []));
}

function addChunk(words: SearchWord[], chunk: string, start: number): void {
  const [marks = ""] = /^(?:[!-]+|non-(?=[^-]))/i.exec(chunk) ?? [];
  addBang(words, marks.startsWith("n") || marks.startsWith("N") ? "!" : marks, start);
  let at = start + marks.length;
  const rest = chunk.slice(marks.length);
  const items = hasNumberComma(rest) ? [rest] : rest.split(",");
  for (const [index, item] of items.entries()) {
    addItem(words, item, at, index < items.length - 1);
    at += item.length + 1;
  }
}

/** Whether commas belong to a number: "1,000", "0,5", "1,5", and every limit. */
function hasNumberComma(text: string): boolean {
  return /[<>≤≥=]|^(?:\$?\d{1,3}(?:,\d{3})+|\$?0,\d+|\$?\d{1,3},\d{1,2})(?![\d,])/.test(text);
}

function addItem(words: SearchWord[], item: string, start: number, hasComma: boolean): void {
  // Marks that end a sentence.
  const bare = item.replace(/,+$/, "").replace(/(?<=[\p{L}\p{N})])[,;:?!.…]+$/u, "");
  const [open = ""] = /^\(+(?=[^(])/.exec(bare) ?? [];
  const text = bare.slice(open.length).replace(/(?<=^[^(]+)\)+$/, "");
  const parts = gluedParts(text).map(({ at, part }) => ({ at: at + open.length, part }));
  for (const [index, { at, part }] of parts.entries()) {
    const isLast = index === parts.length - 1;
    words.push(
      wordOf("word", part, start + at, { isGlued: !isLast, hasComma: isLast && (hasComma || item.endsWith(",")) }),
    );
  }
  const previous = words.at(-1);
  if (parts.length === 0 && previous !== undefined && hasComma) {
    words[words.length - 1] = { ...previous, hasComma: true };
  }
}

/** Splits `a&b`, and each of `8xh100`, `h100x8` and `h100:8`. `rtx50` is not a name and a count, but half of a name. */
function gluedParts(text: string): readonly { at: number; part: string }[] {
  if (text === "&") {
    return [{ at: 0, part: text }];
  }
  return Array.from(text.matchAll(/[^&]+/g)).flatMap(({ 0: item, index }) =>
    countedParts(item).map(({ at, part }) => ({ at: index + at, part })),
  );
}

function countedParts(text: string): readonly { at: number; part: string }[] {
  const whole = [{ at: 0, part: text }];
  if (text.length > MAX_COUNTED) {
    return whole;
  }
  // "8x7b" is the size of a model.
  const [, first, hyphen = "", rest = ""] =
    /^(?!\d+x[\d.]+b$)(\d{1,3}[x×*])(?!-?large)(-?)([^+].*)$/iu.exec(text) ?? [];
  if (first !== undefined) {
    return [
      { at: 0, part: first },
      { at: first.length + hyphen.length, part: rest },
    ];
  }
  const after = /^([^<>=]*\d[^<>=]*?)([x×*]\d{1,2})$/iu.exec(text) ?? /^([^:=]+)(:\d{1,3})$/.exec(text);
  const [, name = "", last = ""] = after ?? [];
  // The count comes first, so that both are read in one order.
  return after === null
    ? whole
    : [
        { at: name.length, part: `x${last.slice(1)}` },
        { at: 0, part: name },
      ];
}

/** Plain numbers and signs: "1 – 2" is "1 - 2". */
function plainNumbers(key: string): string {
  return pointed(key.replaceAll(/[–—]/g, "-").replaceAll("×", "x").replaceAll("≤", "<=").replaceAll("≥", ">="));
}

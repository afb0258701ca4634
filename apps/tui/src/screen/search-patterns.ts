import { findGpuModel, type SearchTerm } from "@gpu-offers/domain";

// Finds the words of a search in a row of the list, by the rules of searches for names.

/** Patterns of the words to highlight, without exclusions and comparisons. */
export function searchPatterns(terms: readonly SearchTerm[]): readonly RegExp[] {
  return terms.flatMap(patternsOf);
}

function patternsOf(term: SearchTerm): RegExp[] {
  switch (term.kind) {
    case "word":
    case "type":
      return term.text.length > MAX_LENGTH ? [] : [wordPattern(term.text)];
    case "phrase":
      return term.text.length > MAX_LENGTH ? [] : [phrasePattern(term.text, term.isOpen ? "" : WORD_END)];
    case "number":
      // Not within a price.
      return [new RegExp(`(?<![\\d.,])${term.value}(?!\\d|[.,]\\d)`, "g")];
    case "gpu":
      // A row has the memory in a form of its own.
      return term.slugs.map((slug) => wordPattern((findGpuModel(slug)?.name ?? slug).replace(/ \d+GB$/, "")));
    case "provider":
      return term.keys.map(wordPattern);
    case "place":
      return [...term.codes, term.name ?? "@"]
        .filter((name) => !name.startsWith("@"))
        .map((name) => phrasePattern(name));
    case "all":
    case "any":
      return term.terms.flatMap(patternsOf);
    case "available":
    case "compare":
    case "deployment":
    case "image":
    case "not":
    case "nvlink":
    case "spot":
      return [];
  }
}

/** Longer words match nothing. Regular expressions have a maximum size. */
const MAX_LENGTH = 100;

const WORD_START = "(?<![\\p{L}\\p{N}])";
const WORD_END = "(?![\\p{L}\\p{N}])";
const GAP = "[\\s_-]";

/** Gaps are optional, but not between numbers. Words with digits and short words match from the start of a word. */
function wordPattern(word: string): RegExp {
  const name = word.replaceAll(/[\s_-]+/g, " ").trim();
  // Few sources state the generation of an SXM socket.
  const characters = Array.from(name.replaceAll(/(sxm)[2-6](?!\d)/gi, "$1"));
  const source = characters.map((character, index) => {
    const next = characters[index + 1] ?? "";
    if (character === " ") {
      return isDigit(characters[index - 1]) && isDigit(next) ? GAP : `${GAP}?`;
    }
    const mayPart = next !== "" && next !== " " && !(isDigit(character) && isDigit(next));
    return escaped(character) + (mayPart ? `${GAP}?` : "");
  });
  const start = /^\d/.test(word) ? "(?<!\\d)" : /\d/.test(word) || characters.length < 4 ? WORD_START : "";
  return pattern(`${start}${source.join("")}${isDigit(characters.at(-1)) ? "(?!\\d)" : ""}`, word);
}

function isDigit(character = ""): boolean {
  return /^\d$/.test(character);
}

function phrasePattern(phrase: string, end = WORD_END): RegExp {
  return pattern(`${WORD_START}${escaped(phrase)}${end}`, phrase);
}

/** A word with an upper-case letter is case-sensitive. */
function pattern(source: string, word: string): RegExp {
  return new RegExp(source, word === word.toLowerCase() ? "giu" : "gu");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

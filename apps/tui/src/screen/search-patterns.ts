import { findGpuModel, wholeWordsSource, wordSource, type SearchTerm } from "@gpu-offers/domain";

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
      return term.text.length > MAX_LENGTH ? [] : [phrasePattern(term.text, term.isOpen)];
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
    case "verified":
    case "host":
    case "vetted":
    case "spot":
      return [];
  }
}

/** Longer words match nothing. Regular expressions have a maximum size. */
const MAX_LENGTH = 100;

/** A gap, for a space of a pattern. */
const GAP = String.raw`[\s_-]`;

function wordPattern(word: string): RegExp {
  const name = word.replaceAll(/[\s_-]+/g, " ").trim();
  // Few sources state the generation of an SXM socket.
  return pattern(wordSource(name.replaceAll(/(sxm)[2-6](?!\d)/gi, "$1")).replaceAll(" ", GAP), word);
}

function phrasePattern(phrase: string, isOpen = false): RegExp {
  return pattern(wholeWordsSource(phrase, isOpen), phrase);
}

/** A word with an upper-case letter is case-sensitive. */
function pattern(source: string, word: string): RegExp {
  return new RegExp(source, word === word.toLowerCase() ? "giu" : "gu");
}

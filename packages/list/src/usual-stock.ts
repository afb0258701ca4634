import { availabilityWords, type ListingIndex } from "@gpu-offers/domain";
import { memoizeLast } from "./memoize.js";

/** The availability of most listings, and the sentence part that says it once for all; empty if they are listed. */
export const usualStock = memoizeLast((index: ListingIndex): { word: string; text: string } => {
  const counts = new Map<string, number>();
  for (let at = 0; at < index.size; at++) {
    const word = index.availabilityAt(at);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const [[word, most] = ["listed", 0]] = [...counts].sort((a, b) => b[1] - a[1]);
  const text = stockNote(word, { word: "listed" });
  return { word, text: text !== "" && most < index.size ? `${text} unless stated` : text };
});

/** What the row of a listing says of its availability: ` · in stock`; empty if it is listed, or as most are. */
export function stockNote(word: string | null | undefined, usual: { word: string }): string {
  const text = word === "unknown" ? "stock unknown" : availabilityWords(word ?? "stock unknown");
  return word === "listed" || word === usual.word ? "" : ` · ${text}`;
}

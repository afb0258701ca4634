import { availabilityWords, type ListingIndex } from "@gpu-offers/domain";
import { memoizeLast } from "./memoize.js";

/** The availability of most listings, and the sentence part that says it once for all; empty if they are listed. */
export const usualStock = memoizeLast((index: ListingIndex): { word: string; text: string } => {
  const words = Array.from({ length: index.size }, (_, at) => index.availabilityAt(at));
  const [most = []] = [...Map.groupBy(words, (one) => one).values()].sort((a, b) => b.length - a.length);
  const [word = "listed"] = most;
  const text = stockNote(word, { word: "listed" });
  return { word, text: text !== "" && most.length < index.size ? `${text} unless stated` : text };
});

/** What the row of a listing says of its availability: ` · in stock`; empty if it is listed, or as most are. */
export function stockNote(word: string | null | undefined, usual: { word: string }): string {
  const text = word === "unknown" ? "stock unknown" : availabilityWords(word ?? "stock unknown");
  return word === "listed" || word === usual.word ? "" : ` · ${text}`;
}

import { isNarrow } from "../src/text/narrow.ts";

// Splits most texts into graphemes without Intl.Segmenter: the first one takes 20 ms of processor time to load Unicode's
// rules. Ink and its
// packages create five when they are loaded. The build replaces Intl.Segmenter with this class. Without the
// replacement, Ink draws the same.

/** Intl.Segmenter, as far as it splits texts. */
export class Segmenter {
  readonly #options: ConstructorParameters<typeof Intl.Segmenter>;
  #real: Intl.Segmenter | undefined;

  constructor(...options: ConstructorParameters<typeof Intl.Segmenter>) {
    this.#options = options;
  }

  segment(text: string): Iterable<Intl.SegmentData> {
    // Escapes and line breaks are graphemes of their own too.
    if (isNarrow(text.replaceAll("\u001B", "").replaceAll("\n", ""))) {
      return Array.from(text, (segment, index) => ({ segment, index, input: text }));
    }
    // By this name, the build doesn't replace it.
    this.#real ??= new globalThis.Intl.Segmenter(...this.#options);
    return this.#real.segment(text);
  }
}

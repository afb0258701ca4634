import { narrowCodes, present, type CodeColumn } from "@gpu-offers/domain";

/** Texts by position as UTF-8, each distinct one once. Plain data, which threads can transfer to one another. */
export interface TextColumn {
  /** The distinct texts, one after another. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The start of each text in `bytes`, then the end of the last one. */
  starts: Uint32Array<ArrayBuffer>;
  /** For each position, the number of its text. */
  codes: CodeColumn;
}

/** Collects texts, one for each position. */
export class TextColumnBuilder {
  readonly #codeOf = new Map<string, number>();
  readonly #codes: number[] = [];

  add(text: string): void {
    const code = this.#codeOf.get(text) ?? this.#codeOf.size;
    if (code === this.#codeOf.size) {
      this.#codeOf.set(text, code);
    }
    this.#codes.push(code);
  }

  build(): TextColumn {
    const texts = Array.from(this.#codeOf.keys(), (text) => Buffer.from(text));
    const starts = new Uint32Array(texts.length + 1);
    for (const [code, text] of texts.entries()) {
      starts[code + 1] = present(starts[code]) + text.length;
    }
    const bytes = new Uint8Array(present(starts.at(-1)));
    for (const [code, text] of texts.entries()) {
      bytes.set(text, starts[code]);
    }
    return { bytes, starts, codes: narrowCodes(Uint32Array.from(this.#codes)) };
  }
}

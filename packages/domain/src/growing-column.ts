/** A column of numbers that grows. It is outside of the heap, which keeps the memory of a list after a catalog is loaded. */
export class GrowingColumn {
  #numbers = new Float64Array(1_024);
  #length = 0;

  /** Adds a number at the end. */
  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length++] = number;
  }

  /** The numbers so far. */
  get numbers(): Float64Array<ArrayBuffer> {
    return this.#numbers.subarray(0, this.#length);
  }
}

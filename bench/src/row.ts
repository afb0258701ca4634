/** One measurement of the benchmark. */
export interface Row {
  what: string;
  reference: string;
  measured: string;
  /** Ratio of the measured figure to the reference, or the inverse, depending on the bar; undefined without a reference. */
  ratio: number | undefined;
  bar: string;
  isMet: boolean;
}

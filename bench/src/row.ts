/** One measurement of the benchmark. */
export interface Row {
  what: string;
  reference: string;
  measured: string;
  /** Of the measured figure to that of the reference, or the other way round, as the bar has it; undefined without one. */
  ratio: number | undefined;
  bar: string;
  isMet: boolean;
}

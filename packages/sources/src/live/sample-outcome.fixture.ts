/** What reading a sample must return, calculated by hand from its units. */
export interface SampleOutcome {
  /** The error-prone parts of each offer, on one line. */
  offers: string[];
  /** Codes of the rejected rows. */
  rejections: string[];
  /** Number of rows that are no GPU instances. */
  skipped: number;
}

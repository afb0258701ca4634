// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

/** A source of offers, and the age of its prices. */
export interface SourceStatus {
  /** Name of the source; for an imported file, the name of its provider. */
  name: string;
  /** Providers whose offers come from it, or will: it takes over imported ones. */
  providers: string[];
  /** `list`: a provider's price list; `marketplace`; `feed`: a third-party collection; `import`: an imported file. */
  kind: string;
  /**
   * `fresh`; `stale`: not confirmed for too long, so its offers are unavailable; `failing`: the last run failed;
   * `quarantined`: the last run's changes were implausible and await review; `stopped`: the provider rejected the key;
   * `needs_key`; `pending`: not run yet; `off`; `imported`: from a file, never stale.
   */
  state: string;
  /** Basis of isAvailable: `live` stock, `listed` in the provider's price list, or `unknown`. */
  stock: string;
  /**
   * When its offers were last confirmed (the earliest time, if parts fail independently). Null if never, or if imported
   * from a file.
   */
  checkedAt: string | null;
  /** Time or date of its prices; null if unknown. */
  pricesAsOf: string | null;
  /** Number of offers in the catalog. */
  offers: number;
  /** Time of the next run; null if it is not scheduled. */
  nextRunAt: string | null;
  /** Error of its last run; null if there was none. */
  error: {
    /** Kind of the error, such as timeout or unauthorized. */
    code: string;
    /** What failed, in a sentence. */
    message: string;
    /** When the run failed: ISO 8601 UTC; null if unknown. */
    at: string | null;
  } | null;
  /** Parts that can fail independently, such as zones; null if there are none. */
  coverage: {
    /** Number of parts. */
    scopes: number;
    /** Names of the parts that failed in the last run. */
    failed: string[];
  } | null;
  /** Who collects the data, if not the provider itself. */
  origin: string | null;
}

/** Sources of the offers, and the age of their prices. */
export interface SourceList {
  /** Revision of the served catalog. */
  revision: number;
  /** All sources, sorted by name. */
  sources: SourceStatus[];
}

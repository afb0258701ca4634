// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

/** Query parameters with typed values. */
export interface PriceHistoryQuery {
  /** Identifier of the offer, which may no longer exist. */
  offer: string;
}

/** A price of an offer, and its start time. */
export interface PricePoint {
  /** Start of this price: ISO 8601 UTC. */
  at: string;
  /** Price in USD per hour; null while it was not offered. */
  priceHourly: number | null;
}

/** Price history of an offer. */
export interface PriceHistory {
  /** Identifier of the offer. */
  offer: string;
  /** Start of the recorded history: ISO 8601 UTC. */
  trackedSince: string;
  /** Whether `prices` begins at `trackedSince`; otherwise it has the latest 200. */
  isComplete: boolean;
  /** The first price and each later change, oldest first. */
  prices: PricePoint[];
}

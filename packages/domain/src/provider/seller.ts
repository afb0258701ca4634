// The values of a listing's seller and of its spot terms, and of the parameters that filter by them.

/**
 * Who provides the machine: a cloud its own machine (`cloud`), a vetted data center through a marketplace (`partner`), or
 * an individual through a marketplace (`host`).
 */
export const SELLERS = ["cloud", "partner", "host"] as const;

/** One of {@link SELLERS}. */
export type Seller = (typeof SELLERS)[number];

/**
 * Kinds of spot terms: a `price` is charged; a `bid` is the minimum to offer for an instance that the next higher bid
 * takes away.
 */
export const SPOT_KINDS = ["price", "bid"] as const;

/** One of {@link SPOT_KINDS}. */
export type SpotKind = (typeof SPOT_KINDS)[number];

/** `verified` of a query: all hosts; none that the marketplace has not verified; only verified ones. */
export const VERIFIED_FILTERS = ["any", "not-false", "true"] as const;

/** `spot` of a query: on-demand prices; spot prices; spot prices and minimum bids. */
export const SPOT_FILTERS = ["false", "true", "bid"] as const;

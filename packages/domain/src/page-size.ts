// The limits of queries of GET /api/v1/offers.

/** Default page size. */
export const DEFAULT_PAGE_SIZE = 25;

/** Maximum page size. A larger one is an error, because clamping it would skip offers. */
export const MAX_PAGE_SIZE = 100;

/** Maximum integer parameter: 9 digits (docs/interface.md, Listing). */
export const MAX_PARAMETER_INTEGER = 999_999_999;

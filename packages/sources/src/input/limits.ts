// What a source may weigh, so that a hostile one ends in an error and not in lack of memory.

/** Largest row of a CSV and longest line of an NDJSON source: 1 MiB. */
export const MAX_RECORD_BYTES = 1024 * 1024;

/** Most fields of a CSV row: a hundred times those of the formats here. */
export const MAX_RECORD_FIELDS = 1000;

/** Largest JSON document, which is held whole: 16 MiB. Larger catalogs are NDJSON, which is not. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Most values, members and elements, of one JSON text: about 17,000 offers, which have 35 each. */
export const MAX_JSON_VALUES = 600_000;

/** Most different member names of one JSON text. The formats here know about 60. */
export const MAX_JSON_NAMES = 1000;

/** Deepest nesting of one JSON text. A native document needs 5 levels. */
export const MAX_JSON_DEPTH = 64;

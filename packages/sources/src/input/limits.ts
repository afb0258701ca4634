// Limits on the size of a source, so that a hostile one causes an error instead of exhausting memory.

/** Maximum size of a CSV row and of an NDJSON line: 1 MiB. */
export const MAX_RECORD_BYTES = 1024 * 1024;

/** Maximum number of fields per CSV row: a hundred times those of the formats here. */
export const MAX_RECORD_FIELDS = 1000;

/** Maximum size of a JSON document, which is held in memory: 16 MiB. Larger catalogs use NDJSON, which is streamed. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Maximum number of values (members and elements) per JSON text: about 17,000 offers with 35 each. */
export const MAX_JSON_VALUES = 600_000;

/** Maximum number of distinct member names per JSON text. The formats here have about 60. */
export const MAX_JSON_NAMES = 1000;

/** Maximum nesting depth of a JSON text. A native document needs 5 levels. */
export const MAX_JSON_DEPTH = 64;

import type { Offer } from "@gpu-offers/domain";
import type { SourceProvider } from "../source-item.js";
import { NATIVE_FORMAT, nativeHeaderSchema } from "./native-schema.js";

/** Metadata of a written catalog. */
export interface NativeHeader {
  /** A date, or an ISO 8601 timestamp in UTC, of the newest figures. */
  asOf: string;
  /** Origin of the figures. */
  note?: string;
  /** Number of offers that follow. */
  offerCount?: number;
}

/**
 * Writes a catalog as NDJSON, one line per chunk. Reading it gives the same providers, images and offers.
 * @param offers Published offers, each of one of the providers.
 * @throws ZodError if `asOf` is not a date.
 */
export async function* writeNative(
  header: NativeHeader,
  providers: Iterable<SourceProvider> | AsyncIterable<SourceProvider>,
  offers: Iterable<Offer> | AsyncIterable<Offer>,
): AsyncGenerator<string> {
  yield line(nativeHeaderSchema.parse({ format: NATIVE_FORMAT, ...header }));
  for await (const provider of providers) {
    yield line({ provider });
  }
  for await (const offer of offers) {
    yield line({ offer });
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

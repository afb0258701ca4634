import type { Offer } from "@gpu-offers/domain";
import type { SourceProvider } from "../source-item.js";
import { NATIVE_FORMAT, nativeHeaderSchema } from "./native-schema.js";

/** What a written catalog says about itself. */
export interface NativeHeader {
  /** A date, or an ISO 8601 timestamp in UTC, of the newest figures. */
  readonly asOf: string;
  /** Where the figures come from. */
  readonly note?: string;
  /** How many offers follow. */
  readonly offerCount?: number;
}

/**
 * Writes a catalog as NDJSON, a line a chunk. Reading it gives the same providers, images and offers again.
 * @param offers Published offers, each of one of the providers.
 * @throws ZodError when `asOf` is no date.
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

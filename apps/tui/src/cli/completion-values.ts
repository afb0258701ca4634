import { imageSystem, type OsImage } from "@gpu-offers/domain";
import type { OfferSource } from "../catalog/offer-source.js";
import { OfferSourceError } from "../catalog/offer-source-error.js";

// Completion values from the catalog. Completion must not hang, so values that take too long are omitted.

/** Kinds of values that can be completed from a catalog. */
export type ValueKind = "provider" | "country" | "region" | "image" | "os" | "id";

/** Timeout of completion in milliseconds. */
export const COMPLETION_TIMEOUT_MS = 1500;

/** The values of a kind, sorted; fewer or none if the source is slow or fails. */
export async function completionValues(source: OfferSource, kind: ValueKind): Promise<string[]> {
  const found = new Set<string>();
  const signal = AbortSignal.timeout(COMPLETION_TIMEOUT_MS);
  try {
    await collect(source, kind, { found, signal });
  } catch (error) {
    if (!signal.aborted && !(error instanceof OfferSourceError)) {
      throw error;
    }
  }
  // Shells read one value per line.
  return [...found].filter((value) => /^[\x21-\x7e]+$/.test(value)).sort();
}

async function collect(
  source: OfferSource,
  kind: ValueKind,
  { found, signal }: { found: Set<string>; signal: AbortSignal },
): Promise<void> {
  if (kind === "country" || kind === "region" || kind === "id") {
    for await (const part of source.list({}, signal)) {
      for (const offer of part.kind === "page" ? part.offers : []) {
        found.add(kind === "country" ? offer.regionInfo.countryCode : offer[kind]);
      }
    }
    return;
  }
  const providers = (await source.listProviders(signal)).map(({ name }) => name);
  if (kind === "provider") {
    providers.forEach((name) => found.add(name));
    return;
  }
  const valuesOf = kind === "image" ? ({ id }: OsImage) => id : imageSystem;
  await Promise.all(
    providers.map(async (name) => {
      const images = (await source.findImages(name, { signal })) ?? [];
      images.map(valuesOf).forEach((value) => value !== undefined && found.add(value));
    }),
  );
}

import {
  CONTINENTS,
  gpuModels,
  LISTING_PARAMETERS,
  LISTING_PARAMETER_NAMES,
  type ListingParameter,
  type ListingParameterName,
  type OsImage,
} from "@gpu-offers/domain";
import type { CompletedProgram, Values } from "@gpu-offers/completion";
import type { Command } from "commander";
import { listingOf } from "../catalog/listing-catalog.js";
import type { OfferSource } from "../catalog/offer-source.js";
import { OfferSourceError } from "../catalog/offer-source-error.js";

/**
 * What shells complete: besides the program's own words, names of GPUs and continents, and values of the catalog.
 * @param read Reads the values of a kind.
 */
export function completedProgram(
  program: Command,
  read: (kind: ValueKind) => Promise<readonly string[]>,
): CompletedProgram {
  const valuesOf = (kind: ValueKind): Values => ({ words: () => read(kind) });
  const listOf = (kind: ValueKind): Values => ({ ...valuesOf(kind), isList: true });
  const wordsOf = (words: readonly string[]): Values => ({ words, isList: true });
  const ofParameters = LISTING_PARAMETER_NAMES.flatMap((name): [string, Values][] => {
    const { flag, values, named, control, suggestions }: ListingParameter = LISTING_PARAMETERS[name];
    const isOfCatalog = (suggestions ?? control?.valuesOf) !== undefined || named === "images";
    return values !== undefined ? [[`--${flag}`, wordsOf(values)]] : isOfCatalog ? [[`--${flag}`, listOf(name)]] : [];
  });
  return {
    program,
    options: {
      ...Object.fromEntries(ofParameters),
      "--gpu": wordsOf([...new Set(gpuModels.flatMap(({ family, slug }) => [family, slug]))].sort()),
      "--continent": wordsOf(CONTINENTS.map(wordOf)),
      "--id": listOf("id"),
    },
    arguments: {
      images: valuesOf("provider"),
      show: valuesOf("id"),
      compare: valuesOf("id"),
      launch: valuesOf("id"),
    },
  };
}

function wordOf(name: string): string {
  return name.toLowerCase().replaceAll(" ", "-");
}

// Completion values from the catalog. Completion must not hang, so values that take too long are omitted.

/** Values that can be completed from a catalog: those of a parameter, or ids of offers. */
export type ValueKind = ListingParameterName | "id";

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
  const add = (values: readonly string[]): void => values.forEach((value) => found.add(value));
  const row: ListingParameter | undefined = kind === "id" ? undefined : LISTING_PARAMETERS[kind];
  if (row?.named === "providers" || row?.named === "images") {
    const providers = (await source.listProviders(signal)).map(({ name }) => name);
    const valuesOf = row.control?.imageValuesOf ?? (({ id }: OsImage) => [id]);
    const readImages = async (name: string): Promise<void> =>
      ((await source.findImages(name, { signal })) ?? []).map(valuesOf).forEach(add);
    await (row.named === "images" ? Promise.all(providers.map(readImages)) : add(providers));
    return;
  }
  for await (const part of source.list({}, signal)) {
    for (const offer of part.kind === "page" ? part.offers : []) {
      const listing = listingOf(offer);
      const values = row?.control?.valuesOf?.(listing).flatMap(([value, label]) =>
        // A country's code is known to few.
        kind === "country" ? [value, wordOf(label)] : [value],
      );
      add(row === undefined ? [offer.id] : (values ?? row.suggestions?.(listing) ?? []));
    }
  }
}

import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeNative, type SourceItem } from "@gpu-offers/sources";
import { readCatalogFile, type CatalogFile } from "./catalog-file.js";

// The catalog without a server: prices that were fetched before, a file for each live source in the cache folder, or else
// the starter catalog, a dated sample.

/** What a local catalog was read from. */
export interface LocalCatalog extends CatalogFile {
  /** Whether it is the starter catalog, because nothing was fetched yet. */
  isSample: boolean;
}

/** The starter catalog: beside the bundle, or in a checkout. */
const STARTER = new URL(process.env["GPU_OFFERS_STARTER"] ?? "../../../api/catalog/starter.json", import.meta.url);

/** The fetched prices, or the starter catalog if there are none. Unreadable files of the cache are left out. */
export async function readLocalCatalog(folder: string | undefined): Promise<LocalCatalog> {
  const paths = folder === undefined ? [] : await fetchedPaths(folder);
  const fetched = await Promise.all(paths.map((path) => readCatalogFile({ path }).catch(() => undefined)));
  const known = fetched.filter((catalog) => catalog !== undefined && catalog.offers.length > 0);
  return known.length === 0
    ? { ...(await readCatalogFile({ path: fileURLToPath(STARTER) })), isSample: true }
    : { ...merged(known.filter((catalog) => catalog !== undefined)), isSample: false };
}

function merged(catalogs: readonly CatalogFile[]): CatalogFile {
  return {
    offers: catalogs.flatMap(({ offers }) => offers),
    facts: new Map(catalogs.flatMap(({ facts }) => [...facts])),
    providers: catalogs.flatMap(({ providers }) => providers),
    images: new Map(catalogs.flatMap(({ images }) => [...images])),
    pricesAsOf: new Map(catalogs.flatMap(({ pricesAsOf }) => [...pricesAsOf])),
    rejected: [],
  };
}

async function fetchedPaths(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(SUFFIX)).map((name) => join(folder, name));
  } catch {
    // Nothing was fetched yet.
    return [];
  }
}

const SUFFIX = ".ndjson";

/** The prices of one source that were fetched before, and when; undefined if there are none. */
export async function readFetched(
  folder: string | undefined,
  source: string,
): Promise<{ catalog: CatalogFile; fetchedAtMs: number } | undefined> {
  if (folder === undefined) {
    return undefined;
  }
  const path = join(folder, source + SUFFIX);
  try {
    const [header = ""] = (await readFile(path, "utf8")).split("\n", 1);
    const { asOf } = JSON.parse(header) as { asOf: string };
    return { catalog: await readCatalogFile({ path }), fetchedAtMs: Date.parse(asOf) };
  } catch {
    return undefined;
  }
}

/** Prices that a source gave. */
export interface FetchedPrices {
  source: string;
  items: readonly SourceItem[];
  /** When its responses arrived, ISO 8601. */
  fetchedAt: string;
}

/** Writes the prices of a source. If the folder isn't writable, nothing is kept for the next start. */
export async function writeFetched(
  folder: string | undefined,
  { source, items, fetchedAt }: FetchedPrices,
): Promise<void> {
  if (folder === undefined) {
    return;
  }
  const providers = items.flatMap((item) => (item.kind === "provider" ? [item.provider] : []));
  const offers = items.flatMap((item) => (item.kind === "offer" ? [{ offer: item.offer, listing: item.listing }] : []));
  const lines: string[] = [];
  for await (const line of writeNative({ asOf: fetchedAt, note: `fetched from ${source}` }, providers, offers)) {
    lines.push(line);
  }
  const path = join(folder, source + SUFFIX);
  const temporary = `${path}.${process.pid}`;
  await mkdir(folder, { recursive: true });
  await writeFile(temporary, lines.join(""), { mode: 0o600 });
  await rename(temporary, path);
}

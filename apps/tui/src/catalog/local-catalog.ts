import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "../output/version.js";
import type { CatalogFile } from "./catalog-file.js";

// The catalog without a server: prices that were fetched before, a file for each live source in the cache folder, or else
// the starter catalog, a dated sample. They are kept as they were read, because reading and validating rows again takes
// longer than everything else before the first offers: 90 of 290 ms for the starter catalog.

/** Prices of one source, and when its responses arrived. */
interface KeptCatalog {
  catalog: CatalogFile;
  fetchedAtMs: number;
}

const SUFFIX = ".json";

/** The version of this program, and of what it keeps. */
const KEPT_VERSION = `${VERSION}+2`;

/** The catalog as text that {@link parseKept} reads. */
export function keptText(kept: KeptCatalog): string {
  return JSON.stringify({ version: KEPT_VERSION, ...kept });
}

/** A kept catalog; undefined if another version of this program wrote it, or another program. */
function parseKept(text: string): KeptCatalog | undefined {
  const { version, ...kept } = JSON.parse(text) as KeptCatalog & { version: string };
  return version === KEPT_VERSION ? kept : undefined;
}

/** The fetched prices, or the starter catalog if there are none. Unreadable files of the cache are left out. */
export async function readLocalCatalog(folder: string | undefined): Promise<CatalogFile> {
  const sources = folder === undefined ? [] : await fetchedSources(folder);
  const fetched = await Promise.all(sources.map((source) => readFetched(folder, source)));
  const known = fetched.flatMap((kept) =>
    kept === undefined || kept.catalog.offers.length === 0 ? [] : [kept.catalog],
  );
  return known.length === 0
    ? readStarter()
    : {
        offers: known.flatMap(({ offers }) => offers),
        providers: known.flatMap(({ providers }) => providers),
        rejected: [],
      };
}

/** The starter catalog: beside the bundle as the build keeps it, or in a checkout. */
async function readStarter(): Promise<CatalogFile> {
  const kept = process.env["GPU_OFFERS_STARTER"];
  if (kept !== undefined) {
    const starter = parseKept(await readFile(new URL(kept, import.meta.url), "utf8"));
    if (starter !== undefined) {
      return starter.catalog;
    }
  }
  const { readCatalogFile } = await import("./catalog-file.js");
  return readCatalogFile({ path: fileURLToPath(new URL("../../../api/catalog/starter.json", import.meta.url)) });
}

async function fetchedSources(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
  } catch {
    // Nothing was fetched yet.
    return [];
  }
}

/** The prices of one source that were fetched before; undefined if there are none. */
export async function readFetched(folder: string | undefined, source: string): Promise<KeptCatalog | undefined> {
  if (folder === undefined) {
    return undefined;
  }
  try {
    return parseKept(await readFile(join(folder, source + SUFFIX), "utf8"));
  } catch {
    return undefined;
  }
}

/** Writes the prices of a source. Without a folder, nothing is kept for the next start. */
export async function writeFetched(folder: string | undefined, source: string, kept: KeptCatalog): Promise<void> {
  if (folder === undefined) {
    return;
  }
  const path = join(folder, source + SUFFIX);
  const temporary = `${path}.${process.pid}`;
  await mkdir(folder, { recursive: true });
  await writeFile(temporary, keptText(kept), { mode: 0o600 });
  await rename(temporary, path);
}

import { createReadStream } from "node:fs";
import { basename, dirname } from "node:path";
import { compareOsImages, providerNameSchema, type Offer, type OsImage, type Provider } from "@gpu-offers/domain";
import { readApiAnswer, readNative, readSkypilot, SourceError, type SourceItem } from "@gpu-offers/sources";
import type { RefusedRow } from "./offer-source.js";
import { SourceFault } from "./source-fault.js";

// A catalog file in any of the formats that `catalog import` reads. The file itself tells which.

/** What a file holds. */
export interface CatalogFile {
  offers: Offer[];
  providers: Provider[];
  images: Map<string, readonly OsImage[]>;
  refused: RefusedRow[];
}

/** A file, or standard input for `-`, and the provider of its offers where the file may not name one. */
export interface CatalogPlace {
  path: string;
  provider?: string | undefined;
}

type Bytes = AsyncIterable<Uint8Array>;

/**
 * Reads a catalog.
 * @throws SourceFault with the path and the reason when it is none.
 */
export async function readCatalogFile({ path, provider }: CatalogPlace): Promise<CatalogFile> {
  try {
    const { head, bytes } = await peek(path === "-" ? process.stdin : createReadStream(path));
    return await collect(itemsOf(head, bytes, { path, provider }));
  } catch (error) {
    throw new SourceFault({ kind: "file", message: `cannot read the catalog ${path}: ${reasonOf(error)}` });
  }
}

/** Native catalogs say so at their beginning; other JSON is an answer of a server; what is no JSON is a SkyPilot CSV. */
function itemsOf(head: string, bytes: Bytes, place: CatalogPlace): AsyncIterable<SourceItem> {
  if (!/^\s*[{[]/.test(head)) {
    return readSkypilotFile(bytes, place);
  }
  return /"format"\s*:/.test(head) ? readNative(bytes) : readApiAnswer(bytes);
}

async function* readSkypilotFile(bytes: Bytes, place: CatalogPlace): AsyncIterable<SourceItem> {
  const name = place.provider ?? folderProvider(place.path);
  if (name === undefined) {
    throw new SourceError("It is no JSON, and a SkyPilot CSV does not name its provider: add --provider NAME.");
  }
  yield { kind: "provider", where: "line 1", provider: { name, type: "vm", images: [] } };
  yield* readSkypilot(bytes, { provider: name });
}

/** SkyPilot keeps the rows of a provider in a folder of its name: `catalogs/v8/aws/vms.csv`. */
function folderProvider(path: string): string | undefined {
  const folder = basename(dirname(path));
  return /^vms\b/.test(basename(path)) && providerNameSchema.safeParse(folder).success ? folder : undefined;
}

/** So much of a source tells its format. */
const HEAD_BYTES = 4096;

async function peek(source: Bytes): Promise<{ head: string; bytes: Bytes }> {
  const iterator = source[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const next = await iterator.next();
    if (next.done === true) {
      break;
    }
    held.push(next.value);
    length += next.value.length;
  }
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    yield* held;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  return {
    head: Buffer.concat(held)
      .subarray(0, HEAD_BYTES)
      .toString()
      .replace(/^\uFEFF/, ""),
    bytes: bytes(),
  };
}

async function collect(items: AsyncIterable<SourceItem>): Promise<CatalogFile> {
  const catalog: CatalogFile = { offers: [], providers: [], images: new Map(), refused: [] };
  for await (const item of items) {
    switch (item.kind) {
      case "offer":
        catalog.offers.push(item.offer);
        break;
      case "provider": {
        const { name, type, images } = item.provider;
        catalog.providers.push({ name, type });
        catalog.images.set(name, [...images].sort(compareOsImages));
        break;
      }
      case "refusal": {
        const { where, code, reason } = item;
        catalog.refused.push({ where, code, reason });
        break;
      }
      case "skipped":
        break;
    }
  }
  return catalog;
}

function reasonOf(error: unknown): string {
  if (error instanceof SourceError) {
    return error.message;
  }
  return `${error instanceof Error ? error.message : String(error)}. --catalog takes a file, or - for standard input.`;
}

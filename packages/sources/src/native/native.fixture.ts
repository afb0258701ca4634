import type { SourceItem } from "../source-item.js";
import { bytesOf, collect } from "../source.fixture.js";
import { readNative } from "./read-native.js";

// A small native catalog for tests, and helpers to read variations of it.

/** Header of both forms. */
export const header = { format: "gpu-offers/1", asOf: "2026-11-01" };
/** A provider without images. */
export const provider = { name: "hyperstack", type: "vm" };
/** A default image. */
export const image = {
  id: "ubuntu",
  displayName: "Ubuntu",
  slug: "ubuntu",
  hasCuda: false,
  cudaVersion: null,
  hasDocker: true,
  isDefault: true,
};
/** Two SXM cards in Norway, with as few fields as the format allows. */
export const offer = {
  provider: "hyperstack",
  instanceType: "n3-H100x2",
  gpu: "h100-sxm",
  gpuCount: 2,
  region: "NORWAY-1",
  priceHourly: 4.8,
  specs: { vcpu: 28, ram: 180, disk: 100 },
};

/** A JSON object. */
export type Json = Record<string, unknown>;

/** All items of a source. */
export const read = (content: string, size?: number) => collect(readNative(bytesOf(content, size)));
/** All items of a JSON document with these members besides the header. */
export const readDocument = (document: Json) => read(JSON.stringify({ ...header, ...document }, null, 2));
/** All items of an NDJSON source with these records after the header. */
export const readLines = (...records: unknown[]) =>
  read([header, ...records].map((record) => JSON.stringify(record)).join("\n"));

/** The offer of the example above with some fields changed. */
export async function readOffer(changes: Json, providerChanges: Json = {}): Promise<SourceItem | undefined> {
  const items = await readDocument({
    providers: [{ ...provider, ...providerChanges }],
    offers: [{ ...offer, ...changes }],
  });
  return items[1];
}

/** The offer itself; fails if it is rejected. */
export const published = async (changes: Json, providerChanges?: Json) => {
  const item = await readOffer(changes, providerChanges);
  if (item?.kind !== "offer") {
    throw new Error(JSON.stringify(item));
  }
  return item.offer;
};

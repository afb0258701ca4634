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

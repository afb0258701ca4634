import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { exampleImage } from "@gpu-offers/domain/offer.fixture";
import type { SourceImage } from "@gpu-offers/sources";
import { tempFolder } from "./temp-folder.ts";

// Small catalogs in the native format, for imports.

/** An offer as documented in docs/native-format.md. */
export interface NativeRow {
  provider: string;
  instanceType: string;
  gpu: string;
  gpuCount: number;
  region: string;
  countryCode: string;
  priceHourly: number;
  specs: { vcpu: number; ram: number; disk: number };
  storage: { costPerGB: number; minGB: number; maxGB: number };
  /** What to rent, and who sells it. */
  listing?: object;
}

/** A valid offer of the provider `fjord`; `changes` replaces whole fields. */
export function nativeRow(changes: Partial<NativeRow> = {}): NativeRow {
  return {
    provider: "fjord",
    instanceType: "h100x1",
    gpu: "h100-sxm",
    gpuCount: 1,
    region: "oslo-1",
    countryCode: "NO",
    priceHourly: 2.5,
    specs: { vcpu: 16, ram: 128, disk: 0 },
    storage: { costPerGB: 0.0001, minGB: 50, maxGB: 2000 },
    ...changes,
  };
}

/** `count` offers of different instance types and prices. */
export function nativeRows(count: number, changes: Partial<NativeRow> = {}): NativeRow[] {
  return Array.from({ length: count }, (_, number) =>
    nativeRow({ instanceType: `type-${number}`, priceHourly: (100 + number) / 100, ...changes }),
  );
}

/** An OS image of a native provider. */
export function nativeImage(id: string, changes: Partial<SourceImage> = {}): SourceImage {
  return { ...exampleImage({ id, displayName: id, slug: id, isDefault: false }), ...changes };
}

/** A native document of the rows, with a provider for each name in them. */
export function nativeDocument(rows: readonly NativeRow[], images: readonly SourceImage[] = []): string {
  const providers = [...new Set(rows.map((row) => row.provider))];
  return JSON.stringify({
    format: "gpu-offers/1",
    asOf: "2026-11-01",
    providers: providers.map((name) => ({ name, type: "vm", images })),
    offers: rows,
  });
}

/** Writes a file to import and returns its path. */
export function tempFile(name: string, content: string | Uint8Array): string {
  const path = join(tempFolder(), name);
  writeFileSync(path, content);
  return path;
}

export function nativeFile(rows: readonly NativeRow[], images: readonly SourceImage[] = []): string {
  return tempFile("catalog.json", nativeDocument(rows, images));
}

/** Path of a small catalog for the tests of every parameter of the listing query on every door: each excludes some offers. */
export const DOORS_CATALOG = fileURLToPath(new URL("./doors-catalog.ndjson", import.meta.url));

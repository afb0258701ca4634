import { createReadStream, existsSync, readFileSync } from "node:fs";
import type { Offer } from "@gpu-offers/domain";
import { parse } from "csv-parse/sync";
import type { RejectionCode } from "../rejection.js";
import type { SourceItem } from "../source-item.js";
import { collect } from "../source.fixture.js";
import { readSkypilot } from "./read-skypilot.js";

// Real catalogs in a folder next to the project, if present; they are not part of it. A second parser reads their rows
// by column name, so that tests can compare offers with the files.

export const data = new URL("../../../../../shared/data/skypilot-catalog/", import.meta.url);

/** Whether the samples are on this machine. */
export const present = existsSync(data);

if (!present) {
  console.warn("The SkyPilot samples are not on this machine: the tests that read them are skipped.");
}

/** Appended to the name of a skipped group of tests. */
export const skipped = present ? "" : " (skipped: no samples on this machine)";

interface Catalog {
  file: string;
  rows: number;
  offers: number;
  skipped: number;
  rejections: Partial<Record<RejectionCode, number>>;
}

/** Every sample with its expected counts. */
export const catalogs = {
  aws: {
    file: "v5-2024-11/aws/vms.csv",
    rows: 33_734,
    offers: 1489,
    skipped: 31_872,
    rejections: { not_a_gpu: 372, no_price: 1 },
  },
  azure: {
    file: "v5-2024-11/azure/vms.csv",
    rows: 5969,
    offers: 165,
    skipped: 5782,
    rejections: { fractional_gpu: 21, no_price: 1 },
  },
  gcp: {
    file: "v5-2023-01/gcp/vms.csv",
    rows: 3058,
    offers: 40,
    // 2,815 machines without GPUs, and the 40 prices of cards that the offers contain.
    skipped: 2855,
    rejections: { sold_apart: 132, not_a_gpu: 31 },
  },
  cudo: { file: "v5-2024-11/cudo/vms.csv", rows: 69, offers: 69, skipped: 0, rejections: {} },
  do: { file: "v5-2024-11/do/vms.csv", rows: 38, offers: 2, skipped: 36, rejections: {} },
  fluidstack: { file: "v5-2024-11/fluidstack/vms.csv", rows: 14, offers: 14, skipped: 0, rejections: {} },
  lambda: { file: "v5-2024-11/lambda/vms.csv", rows: 234, offers: 221, skipped: 13, rejections: {} },
  paperspace: { file: "v5-2024-11/paperspace/vms.csv", rows: 19, offers: 14, skipped: 5, rejections: {} },
  runpodOld: { file: "v5-2024-11/runpod/vms.csv", rows: 480, offers: 480, skipped: 0, rejections: {} },
  hyperbolic: { file: "v7/hyperbolic/vms.csv", rows: 37, offers: 37, skipped: 0, rejections: {} },
  hyperstack: { file: "v8/hyperstack/vms.csv", rows: 25, offers: 25, skipped: 0, rejections: {} },
  runpod: { file: "v8/runpod/vms.first-79-rows.csv", rows: 79, offers: 79, skipped: 0, rejections: {} },
  shadeform: { file: "v8/shadeform/vms.csv", rows: 118, offers: 117, skipped: 0, rejections: { not_a_gpu: 1 } },
  vast: { file: "v8/vast/vms.csv", rows: 67, offers: 67, skipped: 0, rejections: {} },
  verda: { file: "v8/verda/vms.csv", rows: 33, offers: 17, skipped: 11, rejections: { spot_only: 5 } },
} satisfies Record<string, Catalog>;

/** One of the samples. */
export type CatalogName = keyof typeof catalogs;
/** All samples. */
export const names = Object.keys(catalogs).filter((name): name is CatalogName => name in catalogs);

/** A row of the file, with its outcome. */
export interface ReadRow {
  row: Record<string, string>;
  item: SourceItem;
  offer: Offer | undefined;
}

const read = new Map<CatalogName, ReadRow[]>();

/** Rows of a catalog with these values in the given columns. */
export function rowsOf(name: CatalogName, wanted: Record<string, string> = {}): ReadRow[] {
  const rows = read.get(name) ?? [];
  return rows.filter(({ row }) => Object.entries(wanted).every(([column, value]) => row[column] === value));
}

/** The offer of the only row with those values. */
export function offerOf(name: CatalogName, wanted: Record<string, string>): Offer {
  const rows = rowsOf(name, wanted);
  const offer = rows[0]?.offer;
  if (rows.length !== 1 || offer === undefined) {
    throw new Error(`${JSON.stringify(wanted)} does not match one offer, but ${JSON.stringify(rows)}`);
  }
  return offer;
}

/** All offers of a catalog. */
export const offers = (name: CatalogName) => rowsOf(name).flatMap(({ offer }) => offer ?? []);
let all: readonly Offer[] | undefined;

/** All offers of all catalogs, always the same list. */
export const allOffers = (): readonly Offer[] => (all ??= names.flatMap(offers));
/** The GPU slugs among rows. */
export const slugsOf = (rows: ReadRow[]) => [...new Set(rows.map(({ offer }) => offer?.gpu.slug ?? "none"))].toSorted();

/** Reads all samples; await this before the tests. */
export async function readCatalogs(): Promise<void> {
  for (const name of names) {
    read.set(name, await readCatalog(name));
  }
}

async function readCatalog(name: CatalogName): Promise<ReadRow[]> {
  const { file } = catalogs[name];
  const url = new URL(file, data);
  const rows = parse<Record<string, string>>(readFileSync(url), { columns: true });
  const provider = file.split("/")[1] ?? "";
  const inLines = (a: SourceItem, b: SourceItem) => Number(a.where.slice(5)) - Number(b.where.slice(5));
  const items = (await collect(readSkypilot(createReadStream(url), { provider }))).toSorted(inLines);
  return items.map((item, index) => {
    const row = rows[index];
    // No field of these files spans lines, so the line of each row is known.
    if (row === undefined || item.where !== `line ${index + 2}`) {
      throw new Error(`${name}: no row at ${item.where}`);
    }
    return { row, item, offer: item.kind === "offer" ? item.offer : undefined };
  });
}

import { createReadStream, existsSync, readFileSync } from "node:fs";
import type { Offer } from "@gpu-offers/domain";
import { parse } from "csv-parse/sync";
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

/** The path of every sample. */
export const catalogs = {
  aws: "v5-2024-11/aws/vms.csv",
  azure: "v5-2024-11/azure/vms.csv",
  gcp: "v5-2023-01/gcp/vms.csv",
  cudo: "v5-2024-11/cudo/vms.csv",
  do: "v5-2024-11/do/vms.csv",
  fluidstack: "v5-2024-11/fluidstack/vms.csv",
  lambda: "v5-2024-11/lambda/vms.csv",
  paperspace: "v5-2024-11/paperspace/vms.csv",
  runpodOld: "v5-2024-11/runpod/vms.csv",
  hyperbolic: "v7/hyperbolic/vms.csv",
  hyperstack: "v8/hyperstack/vms.csv",
  runpod: "v8/runpod/vms.first-79-rows.csv",
  shadeform: "v8/shadeform/vms.csv",
  vast: "v8/vast/vms.csv",
  verda: "v8/verda/vms.csv",
} as const;

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

/** All offers of a catalog. */
export const offers = (name: CatalogName) => rowsOf(name).flatMap(({ offer }) => offer ?? []);

let all: readonly Offer[] | undefined;

/** All offers of all catalogs, always the same list. */
export const allOffers = (): readonly Offer[] => (all ??= names.flatMap(offers));

/** Reads all samples; await this before the tests. */
export async function readCatalogs(): Promise<void> {
  for (const name of names) {
    read.set(name, await readCatalog(name));
  }
}

async function readCatalog(name: CatalogName): Promise<ReadRow[]> {
  const url = new URL(catalogs[name], data);
  const rows = parse<Record<string, string>>(readFileSync(url), { columns: true });
  const [, provider = ""] = catalogs[name].split("/");
  const inLines = (a: SourceItem, b: SourceItem) => Number(a.where.slice(5)) - Number(b.where.slice(5));
  const items = await collect(readSkypilot(createReadStream(url), { provider }));
  const ofRows = items.filter(({ kind }) => kind !== "note").toSorted(inLines);
  return ofRows.map((item, index) => {
    const row = rows[index];
    // No field of these files spans lines, so the line of each row is known.
    if (row === undefined || item.where !== `line ${index + 2}`) {
      throw new Error(`${name}: no row at ${item.where}`);
    }
    return { row, item, offer: item.kind === "offer" ? item.offer : undefined };
  });
}

import * as z from "zod";
import { publishedOfferSchema } from "@gpu-offers/domain";
import { contentOf } from "@gpu-offers/store/test/database-content";
import { tempFile } from "@gpu-offers/testkit/native-catalogs";
import { catalogImportJson } from "../src/import-report.ts";
import { catalogStatusJson } from "../src/catalog-commands.ts";
import { admin, adminDone } from "./in-process.ts";

// Catalog commands for tests, and files for them.

/** The output of catalog status. */
export const statusOf = async (databasePath: string) =>
  catalogStatusJson.parse(JSON.parse((await adminDone(databasePath, "catalog", "status", "--json")).stdout));

/** Imports with --accept-changes, and returns the report whether or not it succeeds. */
export async function importOf(databasePath: string, file: string, ...options: string[]) {
  return gatedImportOf(databasePath, file, "--accept-changes", ...options);
}

/** Imports unless the changes are implausible. */
export async function gatedImportOf(databasePath: string, file: string, ...options: string[]) {
  const { stdout, stderr } = await admin(databasePath, "catalog", "import", file, ...options, "--json");
  if (stdout === "") {
    throw new Error(`The import printed no report: ${stderr}`);
  }
  return catalogImportJson.parse(JSON.parse(stdout));
}

export const importNative = (databasePath: string, file: string, ...options: string[]) =>
  importOf(databasePath, file, "--format", "native", ...options);

/** The exported catalog, to compare as a whole. */
export const exportOf = async (databasePath: string): Promise<string> =>
  (await adminDone(databasePath, "catalog", "export")).stdout;

export const offersOf = (exported: string): unknown[] =>
  exported
    .split("\n")
    .filter((line) => line.startsWith('{"offer":'))
    .map((line) => z.object({ offer: z.unknown() }).parse(JSON.parse(line)).offer);

const SKYPILOT_HEADER = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region";

/** A SkyPilot file with rows from {@link validRow}. */
export const skypilotFile = (...rows: string[]): string =>
  tempFile("vms.csv", `${[SKYPILOT_HEADER, ...rows].join("\n")}\n`);

export const validRow = (type: string, price = "2.50"): string =>
  `${type},H100-SXM,1,16,128,H100-SXM,${price},,us-east-1`;

/** The stored offers as the API returns them. */
export const servedOffers = (databasePath: string) =>
  z
    .array(z.object({ body: z.string().transform((text) => publishedOfferSchema.parse(JSON.parse(text))) }))
    .parse(contentOf(databasePath)["offers"])
    .map(({ body }) => body);

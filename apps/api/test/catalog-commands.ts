import { z } from "zod";
import { admin, adminDone } from "@gpu-offers/testkit/admin";
import { tempFile } from "@gpu-offers/testkit/native-catalogs";

// Commands of the catalog as a test uses them, and files for them.

/** The report of an import with --json. */
export const reportSchema = z.strictObject({
  outcome: z.enum(["imported", "unchanged", "dry-run", "refused"]),
  problem: z.string().optional(),
  revision: z.int().optional(),
  providers: z.array(z.string()),
  rows: z.strictObject({ offers: z.int(), refused: z.int(), skipped: z.int() }),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  unchanged: z.int(),
  refusals: z.array(
    z.strictObject({
      code: z.string(),
      count: z.int(),
      first: z.array(z.strictObject({ where: z.string(), reason: z.string() })),
    }),
  ),
});

const statusSchema = z.object({
  current: z.object({ revision: z.int(), mark: z.string(), createdAt: z.iso.datetime() }).nullable(),
  providers: z.array(
    z.object({ name: z.string(), type: z.string(), offers: z.int(), available: z.int(), images: z.int() }),
  ),
  revisions: z.array(z.object({ revision: z.int(), cause: z.string() })),
});

/** What catalog status tells. */
export const statusOf = async (databasePath: string) =>
  statusSchema.parse(JSON.parse((await adminDone(databasePath, "catalog", "status", "--json")).stdout));

/** Imports and gives the report, whatever the outcome. */
export async function importOf(databasePath: string, file: string, ...options: string[]) {
  const { stdout, stderr } = await admin(databasePath, "catalog", "import", file, ...options, "--json");
  if (stdout === "") {
    throw new Error(`The import printed no report: ${stderr}`);
  }
  return reportSchema.parse(JSON.parse(stdout));
}

/** The same of a native file. */
export const importNative = (databasePath: string, file: string, ...options: string[]) =>
  importOf(databasePath, file, "--format", "native", ...options);

/** The catalog as its export, to be compared as a whole. */
export const exportOf = async (databasePath: string): Promise<string> =>
  (await adminDone(databasePath, "catalog", "export")).stdout;

/** The offers in an export. */
export const offersOf = (exported: string): unknown[] =>
  exported
    .split("\n")
    .filter((line) => line.startsWith('{"offer":'))
    .map((line) => z.object({ offer: z.unknown() }).parse(JSON.parse(line)).offer);

const SKYPILOT_HEADER = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region";

/** A SkyPilot file of rows as {@link soundRow} gives them. */
export const skypilotFile = (...rows: string[]): string =>
  tempFile("vms.csv", `${[SKYPILOT_HEADER, ...rows].join("\n")}\n`);

/** A row with nothing wrong in it. */
export const soundRow = (type: string, price = "2.50"): string =>
  `${type},H100-SXM,1,16,128,H100-SXM,${price},,us-east-1`;

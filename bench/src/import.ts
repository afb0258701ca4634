import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSkypilot } from "@gpu-offers/sources";
import { parse } from "csv-parse";
import { importCatalog } from "@gpu-offers/store/catalog-import";
import { openDatabase } from "@gpu-offers/store/database";
import type { Row } from "./row.ts";

const ROWS = 34_000;
const ROUNDS = 5;

/** Imports a CSV shaped like SkyPilot's AWS catalog, against csv-parse reading the same file; the importer has its own reader. */
export async function benchImport(folder: string): Promise<Row> {
  const file = join(folder, "vms.csv");
  writeFileSync(file, csv());
  let parsing = Number.POSITIVE_INFINITY;
  let importing = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    let started = performance.now();
    let rows = 0;
    for await (const fields of createReadStream(file).pipe(parse()) as AsyncIterable<string[]>) {
      rows += fields.length > 0 ? 1 : 0;
    }
    parsing = Math.min(parsing, performance.now() - started);
    if (rows !== ROWS + 1) {
      throw new Error(`The file has ${rows} rows.`);
    }
    const database = await openDatabase(`sqlite:${join(folder, `import-${round}.sqlite`)}`);
    started = performance.now();
    const report = await importCatalog(database, {
      items: readSkypilot(createReadStream(file), { provider: "aws" }),
      cause: "benchmark",
      about: { provider: "aws" },
    });
    importing = Math.min(importing, performance.now() - started);
    await database.destroy();
    if (report.outcome !== "imported") {
      throw new Error(`The import was ${report.outcome}: ${report.problem}`);
    }
  }
  return {
    what: `catalog import, ${ROWS.toLocaleString("en-US")}-row CSV`,
    reference: `csv-parse alone: ${Math.round(parsing)} ms`,
    measured: `${Math.round(importing)} ms`,
    ratio: importing / parsing,
    bar: "<= 3 times",
    isMet: importing / parsing <= 3,
  };
}

/** Every eighteenth row has a GPU, as in the AWS catalog. */
function csv(): string {
  const lines = [
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone",
  ];
  for (let row = 0; row < ROWS; row++) {
    const place = `us-east-${row % 7},use${row % 7}-az${row % 5}`;
    lines.push(
      row % 18 === 0
        ? `g5.${row}xlarge,A10G,1.0,16.0,64.0,"{'Gpus': [{'Name': 'A10G', 'Manufacturer': 'NVIDIA', 'Count': 1.0, 'MemoryInfo': {'SizeInMiB': 22888}}], 'TotalGpuMemoryInMiB': 22888}",1.${row},0.5,${place}`
        : `m5.${row}xlarge,,,8.0,16.0,,0.${row},0.174800,${place}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { catalogs, data } from "../../src/skypilot/catalogs.fixture.ts";

// The catalogs that SkyPilot is given.

const HEADER =
  "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,SpotPrice,Region,AvailabilityZone,GpuInfo";

/**
 * SkyPilot's catalogs by cloud: the sample files, and of Nebius and Oracle the machines with GPUs of its public catalog
 * (catalogs/v8, commits 0082b043 and 05887511; each region of the latter has each shape).
 */
export function skyCatalogs(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { file } of Object.values(catalogs)) {
    const [, cloud = ""] = file.split("/");
    // Of RunPod, the whole file comes first.
    found[cloud] ??= readFileSync(new URL(file, data), "utf8");
  }
  const rows = readFileSync(new URL("skypilot-rows.csv", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .slice(1);
  for (const row of rows) {
    const [cloud = "", ...cells] = row.split(",");
    const machine = cells.slice(0, -1).join();
    const lines = (cells.at(-1) ?? "").split(" ").map((region) => `${machine},${region},${region},\n`);
    found[cloud] = `${found[cloud] ?? `${HEADER}\n`}${lines.join("")}`;
  }
  return found;
}

/** The machines of SkyPilot's catalogs that have a price, as cloud, type, region and terms. */
export function skyMachines(found: Readonly<Record<string, string>>): Set<string> {
  return new Set(
    Object.entries(found).flatMap(([cloud, content]) =>
      parse<Record<string, string>>(content, { columns: true }).flatMap((row) =>
        [false, true]
          .filter((isSpot) => (row[isSpot ? "SpotPrice" : "Price"] ?? "") !== "")
          .map((isSpot) => [cloud, row["InstanceType"], row["Region"], isSpot].join()),
      ),
    ),
  );
}

/** A home with catalogs. */
export function skyHome(found: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(join(tmpdir(), "gpu-offers-test-"));
  for (const [cloud, content] of Object.entries(found)) {
    mkdirSync(join(home, ".sky/catalogs/v8", cloud), { recursive: true });
    writeFileSync(join(home, ".sky/catalogs/v8", cloud, "vms.csv"), content);
  }
  return home;
}

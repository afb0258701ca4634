import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { runProgram } from "./documented-program.fixture.js";
import { data, present, skipped } from "./skypilot/catalogs.fixture.js";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const [, program = "", printed = ""] = /```ts\n\/\/ cheapest\.ts\n(.*?)```\n\n```text\n(.*?)```/s.exec(README) ?? [];

const folder = mkdtempSync(join(tmpdir(), "gpu-offers-sources-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (catalog: string): Promise<string> => runProgram(program, { "hyperstack/vms.csv": catalog });

test("the README's program prints the cheapest offers of a catalog, and rejected rows", async () => {
  const catalog = join(folder, "hyperstack", "vms.csv");
  mkdirSync(join(folder, "hyperstack"));
  const rows = [
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,Region,SpotPrice",
    "n3-H100x2,H100-80G-PCIe,2,60,360,,3.8,NORWAY-1,",
    "n3-H100x1,H100-80G-PCIe,1,28,180,,1.95,CANADA-1,",
    "n3-L40x1,L40,1,28,58,,1,CANADA-1,",
    "n3-H1000x1,H1000-Turbo,1,28,58,,1,CANADA-1,",
  ];
  writeFileSync(catalog, `${rows.join("\n")}\n`);
  const output = await run(catalog);
  expect(output.split("\n").slice(0, 2)).toEqual([
    "2x H100 PCIe in Norway: $1.9 per GPU-hour",
    "1x H100 PCIe in Canada: $1.95 per GPU-hour",
  ]);
  expect(output).toMatch(/^line 5: .*H1000-Turbo/m);
});

test.skipIf(!present)(`the README's program prints the documented output for the real file${skipped}`, async () => {
  expect(printed).not.toBe("");
  expect(await run(fileURLToPath(new URL("v8/hyperstack/vms.csv", data)))).toBe(printed);
});

test("the README's tables list exactly the exports", () => {
  const index = readFileSync(new URL("index.ts", import.meta.url), "utf8");
  const exported = [...index.matchAll(/^export (?:type )?\{([^}]*)\}/gms)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim().replace(/^type /, "")),
  );
  const [, tables = ""] = /\n## Exports\n(.*)/s.exec(README) ?? [];
  const listed = [...tables.matchAll(/^\| (`[^|]*`) +\|/gm)].flatMap(([, cell = ""]) =>
    cell.split(", ").map((name) => name.replaceAll("`", "")),
  );
  expect(listed.toSorted()).toEqual(exported.filter((name) => name !== "").toSorted());
});

import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { tempFolder } from "../test/temp-folder.ts";
import { Faults, type Row } from "./row.ts";

const MAX_PACKAGES = 90;

const sbomSchema = z.object({ components: z.array(z.object({ name: z.string(), version: z.string() })) });
const manifestSchema = z.looseObject({
  name: z.string().optional(),
  scripts: z.record(z.string(), z.string()).optional(),
});

/** What runs by itself when a package is installed. */
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

export const dependencies: Row = {
  name: "dependencies",
  what: "production dependencies, as they are deployed",
  unit: "package",
  bar: "<= 90 packages, no install scripts at run time, SBOM shipped",
  n: 1,
  shortN: 0,
  run: async () => {
    const faults = new Faults();
    const folder = join(tempFolder(), "deployed");
    const script = fileURLToPath(new URL("../../../scripts/package.mjs", import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: "utf8" });
    if (status !== 0) {
      throw new Error(`The folder to deploy could not be made; it needs pnpm on the PATH: ${stderr}`);
    }
    const { components } = sbomSchema.parse(JSON.parse(readFileSync(join(folder, "sbom.cdx.json"), "utf8")));
    const others = components.filter(({ name }) => !name.startsWith("@gpu-offers/") && name !== "domain");
    if (components.length > MAX_PACKAGES) {
      faults.add(`${components.length} packages`);
    }
    const withScripts = globSync("node_modules/{*,@*/*}/package.json", { cwd: folder }).filter((path) => {
      const { scripts = {} } = manifestSchema.parse(JSON.parse(readFileSync(join(folder, path), "utf8")));
      return INSTALL_SCRIPTS.some((name) => name in scripts);
    });
    return {
      result: `${components.length} packages in the SBOM, ${others.length} of them not ours; ${withScripts.length} have install scripts${withScripts.length === 0 ? "" : ` (${withScripts.join(", ")})`}, none of which runs: they are installed with ignore-scripts`,
      faults,
    };
  },
};

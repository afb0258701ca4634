import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import type { Row } from "./row.ts";

const MAX_PACKAGES = 90;

const sbomSchema = z.object({ components: z.array(z.object({ group: z.string().optional(), name: z.string() })) });
const manifestSchema = z.looseObject({
  name: z.string().optional(),
  scripts: z.record(z.string(), z.string()).optional(),
});

/** Our own packages in the SBOM. */
const OWN_GROUP = "@gpu-offers";

/** Scripts that run automatically when a package is installed. */
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

export const dependencies: Row = {
  name: "dependencies",
  what: "production dependencies, as deployed",
  unit: "package",
  bar: "<= 90 packages, no install scripts at run time, SBOM shipped",
  n: 1,
  shortN: 0,
  run: async ({ problems }) => {
    const folder = join(tempFolder(), "deployed");
    const script = fileURLToPath(new URL("../../scripts/package.mjs", import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: "utf8" });
    if (status !== 0) {
      throw new Error(`Cannot create the deployment folder; this needs pnpm on the PATH: ${stderr}`);
    }
    const { components } = sbomSchema.parse(JSON.parse(readFileSync(join(folder, "sbom.cdx.json"), "utf8")));
    const others = components.filter(({ group }) => group !== OWN_GROUP);
    if (others.length > MAX_PACKAGES) {
      problems.add(`${others.length} packages`);
    }
    const withScripts = globSync("node_modules/{*,@*/*}/package.json", { cwd: folder }).filter((path) => {
      const { scripts = {} } = manifestSchema.parse(JSON.parse(readFileSync(join(folder, path), "utf8")));
      return INSTALL_SCRIPTS.some((name) => name in scripts);
    });
    for (const path of withScripts) {
      problems.add(`${path} has an install script`);
    }
    return `${others.length} packages, ${withScripts.length} with an install script; SBOM (CycloneDX) of ${components.length}, ours among them`;
  },
};

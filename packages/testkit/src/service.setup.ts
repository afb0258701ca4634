import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { removeLeftovers } from "./leftovers.ts";
import { startService } from "./service.ts";

/**
 * Starts one service on the starter catalog for all tests of a project that don't change the catalog; they may add
 * accounts. Without a build, there is none.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const isBuilt = existsSync(new URL("../../../apps/api/dist/main.js", import.meta.url));
  const none = { url: "", port: 0, databasePath: "" };
  const { url, port, databasePath } = isBuilt ? await startService({ isQuiet: true }) : none;
  project.provide("service", { url, port, databasePath });
  return removeLeftovers;
}

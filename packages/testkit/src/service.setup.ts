import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { removeLeftovers } from "./leftovers.ts";
import { startService } from "./service.ts";

/** Starts one service on the starter catalog for all tests of a project that only read. Without a build, there is none. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const isBuilt = existsSync(new URL("../../../apps/api/dist/main.js", import.meta.url));
  const { url, port } = isBuilt ? await startService({ isQuiet: true }) : { url: "", port: 0 };
  project.provide("service", { url, port });
  return removeLeftovers;
}

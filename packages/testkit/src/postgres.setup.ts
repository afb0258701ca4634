import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres-server.ts";

/** Starts one PostgreSQL for all tests of the project; if it does not start, they fail. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide("postgresUrl", server.url);
  return server.remove;
}

import type { TestProject } from "vitest/node";
import { startPostgres, type PostgresServer } from "./postgres-server.ts";

// Vitest loads this module once for each project that names it, all in one process. Starting a server takes a second, so
// the projects share one.
const projects = globalThis as { testPostgres?: { server: Promise<PostgresServer>; users: number } };

/** Starts one PostgreSQL for all tests of the run; if it does not start, they fail. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (projects.testPostgres ??= { server: startPostgres(), users: 0 });
  shared.users++;
  project.provide("postgresUrl", (await shared.server).url);
  return async () => {
    shared.users--;
    if (shared.users === 0) {
      delete projects.testPostgres;
      await (await shared.server).remove();
    }
  };
}

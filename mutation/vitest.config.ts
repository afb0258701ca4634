import { defineConfig } from "vitest/config";
import { leftovers, quickProperties, sourceSettings } from "../vitest.config.ts";
import { areas } from "./areas.mjs";

// Runs the tests of one area from source, without a build, samples or PostgreSQL.
const area = areas[process.env.MUTATION_AREA as keyof typeof areas];

export default defineConfig({
  ...sourceSettings,
  root: new URL("..", import.meta.url).pathname,
  test: { include: area.tests, setupFiles: [leftovers, quickProperties], testTimeout: 180_000 },
});

import { expect, test } from "vitest";
import { productionPackages, repositoryFile } from "./packages.ts";

test("at most 130 packages are deployed, without duplicates", () => {
  const packages = [...productionPackages()];
  // A minimum, so that a lockfile in another format cannot pass.
  expect(packages.map((name) => name.replace(/@[^@]*$/, ""))).toEqual(
    expect.arrayContaining(["fastify", "zod", "countries-list", "pg-types", "@opentelemetry/sdk-trace", "prom-client"]),
  );
  expect(packages.length).toBeLessThanOrEqual(130);
  const names = packages.map((name) => name.slice(0, name.lastIndexOf("@")));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test("no deployed package runs a script when it is installed", () => {
  const { allowBuilds } = repositoryFile("pnpm-workspace.yaml") as { allowBuilds: Record<string, boolean> };
  const builders = Object.keys(allowBuilds).filter((name) => allowBuilds[name] === true);
  expect(builders).toContain("node");
  const names = [...productionPackages()].map((name) => name.slice(0, name.lastIndexOf("@")));
  expect(names.filter((name) => builders.includes(name))).toEqual([]);
});

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { areas } from "../../mutation/areas.mjs";
import { findEmptyPatterns } from "../../mutation/check-areas.mjs";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

test("every pattern of a mutation area matches files", () => {
  expect(Object.keys(areas).length).toBeGreaterThan(5);
  expect(findEmptyPatterns(areas, REPOSITORY)).toEqual([]);
});

test("a pattern that matches nothing is named, also one of several in braces", () => {
  const domain = "packages/domain/src/offer";
  const broken = {
    money: {
      mutate: [`${domain}/storage.ts`, `${domain}/coins.ts`],
      tests: [`${domain}/{storage,purse}.test.ts`, `${domain}/*.test.ts`],
    },
  };
  expect(findEmptyPatterns(broken, REPOSITORY)).toEqual([
    `money: no file matches ${domain}/coins.ts (mutate in mutation/areas.mjs).`,
    `money: no file matches ${domain}/purse.test.ts (tests in mutation/areas.mjs).`,
  ]);
});

test("the tests of areas start no built program, which would not have the changes", () => {
  const starts = /"@gpu-offers\/testkit\/(?:admin|service|running-process)"/;
  for (const { tests } of Object.values(areas)) {
    for (const file of tests.flatMap((pattern) => globSync(pattern, { cwd: REPOSITORY }))) {
      expect([file, starts.exec(readFileSync(join(REPOSITORY, file), "utf8"))?.[0]]).toEqual([file, undefined]);
    }
  }
});

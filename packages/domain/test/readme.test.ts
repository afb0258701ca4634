import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { readme, readmeModule } from "./readme-module.ts";

const indexFile = fileURLToPath(new URL("../src/index.ts", import.meta.url));

test("the README's examples have the stated values", async () => {
  const directory = mkdtempSync(join(tmpdir(), "gpu-offers-readme-"));
  try {
    const file = join(directory, "readme.ts");
    writeFileSync(file, readmeModule().replaceAll('"@gpu-offers/domain"', JSON.stringify(indexFile)));
    await expect(import(pathToFileURL(file).href)).resolves.toBeDefined();
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("every stated value in the README is checked", () => {
  const claims = readme.match(/\/\/ =>/g) ?? [];
  expect(readmeModule().match(/^deepEqual\(/gm)).toHaveLength(claims.length);
  expect(claims.length).toBeGreaterThan(15);
});

test("the README's table lists exactly the exports", () => {
  const index = readFileSync(indexFile, "utf8");
  const exported = [...index.matchAll(/^export (?:type )?\{(.*?)\}/gms)].flatMap(([, names = ""]) =>
    names.match(/\w+(?=,| *$)/gm),
  );
  const cells = [...readme.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ""]) => cell.match(/\w+/g));
  expect(new Set(cells)).toEqual(new Set(exported));
  expect(cells).toHaveLength(exported.length);
});

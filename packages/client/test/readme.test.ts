import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readmeModule } from "@gpu-offers/domain/readme.fixture";
import { keyWithCredit } from "@gpu-offers/testkit/accounts";
import { expect, inject, test } from "vitest";
import { OPERATIONS } from "../src/index.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const indexUrl = new URL("../src/index.ts", import.meta.url);

const sources = {
  "@gpu-offers/client": fileURLToPath(indexUrl),
  "@gpu-offers/domain": fileURLToPath(new URL("../../domain/src/index.ts", import.meta.url)),
};

test("the README's examples have the stated values", async () => {
  const service = inject("service");
  const directory = mkdtempSync(join(tmpdir(), "gpu-offers-readme-"));
  try {
    let code = readmeModule(readme)
      .replaceAll("http://127.0.0.1:3000", service.url)
      .replaceAll("gpo_...", await keyWithCredit(service, "25.50"));
    for (const [name, file] of Object.entries(sources)) {
      code = code.replaceAll(JSON.stringify(name), JSON.stringify(file));
    }
    const file = join(directory, "readme.ts");
    writeFileSync(file, code);
    await expect(import(pathToFileURL(file).href)).resolves.toBeDefined();
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("every stated value in the README is checked", () => {
  const claims = readme.match(/\/\/ =>/g) ?? [];
  expect(readmeModule(readme).match(/^deepEqual\(/gm)).toHaveLength(claims.length);
  expect(claims.length).toBeGreaterThan(7);
});

/** First cells of the table under a heading. */
function firstCells(heading: string): string[] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\| `(\w+)/gm)].map(([, cell = ""]) => cell);
}

test("the README's tables list every method with its path, every option and every kind of error", () => {
  expect(firstCells("Methods")).toEqual([...Object.keys(OPERATIONS), "allOffers", "allListings"]);
  for (const [name, { method, path }] of Object.entries(OPERATIONS)) {
    expect(readme).toMatch(new RegExp(`\\| \`${name}\\(.*\\| \`${method} ${path.replaceAll(/[{}]/g, "\\$&")}\``));
  }
  expect(firstCells("Options")).toEqual(["baseUrl", "apiKey", "fetch", "timeoutMs", "retries"]);
  const kinds = [...readFileSync(new URL("errors.ts", indexUrl), "utf8").matchAll(/readonly kind = "(\w+)"/g)];
  expect(firstCells("Errors")).toEqual(kinds.map(([, kind]) => kind));
});

test("the README lists every export", () => {
  const index = readFileSync(indexUrl, "utf8").replaceAll(/\/\/.*/g, "");
  const exported = [...index.matchAll(/\{(.*?)\}/gs)].flatMap(([, names = ""]) => names.match(/\w+(?=,|\s*$)/g) ?? []);
  expect(exported.length).toBeGreaterThan(20);
  expect(exported.filter((name) => !new RegExp(`\`${name}\\b`).test(readme) && !readme.includes(`${name}(`))).toEqual(
    [],
  );
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findLiveSource } from "@gpu-offers/sources";
import { replaySource } from "@gpu-offers/sources/kit";
import { tempFile } from "@gpu-offers/testkit/native-catalogs";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { expect, test } from "vitest";
import { ConfigError } from "./config-error.js";
import { loadSourceModules } from "./source-modules.js";

// The page's own programs, with the packages of this repository.
const page = readFileSync(new URL("../../../docs/own-source.md", import.meta.url), "utf8");
const kit = fileURLToPath(new URL("../../sources/src/kit.ts", import.meta.url));
const zod = fileURLToPath(new URL("../node_modules/zod/index.js", import.meta.url));
const [, template = ""] = /```js\n(\/\/ acme\.mjs\n.*?)```/s.exec(page) ?? [];
const [, machine = ""] = /const machine = (\{.*?\});/s.exec(page) ?? [];

test("the page's source reads the page's recording, and a setting registers it", async () => {
  const path = join(tempFolder(), "acme.mjs");
  writeFileSync(
    path,
    template.replace('"@gpu-offers/sources/kit"', JSON.stringify(kit)).replace('"zod"', JSON.stringify(zod)),
  );
  await loadSourceModules({ SOURCES_MODULES: path });
  // A module is loaded once.
  await loadSourceModules({ SOURCES_MODULES: `${path},` });
  const acme = findLiveSource("acme");
  if (acme === undefined) {
    throw new Error("The source is not registered.");
  }
  const row: unknown = JSON.parse(machine.replaceAll(/(\w+):/g, '"$1":').replaceAll(/,\s*}/g, "}"));
  const run = await replaySource(acme, { machines: { machines: [row, { plan: "broken" }] } });
  expect(run.offers).toMatchObject([
    { gpu: { slug: "h100-sxm" }, pricePerGpu: 1.9, regionInfo: { countryCode: "NO" } },
  ]);
  expect(run.listings).toMatchObject([{ instanceType: "h100.8", seller: "cloud" }]);
  expect(run.rejections).toMatchObject([{ code: "bad_row" }]);
  await expect(replaySource(acme, { types: {} })).rejects.toThrow("acme never requests types. It requests machines.");
  await expect(replaySource(acme, { machines: "<html>" })).rejects.toThrow("not JSON");
});

test.each([
  ["import 'no-such-package';", "cannot be loaded"],
  ["export const acme = {};", "has no default export"],
  ["export default { name: 'Acme' };", "exports an invalid source.\n  name: must be lower-case"],
  ["export default { name: 'other', hosts: [] };", "hosts: must name the hosts that requests may go to"],
  ["export default { name: 'other', titel: 'Other' };", "titel is unknown; did you mean title?"],
  [
    `import { defineSource } from ${JSON.stringify(kit)}; export default defineSource({ name: 'other', host: [] });`,
    "host is unknown; did you mean hosts?",
  ],
])("the module %j is rejected with what is wrong", async (code, message) => {
  const path = tempFile("module.mjs", code);
  const loading = loadSourceModules({ SOURCES_MODULES: path });
  await expect(loading).rejects.toThrow(ConfigError);
  await expect(loading).rejects.toThrow(message);
  await expect(loading).rejects.toThrow(path);
});

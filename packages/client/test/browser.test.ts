import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";

test("the built client runs without Node, with the page's fetch and with a custom one", async () => {
  const service = inject("service");
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--no-warnings",
    "--experimental-vm-modules",
    "--experimental-import-meta-resolve",
    fileURLToPath(new URL("browser-page.ts", import.meta.url)),
    service.url,
  ]);
  const { totalElements } = (await (await fetch(`${service.url}/api/v1/offers`)).json()) as { totalElements: number };
  expect(JSON.parse(stdout)).toEqual([
    "own fetch",
    "own fetch",
    totalElements,
    totalElements,
    "service not_found",
    true,
    "undefined",
    "undefined",
    "undefined",
  ]);
});

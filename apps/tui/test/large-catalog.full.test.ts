import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { run } from "./program.ts";

const STARTER = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));

test("reads more offers than a call takes arguments", async () => {
  const first = await run(["--list", "--limit", "1", "--format", "ndjson", "--catalog", STARTER]);
  const row = JSON.parse(first.stdout) as { provider: { name: string } };
  // A catalog has the offers themselves.
  const offer = { ...row, listing: undefined, estimate: undefined, rentUrl: undefined };
  const lines = Array.from({ length: 130_000 }, (_, index) => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
    return JSON.stringify({ offer: { ...offer, id } });
  });
  const provider = { name: offer.provider.name, type: "vm", images: [] };
  const header = [{ format: "gpu-offers/1", asOf: "2026-11-01" }, { provider }].map((part) => JSON.stringify(part));
  const path = join(tempFolder(), "large.ndjson");
  writeFileSync(path, [...header, ...lines, ""].join("\n"));
  const { code, stderr } = await run(["--list", "--limit", "1", "--catalog", path]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
}, 120_000);

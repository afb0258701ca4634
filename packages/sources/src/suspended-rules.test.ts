import { expect, test } from "vitest";
import { parseGpuAliases } from "./gpu-alias.js";
import { readCatalog } from "./open-catalog.js";
import { skypilotCsv } from "./source.fixture.js";

/** Cudo's types of 2026: GPUs x vCPUs x GB, where older files have GB x GPUs x vCPUs. */
const row = (gpus: number, type = `epyc-milan-rtx-a4000_${gpus}x2v4gb`) => ({
  InstanceType: type,
  AcceleratorName: "RTX-A4000",
  AcceleratorCount: String(gpus),
  Region: "no-luster-1",
});

test("a rule that most rows of a file contradict is suspended for it, and a note says so", async () => {
  const { offers, rejections, notes } = await readCatalog(skypilotCsv(row(1), row(4), row(8)), { provider: "cudo" });
  expect(offers.map(({ gpuCount }) => gpuCount)).toEqual([1, 4, 8]);
  expect(rejections).toEqual([]);
  expect(notes).toEqual([
    "Warning: what types say contradicts 3 of 3 rows of cudo whose own fields agree, so it is ignored here. line 2: The GPU count is 1, but the instance type says 2.",
  ]);
});

test("a few rows that contradict a rule are rejected", async () => {
  const old = [1, 2, 4, 8].map((gpus) => row(gpus, `epyc-milan-rtx-a4000_4x${gpus}v2gb`));
  const { offers, rejections, notes } = await readCatalog(skypilotCsv(row(1), row(4), row(8), ...old), {
    provider: "cudo",
  });
  expect(offers).toHaveLength(4);
  expect(rejections.map(({ code }) => code)).toEqual(["bad_count", "bad_count", "bad_count"]);
  expect(rejections.some((item) => "unruled" in item)).toBe(false);
  expect(notes).toEqual([]);
});

test("an alias never overrides memory that a row states", async () => {
  const info = (mib: number) =>
    JSON.stringify({ Gpus: [{ Name: "RTX 5880", Count: 1, MemoryInfo: { SizeInMiB: mib } }] });
  const slice = { InstanceType: "a", AcceleratorName: "RTX5880X", AcceleratorCount: "1", Region: "US" };
  const csv = skypilotCsv({ ...slice, GpuInfo: info(24_576) }, { ...slice, InstanceType: "b", GpuInfo: info(49_152) });
  const gpuAliases = parseGpuAliases(["RTX5880X=rtx-5880-ada"]);
  const { offers, rejections } = await readCatalog(csv, { provider: "somebody", gpuAliases });
  expect(offers.map(({ gpu }) => gpu.vramGB)).toEqual([48]);
  expect(rejections).toMatchObject([{ where: "line 2", code: "vram_mismatch" }]);
});

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
  expect(rejections.some((item) => "contradicts" in item)).toBe(false);
  expect(notes).toEqual([]);
});

test("of every rule: what a file's memory is of, and what documents say of its types", async () => {
  // Seeweb's files state the memory of one GPU, and PrimeIntellect's that of all.
  const info = (count: number, mib: number) =>
    JSON.stringify({ Gpus: [{ Name: "L40S", Count: count, MemoryInfo: { SizeInMiB: mib } }] });
  const memory = (counts: number[], mib: (count: number) => number) =>
    skypilotCsv(
      ...counts.map((count) => ({
        InstanceType: `ECS${count}`,
        AcceleratorName: "L40S",
        AcceleratorCount: String(count),
        GpuInfo: info(count, mib(count)),
        Region: "it-fr2",
      })),
    );
  const read = (csv: string, provider: string) =>
    readCatalog(csv, { provider, currency: "USD" }).then(({ offers, rejections, notes }) => ({
      counts: offers.map(({ gpuCount }) => gpuCount),
      codes: rejections.map(({ code }) => code),
      notes,
    }));
  expect(
    await read(
      memory([2, 4, 8], (count) => count * 49_152),
      "seeweb",
    ),
  ).toEqual({
    counts: [2, 4, 8],
    codes: [],
    notes: [
      expect.stringMatching(
        /^Warning: whether stated memory is of one GPU or of all contradicts 3 of 3 rows of seeweb .* line 2: /,
      ),
    ],
  });
  expect(
    (
      await read(
        memory([2, 4, 8], () => 49_152),
        "primeintellect",
      )
    ).counts,
  ).toEqual([2, 4, 8]);
  expect(
    await read(
      memory([2, 4, 8], (count) => (count === 8 ? 8 : 1) * 49_152),
      "seeweb",
    ),
  ).toMatchObject({
    counts: [2, 4],
    codes: ["vram_mismatch"],
    notes: [],
  });
  // Slices of cards are no whole ones, however many there are.
  expect(
    (
      await read(
        memory([1, 2, 4, 8], () => 12_288),
        "seeweb",
      )
    ).counts,
  ).toEqual([]);

  const p5 = (counts: number[]) =>
    skypilotCsv(
      ...counts.map((count, at) => ({
        InstanceType: "p5.48xlarge",
        AcceleratorName: "H100",
        AcceleratorCount: String(count),
        Region: `us-east-${at + 1}`,
      })),
    );
  expect(await read(p5([4, 4, 4]), "aws")).toMatchObject({
    counts: [4, 4, 4],
    notes: [expect.stringContaining("what types say contradicts 3 of 3 rows of aws")],
  });
  expect(await read(p5([8, 8, 4]), "aws")).toMatchObject({
    counts: [8, 8, 8],
    codes: [],
    notes: [expect.stringContaining("contradicts 1 of 3 rows of aws whose own fields agree, and is used nevertheless")],
  });
});

test("more vCPUs than machines have are unknown and told, unless most rows state them", async () => {
  const read = async (...counts: number[]) => {
    const rows = counts.map((vcpu, at) => ({ InstanceType: `t${at}`, vCPUs: String(vcpu) }));
    const { offers, notes } = await readCatalog(skypilotCsv(...rows), { provider: "aws" });
    return { vcpu: offers.map(({ specs }) => specs.vcpu), notes };
  };
  const reason = "line 2: vCPUs is 2048, but a machine with this number of GPUs has at most 512.";
  const rule = "Warning: how many vCPUs machines have at most contradicts";
  expect(await read(2048, 64, 64)).toEqual({
    vcpu: [0, 64, 64],
    notes: [`${rule} 1 of 3 rows of aws whose own fields agree, and is used nevertheless. ${reason}`],
  });
  expect(await read(2048, 768, 1024)).toEqual({
    vcpu: [2048, 768, 1024],
    notes: [`${rule} 3 of 3 rows of aws whose own fields agree, so it is ignored here. ${reason}`],
  });
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

import { fileURLToPath } from "node:url";
import { gpuListSchema, gpuPricesSchema } from "@gpu-offers/domain/gpus";
import { adminDone } from "@gpu-offers/testkit/admin";
import { nativeDocument, nativeRow, tempFile } from "@gpu-offers/testkit/native-catalogs";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { lineOf } from "../src/cli/gpus-command.ts";
import { runInProcess } from "./in-process.ts";

const STARTER = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));

const service = inject("service");

const ask = (...args: string[]) => runInProcess(args, { GPU_OFFERS_URL: service.url });
const jsonOf = async (...args: string[]): Promise<unknown> =>
  JSON.parse((await ask(...args, "--format", "json")).stdout);

describe.concurrent("gpus", () => {
  test("prints the GPUs that a service lists, and the same of its catalog file", async () => {
    const served = gpuListSchema.parse({ gpus: await jsonOf("gpus") }).gpus;
    expect(served.length).toBeGreaterThan(10);
    expect(served.every(({ market }) => market.offers > 0)).toBe(true);
    const { stdout } = await runInProcess(["gpus", "--catalog", STARTER, "--format", "json"]);
    expect(
      gpuListSchema.parse({ gpus: JSON.parse(stdout) }).gpus.map(({ slug, market }) => [slug, market.pricePerGpu]),
    ).toEqual(served.map(({ slug, market }) => [slug, market.pricePerGpu]));
  });

  test("prints a table of the named ones and their families", async () => {
    const { stdout, code } = await ask("gpus", "h100", "mi300x");
    const [titles = "", ...rows] = stdout.trimEnd().split("\n");
    expect([code, titles]).toEqual([0, expect.stringMatching(/^GPU +SLUG +VRAM +GB\/S +BF16/)]);
    expect(rows.map((row) => row.split(/ {2,}/)[1])).toEqual(["h100", "h100-sxm", "h100-pcie", "h100-nvl", "mi300x"]);
  });

  test("prints CSV without the sources of figures", async () => {
    const rows: Record<string, string>[] = parse((await ask("gpus", "h100-sxm", "--format", "csv")).stdout, {
      columns: true,
    });
    expect(rows).toMatchObject([{ slug: "h100-sxm", bf16Tflops: "989.4", "market.isAtLeast": expect.any(String) }]);
    expect(Object.keys(rows[0] ?? {}).filter((name) => name.startsWith("sources"))).toEqual([]);
  });

  test("fails for an unknown name, and names the nearest", async () => {
    const { code, stderr } = await ask("gpus", "h1000");
    expect([code, stderr]).toEqual([2, 'gpu-offers: no GPU is called "h1000". Did you mean h100?\n']);
  });
});

describe.concurrent("trend", () => {
  let observed: Service;
  beforeAll(async () => {
    const databasePath = tempDatabase();
    // Dated 2026-11-01.
    const rows = [2, 3, 4].map((priceHourly) => nativeRow({ priceHourly }));
    const file = tempFile("offers.json", nativeDocument(rows));
    await adminDone(databasePath, "catalog", "import", file);
    const past = tempFile("past.json", nativeDocument(rows).replace('"2026-11-01"', '"2026-09-01"'));
    await adminDone(databasePath, "catalog", "import", "--history-only", past);
    observed = await startService({ databasePath });
  });
  const range = ["--since", "2026-10-01", "--until", "2026-12-01"];
  const askObserved = (...args: string[]) => runInProcess(args, { GPU_OFFERS_URL: observed.url });

  test("prints a line and a table of what was observed, with how many of the known sellers", async () => {
    const [gpu] = gpuListSchema.parse({
      gpus: JSON.parse((await askObserved("gpus", "--format", "json")).stdout),
    }).gpus;
    const slug = gpu?.slug ?? "";
    const { stdout, code } = await askObserved("trend", `=${slug}`, ...range);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`median per GPU and hour, observed since 2026-09-01`)]);
    expect(stdout).toContain("(no comparison: observed on one day only)");
    expect(stdout).toMatch(/DATE +MIN +P10 +MEDIAN +P90 +OFFERS +PROVIDERS +REGIONS +OBSERVED *\n2026-11-01 .* 1 of 1/);
    const weeks = await askObserved(
      "trend",
      `=${slug}`,
      "--step",
      "week",
      "--since",
      "2026-08-01",
      "--until",
      "2026-12-01",
    );
    expect(weeks.stdout).toMatch(/ ▄ ▄ .*\n\nWEEK OF +MIN .*\n2026-08-31 .*\n2026-10-26 /);
    const csv = await askObserved("trend", `=${slug}`, "--step", "week", "--format", "csv", ...range);
    expect(csv.stdout).toMatch(/^at,min,p10,median,p90,offers,providers,regions,observed,known\r?\n2026-10-26T/);
  });

  test("says that nothing was observed of sample prices", async () => {
    const { stdout, code } = await ask("trend", "h100", "--since", "7d");
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("not observed yet\nno prices were observed in this time"),
    ]);
    const [prices] = (await jsonOf("trend", "h100", "--since", "7d")) as unknown[];
    expect(gpuPricesSchema.parse(prices).series).toEqual([]);
  });

  test.each([
    [["trend", "h1000"], 2, "Did you mean h100?"],
    [["trend", "h100", "--since", "soon"], 2, "Enter a span"],
    [["trend", "h100", "--since", "7d", "--until", "9d"], 3, "since must not be after until"],
    [["trend", "h100", "--step", "month"], 2, "hour, day, week"],
    [["trend", "h100", "--catalog", STARTER], 2, "has no effect on trend"],
  ] as const)("%j fails with %d: %s", async (args, expected, message) => {
    const { code, stderr } = await ask(...args);
    expect([code, stderr]).toEqual([expected, expect.stringContaining(message)]);
  });
});

describe.concurrent("fit", () => {
  test("says about how much memory a model needs, and which offers have it, cheapest first", async () => {
    const { stdout, code } = await ask("fit", "70b", "--bits", "8", "--context", "16k");
    expect(code).toBe(0);
    expect(stdout).toContain("About 75.4 GB of GPU memory:");
    expect(stdout).toContain("70 B parameters x 8 bits / 8");
    expect(stdout).toContain("layers and KV heads of Llama 3.1 70B");
    const [{ offers }] = (await jsonOf("fit", "70b@8,16k")) as [
      {
        offers: {
          fit: string;
          gpu: string;
          gpuCount: number;
          neededGb: number;
          usableGb: number;
          priceHourly: number;
        }[];
      },
    ];
    expect(offers).toHaveLength(10);
    expect(offers.map(({ priceHourly }) => priceHourly)).toEqual(
      offers.map(({ priceHourly }) => priceHourly).toSorted((a, b) => a - b),
    );
    expect(offers.every(({ neededGb, usableGb }) => neededGb <= usableGb)).toBe(true);
    expect(offers.every(({ gpuCount }) => [1, 2, 4, 8].includes(gpuCount))).toBe(true);
  });

  test.each([
    [["fit", "llama"], 2, "a model is written as 70b"],
    [["fit", "70b", "--bits", "many"], 2, "Enter a number of bits"],
    [["fit", "70b", "--bits", "64"], 2, "bits must be"],
    [["fit", "100t"], 1, "no available offer"],
  ] as const)("%j fails with %d: %s", async (args, expected, message) => {
    const { code, stderr } = await ask(...args);
    expect([code, stderr]).toEqual([expected, expect.stringContaining(message)]);
  });
});

test("hosts that aren't verified are neither priced nor recommended, what may be sold out is, with and without a service", async () => {
  const rowOf = (region: string, priceHourly: number, listing: object) => ({
    ...nativeRow({ provider: "vast", region, gpu: "h200-sxm", gpuCount: 1, priceHourly }),
    listing,
  });
  const file = tempFile(
    "catalog.json",
    nativeDocument([
      rowOf("unverified", 3, { verified: false }),
      rowOf("verified", 4, { verified: true, spot: { priceHourly: 1.5, kind: "price" } }),
      // What isn't known to be sold out may be rented.
      Object.assign(nativeRow({ gpu: "l4" }), { isAvailable: false, listing: { availability: "unknown" } }),
    ]),
  );
  const database = tempDatabase();
  await adminDone(database, "catalog", "import", file);
  const hosts = await startService({ databasePath: database, settings: { LIVE_SYNC: "off" } });
  for (const place of [
    ["--catalog", file],
    ["--url", hosts.url],
  ]) {
    const [gpu] = JSON.parse((await runInProcess(["gpus", "h200-sxm", "-o", "json", ...place])).stdout) as unknown[];
    expect(gpu).toMatchObject({ market: { offers: 2, rentable: 1, pricePerGpu: { min: 4 }, spotMin: 1.5 } });
    const [unsure] = JSON.parse((await runInProcess(["gpus", "l4", "-o", "json", ...place])).stdout) as unknown[];
    expect(unsure).toMatchObject({ market: { offers: 1, rentable: 1 } });
    const [fit] = JSON.parse((await runInProcess(["fit", "70b@8", "-o", "json", ...place])).stdout) as unknown[];
    expect(fit).toMatchObject({ offers: [{ priceHourly: 4, region: "verified" }] });
  }
  await hosts.stop();
});

test("the line of a trend spans the lowest and the highest value, and leaves gaps", () => {
  expect(lineOf([1, 2, 3, null, 8])).toBe("▁▂▃ █");
  expect(lineOf([2, 2])).toBe("▄▄");
  expect(lineOf([])).toBe("");
  const long = lineOf(Array.from({ length: 500 }, (_, index) => index));
  expect([long.length <= 72, long.at(-1)]).toEqual([true, "█"]);
  for (const gap of [50, 51]) {
    expect(lineOf(Array.from({ length: 100 }, (_, index) => (index === gap ? null : 1)))).toMatch(/^▄+ ▄+$/);
  }
});

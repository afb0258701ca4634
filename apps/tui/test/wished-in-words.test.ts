import type { Offer } from "@gpu-offers/domain";
import { nativeFile, nativeRow } from "@gpu-offers/testkit/native-catalogs";
import { expect, test } from "vitest";
import { DrivenPicker } from "./driven-picker.ts";
import { offerAt, offersOf } from "./offers.ts";
import { runInProcess } from "./in-process.ts";

// A disk and an order that words wish for. A flag wins, and so does what is set later in the picker.

const FILE = nativeFile([
  nativeRow({ storage: { costPerGB: 0.001, minGB: 50, maxGB: 2000 } }),
  nativeRow({ instanceType: "h100x8", gpuCount: 8, priceHourly: 16 }),
]);

test.for([
  ["words alone", [], 1000, "3.5000"],
  ["a flag", ["--disk", "500"], 500, "3.0000"],
] as const)("the disk of %s is priced by --first", async ([, flags, disk, hourly]) => {
  const args = ["1x h100-sxm with 1tb disk", "--first", "--catalog", FILE, ...flags];
  const { code, stdout, stderr } = await runInProcess(args);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "gpu-offers: 1tb disk: at least 1,000 GB disk\n",
  });
  expect(JSON.parse(stdout)).toMatchObject({ deployment: { disk_gb: disk }, estimate: { hourly } });
});

test("an order of words is that of the list, unless a flag has another one, and then it isn't reported", async () => {
  const list = async (...flags: string[]) => {
    const args = ["list", "cheapest h100", "--format", "json", "--catalog", FILE, ...flags];
    const { stdout, stderr } = await runInProcess(args);
    return { counts: (JSON.parse(stdout) as Offer[]).map(({ gpuCount }) => gpuCount), stderr };
  };
  expect(await list()).toEqual({
    counts: [8, 1],
    stderr: expect.stringContaining("cheapest: cheapest first") as string,
  });
  expect(await list("--sort", "gpuCount")).toEqual({
    counts: [1, 8],
    stderr: expect.not.stringContaining("cheapest:") as string,
  });
});

const typed = (text: string): string[] => ["/", "Ctrl-U", ...text.split(""), "Enter"];
const diskOf = ({ state }: DrivenPicker): number | undefined => state.found.query.disk;

test("a disk typed in the field is that of prices and of the disk step, and goes with its words", () => {
  const picker = new DrivenPicker([offerAt(0, { storageMaxGB: 2000 })]).press(...typed("1tb disk"));
  expect(diskOf(picker)).toBe(1000);
  expect(picker.press("Enter", "Enter").state.choice).toMatchObject({ stage: "disk", disk: { text: "1000" } });
  expect(diskOf(picker.press("Esc", "Esc", "Esc"))).toBeUndefined();
});

test("a disk that was set stays while words wish for another", () => {
  const picker = new DrivenPicker(offersOf(3), { query: { disk: 200 } });
  expect(diskOf(picker.press(...typed("1tb disk")))).toBe(200);
  expect(diskOf(picker.press(...typed("h100")))).toBe(200);
});

test("an order that is chosen after its words stays while other words are typed", () => {
  const query = { q: "h100", sort_by: "gpuCount", sort_order: "desc" } as const;
  const picker = new DrivenPicker(offersOf(3), { query }).press(...typed("cheapest h100"));
  expect(picker.state.query).toMatchObject({ sort_by: "pricePerGpu", sort_order: "asc" });
  const { sort_by } = picker.press("s").state.query;
  expect(sort_by).not.toBe("pricePerGpu");
  expect(picker.press("/", ..." norway".split("")).state.query.sort_by).toBe(sort_by);
});

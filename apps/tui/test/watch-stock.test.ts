import { adminDone } from "@gpu-offers/testkit/admin";
import { nativeFile, nativeRow, type NativeRow } from "@gpu-offers/testkit/native-catalogs";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { runInProcess } from "./in-process.ts";

// Waiting for a machine to come back.

let service: Service;
let databasePath: string;

const stocked = (availability: "in_stock" | "sold_out", instanceType = "b200x8") =>
  Object.assign(nativeRow({ instanceType, gpu: "b200", gpuCount: 8, priceHourly: 30 }), {
    isAvailable: availability === "in_stock",
    listing: { availability, instanceType },
  });
const other = nativeRow({ instanceType: "l4x1", gpu: "l4" });
const importRows = (...rows: NativeRow[]) =>
  adminDone(databasePath, "catalog", "import", nativeFile(rows), "--accept-changes");
const ask = (...args: string[]) => runInProcess(args, { GPU_OFFERS_URL: service.url });
const watch = (...args: string[]) => ask(...args, "--watch", "--interval", "1", "--timeout", "30");

beforeAll(async () => {
  databasePath = tempDatabase();
  await importRows(stocked("sold_out"), other);
  service = await startService({ databasePath, settings: { LIVE_SYNC: "off" } });
});

async function soldOutId(): Promise<string> {
  const { stdout } = await ask("--list", "--gpu", "b200", "--format", "json", "--availability", "sold_out");
  const [offer] = JSON.parse(stdout) as { id: string }[];
  return offer?.id ?? "";
}

describe("--watch on a machine that is sold out", () => {
  test("ends when it is in stock again, by a query and by its id", async () => {
    const id = await soldOutId();
    expect(await ask("--first", "--gpu", "b200")).toMatchObject({ code: 1, stdout: "" });
    const watching = Promise.all([watch("--gpu", "b200"), watch("--id", id)]);
    const isOver = watching.then(() => true);
    expect(await Promise.race([isOver, new Promise((resolve) => setTimeout(resolve, 1500, false))])).toBe(false);
    await importRows(stocked("in_stock"), other);
    for (const { code, stdout, stderr } of await watching) {
      expect(stderr).toMatch(/\. Waiting; press Ctrl-C to stop\.\n$/);
      expect(stderr).not.toContain("List offers again");
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ offer: { id }, listing: { availability: "in_stock" } });
    }
  });

  test("doesn't wait for an id that no offer has", async () => {
    const { code, stdout, stderr } = await watch("--id", "00000000-0000-4000-8000-000000000000");
    expect([code, stdout]).toEqual([5, ""]);
    expect(stderr).toMatch(/^gpu-offers: no offer has the id "0{8}/);
  });
});

describe("a machine that left its provider's list", () => {
  test("is never the first, though it is the cheapest, nor launched, but is listed as sold out", async () => {
    const today = new Date().toISOString().slice(0, 10);
    const firstPrice = async (...rows: NativeRow[]) => {
      const file = nativeFile(rows);
      await adminDone(databasePath, "catalog", "import", file, "--accept-changes", "--as-of", today);
      const last = rows.at(-1)?.priceHourly;
      return vi.waitFor(async () => {
        const { stdout } = await ask("--first", "--gpu", "l4");
        expect(JSON.parse(stdout)).toMatchObject({ offer: { priceHourly: last } });
        return JSON.parse(stdout) as { offer: { id: string } };
      }, 10_000);
    };
    const { offer } = await firstPrice(other, {
      ...nativeRow({ instanceType: "l4-cheap", gpu: "l4", priceHourly: 0.1 }),
      listing: { seller: "cloud" },
    });
    await firstPrice(other);
    const { stdout } = await ask("--list", "--gpu", "l4", "--format", "json", "--availability", "sold_out");
    expect(JSON.parse(stdout)).toMatchObject([
      { id: offer.id, listing: { availability: "sold_out" }, priceHourly: 0.1 },
    ]);
    for (const args of [
      ["--first", "--id", offer.id],
      ["launch", offer.id],
    ]) {
      const { code, stdout: printed, stderr } = await ask(...args);
      expect([code, printed]).toEqual([5, ""]);
      expect(stderr).toMatch(/sold out/);
    }
  });
});

import type { Offer } from "@gpu-offers/domain";
import * as fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { moneyOfFile } from "./currencies.js";
import { gpuhunt } from "./live/gpuhunt.js";
import { LiveOffers } from "./live/live-offers.js";
import { bytesOf, readBodies, recordedContext } from "./live/recordings.fixture.js";
import { skypilot } from "./live/skypilot.js";
import { offerOf } from "./offer-of.js";
import { readCatalog, type CatalogOptions } from "./open-catalog.js";
import { skypilotCsv } from "./source.fixture.js";

// Every door for prices, with the same machine.

const money = { usdPerUnit: (currency: string) => (currency === "EUR" ? 1.16 : undefined) };
const region = "NORWAY-1";

interface Machine {
  gpu: string;
  gpuCount: number;
  priceHourly: number;
  currency: string;
  vcpu: number;
  ram: number;
  disk: number;
  instanceType: string;
}

/** The offer behind a door, or the code of its rejection. */
type Door = (machine: Machine) => Promise<Offer | string> | Offer | string;

async function only(content: string, options: CatalogOptions): Promise<Offer | string> {
  const { offers, rejections } = await readCatalog(content, { ...money, ...options });
  return offers[0] ?? rejections[0]?.code ?? "nothing";
}

function nativeOffer({ gpu, gpuCount, priceHourly, vcpu, ram, disk, instanceType }: Machine) {
  const storage = { costPerGB: 0, minGB: disk, maxGB: disk };
  const specs = { vcpu, ram, disk };
  const place = { region, countryCode: "NO" };
  return { provider: "acme", instanceType, gpu, gpuCount, ...place, priceHourly, specs, ...(disk > 0 && { storage }) };
}

function skypilotRows({ gpu, gpuCount, priceHourly, vcpu, ram, disk, instanceType }: Machine): string {
  const machine = { InstanceType: instanceType, AcceleratorName: gpu, AcceleratorCount: String(gpuCount) };
  const sizes = { vCPUs: String(vcpu), MemoryGiB: String(ram), StorageGiB: String(disk) };
  return skypilotCsv({ ...machine, ...sizes, Price: String(priceHourly), Region: region });
}

function gpuhuntRows({ gpu, gpuCount, priceHourly, vcpu, ram, disk, instanceType }: Machine): Uint8Array {
  const row = { instance_name: instanceType, location: region, price: priceHourly, cpu: vcpu, memory: ram };
  const gpus = { gpu_count: gpuCount, gpu_name: gpu, gpu_memory: "", spot: "False", disk_size: disk, flags: "[]" };
  const cells = { ...row, ...gpus };
  return zipSync({ "acme.csv": bytesOf(`${Object.keys(cells).join(",")}\n${Object.values(cells).join(",")}\n`) });
}

const HEADER = { format: "gpu-offers/1", asOf: "2026-11-01" };
const PROVIDER = { name: "acme", type: "vm" };

const DOORS: Readonly<Record<string, Door>> = {
  offerOf(machine) {
    try {
      return offerOf({ ...machine, provider: "acme", country: "Norway", region }, money);
    } catch (error) {
      return error instanceof RangeError && error.message.includes("exchange rate")
        ? "unknown_currency"
        : String(error);
    }
  },
  "own CSV": ({ priceHourly, currency, ...facts }) => {
    const row = { provider: "Acme", country: "NO", region, ...facts, priceHourly: `${priceHourly} ${currency}` };
    const columns = Object.fromEntries(Object.keys(row).map((name) => [name, name]));
    return only(`${Object.keys(row).join(",")}\n${Object.values(row).join(",")}\n`, { columns });
  },
  "native JSON": (machine) =>
    only(JSON.stringify({ ...HEADER, providers: [PROVIDER], offers: [nativeOffer(machine)] }), machine),
  "native NDJSON": (machine) =>
    only(
      [HEADER, { provider: PROVIDER }, { offer: nativeOffer(machine) }].map((line) => JSON.stringify(line)).join("\n"),
      machine,
    ),
  "response of a service": ({ currency, ...machine }) => {
    const offer = offerOf({ ...machine, provider: "acme", country: "Norway", region });
    return only(JSON.stringify({ offers: [offer] }), { currency });
  },
  "SkyPilot file": (machine) => only(skypilotRows(machine), { provider: "acme", currency: machine.currency }),
  "live source": ({ gpu, gpuCount: count, ram: ramGb, disk, ...row }) => {
    const context = { settings: {}, aliases: new Map() };
    const offers = new LiveOffers({ name: "acme", type: "vm" }, context, moneyOfFile(money));
    const item = offers.item("row", {
      ...row,
      region,
      gpu: { name: gpu, count },
      ramGb,
      isAvailable: true,
      disk: { kind: "included", sizeGb: disk },
    });
    return item.kind === "offer" ? item.offer : item.kind === "rejection" ? item.code : item.kind;
  },
};

const machines = fc.record<Machine>({
  gpu: fc.constantFrom("H100 SXM", "L40S", "RTX 4090", "MI300X"),
  gpuCount: fc.integer({ min: 1, max: 8 }),
  priceHourly: fc.integer({ min: 1, max: 9_999_999 }).map((micros) => micros / 100_000),
  currency: fc.constantFrom("USD", "EUR", "GBP"),
  vcpu: fc.integer({ min: 1, max: 256 }),
  ram: fc.integer({ min: 1, max: 4096 }),
  disk: fc.constantFrom(0, 500, 2000),
  instanceType: fc.constantFrom("m1.large", "gpu-8"),
});

/** What is shown: the price, and whether it is exact. */
function shown(offer: Offer | string | undefined): unknown {
  return typeof offer === "object" ? [offer.priceHourly, offer.costDataComplete, offer.gpuCount] : offer;
}

/** Dollars as they are, euros rounded up at 4 decimals and never as exact, and nothing in a currency without a rate. */
function expected({ priceHourly, currency, disk, gpuCount }: Machine): unknown {
  const tenThousandths = Math.ceil(Number((priceHourly * 11_600).toFixed(6)));
  return currency === "USD"
    ? [priceHourly, disk > 0, gpuCount]
    : currency === "EUR"
      ? [tenThousandths / 10_000, false, gpuCount]
      : "unknown_currency";
}

describe("for any machine", () => {
  test("all doors give the same offer, and none an amount in another currency", async () => {
    await fc.assert(
      fc.asyncProperty(machines, async (machine) => {
        const seen = await Promise.all(
          Object.entries(DOORS).map(async ([name, door]) => {
            const found = await door(machine);
            // Ids differ by door, because those of the first release stay.
            return [name, typeof found === "string" ? found : { ...found, id: "" }] as const;
          }),
        );
        const [[, first] = []] = seen;
        expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(seen.map(([name]) => [name, first])));
        expect(shown(first)).toEqual(expected(machine));
      }),
      { numRuns: 60 },
    );
  });

  test("feeds give the same offer, and none of a cloud that prices in euros without a rate", async () => {
    const read = async (cloud: string, machine: Machine) => {
      const context = { ...recordedContext, settings: { scopes: [cloud] } };
      const feeds = [
        await readBodies(skypilot, { vms: skypilotRows(machine) }, context),
        await readBodies(gpuhunt, { version: "20261121-8", catalog: gpuhuntRows(machine) }, context),
      ];
      return feeds.map((items) =>
        items.flatMap((item) => (item.kind === "offer" ? item.offer : item.kind === "rejection" ? item.code : [])),
      );
    };
    await fc.assert(
      fc.asyncProperty(machines, async (machine) => {
        const offer = offerOf({ ...machine, currency: "USD", provider: "acme", country: "Norway", region });
        // A feed says nothing about stock, and has ids of its own.
        const same = { ...offer, id: expect.any(String), isAvailable: expect.any(Boolean) };
        expect(await read("acme", machine)).toEqual([[same], [same]]);
        expect(await read("leaf", machine)).toEqual([["unknown_currency"], ["unknown_currency"]]);
      }),
      { numRuns: 20 },
    );
  });

  test("a list of one's own loses no machine to a dearer one", async () => {
    const rows = fc.record({
      price: fc.integer({ min: 1, max: 900 }),
      vcpu: fc.constantFrom("", "8", "16"),
      ram: fc.constantFrom("", "64"),
      disk: fc.constantFrom("", "500", "1TB"),
      type: fc.constantFrom("", "vm", "container", "bare-metal"),
      instanceType: fc.constantFrom("", "large"),
    });
    const columns = Object.fromEntries(["vcpu", "ram", "disk", "type", "instanceType"].map((name) => [name, name]));
    const map = { ...columns, provider: { value: "acme" }, gpu: { value: "L40S" }, priceHourly: "price" };
    await fc.assert(
      fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 12 }), async (list) => {
        const names = ["price", "vcpu", "ram", "disk", "type", "instanceType"] as const;
        const csv = [names.join(","), ...list.map((row) => names.map((name) => row[name]).join(","))].join("\n");
        const { offers } = await readCatalog(csv, { columns: map });
        const dearest = new Map<string, number>();
        for (const { price, ...machine } of list) {
          const key = JSON.stringify({ ...machine, type: machine.type === "" ? "vm" : machine.type });
          dearest.set(key, Math.max(dearest.get(key) ?? 0, price));
        }
        const prices = (values: Iterable<number>) => [...values].sort((a, b) => a - b);
        expect(prices(offers.map(({ priceHourly }) => priceHourly))).toEqual(prices(dearest.values()));
      }),
      { numRuns: 60 },
    );
  });
});

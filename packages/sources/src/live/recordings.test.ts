import { readdirSync, readFileSync } from "node:fs";
import { UNKNOWN_STORAGE } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import type { RejectionCode } from "../rejection.js";
import { SourceError } from "../source-error.js";
import { ofKind, offersOf } from "../source.fixture.js";
import { GCP_CARDS } from "./gcp.js";
import type { LiveItem, LiveSource } from "./live-source.js";
import { findLiveSource } from "./live-sources.js";
import { recordedResponse, recordedResponses, type Recorded, type Recording } from "./recording.js";
import {
  present,
  readBody,
  readRecording,
  recordedBodies,
  recordedBytes,
  recordedContext,
  recordingsFolder,
  sourceItems,
  readBodies,
  samples,
} from "./recordings.fixture.js";

// Responses of real APIs. The expected prices and counts were read from the recordings by hand.

function getSource(name: string): LiveSource {
  const source = findLiveSource(name);
  if (source === undefined) {
    throw new Error(`Unknown source ${name}.`);
  }
  return source;
}

const read = async (name: string, path: string) => readBody(getSource(name), recordedBytes(path));

function recorded(url: string, path: string): Recorded {
  return { method: "GET", url, status: 200, headers: {}, body: recordedBytes(path) };
}

/** A folder of bodies with a `.http.json` each. */
function recordedFolder(path: string): Recording {
  const folder = new URL(`${path}/`, recordingsFolder);
  const heads = readdirSync(folder).filter((name) => name.endsWith(".http.json"));
  return recordedResponses(
    heads.map((name) => {
      const head: unknown = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
      return recordedResponse(head, readFileSync(new URL(name.replace(".http.json", ".json"), folder)), name);
    }),
  );
}

const listingsIn = (items: readonly LiveItem[]) => items.filter((item) => item.kind === "offer");
const imagesIn = (items: readonly LiveItem[]) => ofKind(sourceItems(items), "provider")[0]?.provider.images;
const offersIn = (items: readonly LiveItem[]) => offersOf(sourceItems(items));

function rejectionsIn(items: readonly LiveItem[]): Partial<Record<RejectionCode, number>> {
  const counts: Partial<Record<RejectionCode, number>> = {};
  for (const { code } of ofKind(sourceItems(items), "rejection")) {
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

const factsIn = (items: readonly LiveItem[]) => ofKind(sourceItems(items), "offer").map(({ listing }) => listing);

const slugs = (items: readonly LiveItem[]) => [...new Set(offersIn(items).map(({ gpu }) => gpu.slug))].toSorted();

describe.skipIf(!present)("recorded responses", () => {
  test("vast: each offer has its price without disk, and a disk price that adds up to Vast's total", async () => {
    const path = "live/vast/bundles-h100-2026-07-18.json";
    const items = await read("vast", path);
    const { offers: asks } = JSON.parse(Buffer.from(recordedBytes(path)).toString("utf8")) as {
      offers: { dph_total: number; num_gpus: number; disk_space: number }[];
    };
    const offers = offersIn(items);
    expect(offers).toHaveLength(48);
    for (const [index, offer] of offers.entries()) {
      const ask = asks[index];
      // Vast's total includes a disk of 8 GB. Both prices are rounded up to six decimals.
      const difference = offer.priceHourly + 8 * offer.storageCostPerGB - (ask?.dph_total ?? 0);
      expect(difference).toBeGreaterThanOrEqual(-1e-9);
      expect(difference).toBeLessThan(1e-5);
      expect(offer.storageMinGB).toBe(10);
      expect(offer.storageMaxGB).toBe(Math.floor(ask?.disk_space ?? 0));
      expect(offer.gpuCount).toBe(ask?.num_gpus);
      expect(offer.regionInfo.continent).not.toBe("Unknown");
    }
    expect(slugs(items)).toEqual(["h100-nvl", "h100-sxm"]);
    // 386,908 MB of the offer, whose host has 384 cores.
    expect(offers[0]).toMatchObject({
      priceHourly: 1.306667,
      storageCostPerGB: 0.001278,
      specs: { vcpu: 96, ram: 377 },
    });
  });

  test("vast: a host's offers of 1, 2, 4 and 8 GPUs have cores and memory in that proportion", async () => {
    const path = "live/vast/bundles-h100-2026-07-18.json";
    const { offers: asks } = JSON.parse(Buffer.from(recordedBytes(path)).toString("utf8")) as {
      offers: { machine_id: number }[];
    };
    const offers = offersIn(await read("vast", path));
    const hosts = Map.groupBy(offers.entries(), ([index]) => asks[index]?.machine_id);
    const shared = [...hosts.values()].filter((rows) => new Set(rows.map(([, { gpuCount }]) => gpuCount)).size > 1);
    expect(shared.length).toBeGreaterThan(5);
    for (const rows of shared) {
      const perGpu = rows.map(([, { gpuCount, specs }]) => [specs.vcpu / gpuCount, specs.ram / gpuCount] as const);
      for (const values of [perGpu.map(([vcpu]) => vcpu), perGpu.map(([, ram]) => ram)]) {
        // Both are rounded down to a whole number.
        expect(Math.max(...values) - Math.min(...values)).toBeLessThanOrEqual(1);
      }
    }
    // Machine 32302 has 290,245, 580,491, 1,160,983 and 2,321,967 MB.
    const rams = [...(hosts.get(32_302) ?? [])].map(([, { gpuCount, specs }]) => [gpuCount, specs.ram]);
    expect(rams.toSorted(([a = 0], [b = 0]) => a - b)).toEqual([
      [1, 283],
      [2, 566],
      [4, 1133],
      [8, 2267],
    ]);
  });

  test("hyperbolic: machines have their kind, network, memory and disk, and stock is not zero where it is not stated", async () => {
    const items = await read("hyperbolic", "live/hyperbolic/rental-options-2026-08.json");
    const offers = offersIn(items);
    expect(rejectionsIn(items)).toEqual({});
    expect(offers).toHaveLength(13);
    expect(offers.every(({ isAvailable, costDataComplete }) => isAvailable && costDataComplete)).toBe(true);
    const metal = offers.filter(({ deploymentType }) => deploymentType === "bare-metal");
    expect(metal.map(({ region, interconnect, specs }) => [region, interconnect, specs])).toEqual([
      ["uk-southeast-3", "InfiniBand", { vcpu: 96, ram: 2000, disk: 24_960 }],
      ["eu-west-3", "InfiniBand", { vcpu: 96, ram: 2000, disk: 24_960 }],
      ["eu-west-4", "InfiniBand", { vcpu: 96, ram: 2000, disk: 24_960 }],
    ]);
    const places = offers.map(({ regionInfo }) => `${regionInfo.continent} ${regionInfo.countryCode}`);
    expect(
      Object.fromEntries([...Map.groupBy(places, (place) => place)].map(([place, all]) => [place, all.length])),
    ).toEqual({
      "North America US": 3,
      "North America CA": 2,
      "Europe ZZ": 6,
      "Europe GB": 1,
      "Asia JP": 1,
    });
    expect(offers.find(({ region }) => region === "eu-north-4")).toMatchObject({
      priceHourly: 25.52,
      gpuCount: 8,
      interconnect: "RoCE",
      deploymentType: "virtual",
      specs: { vcpu: 160, ram: 1536, disk: 10_240 },
    });
  });

  test("gpuai: availability is a count, and each configuration has its machine and the price of its disk", async () => {
    const items = await read("gpuai", "live/gpuai/pricing-page1-2026-08-22.json");
    const offers = offersIn(items);
    expect(rejectionsIn(items)).toEqual({});
    expect(offers).toHaveLength(16);
    expect(offers.every(({ isAvailable, costDataComplete }) => isAvailable && costDataComplete)).toBe(true);
    expect(offers.every(({ specs }) => specs.vcpu > 0 && specs.ram > 0)).toBe(true);
    expect(offers.every(({ regionInfo }) => regionInfo.continent !== "Unknown")).toBe(true);
    expect(offers[0]).toMatchObject({
      gpu: { slug: "a100-40gb" },
      priceHourly: 0.6,
      deploymentType: "container",
      storageCostPerGB: 0.000_28,
      storageMinGB: 100,
      storageMaxGB: 626,
      specs: { vcpu: 16, ram: 126, disk: 0 },
      regionInfo: { continent: "Asia", countryCode: "ZZ" },
    });
    const fixed = offers.filter(({ deploymentType }) => deploymentType === "virtual");
    expect(fixed.map(({ gpu, storageCostPerGB, specs }) => [gpu.slug, storageCostPerGB, specs.disk])).toEqual([
      ["b300", 0, 1000],
      ["l40", 0, 100],
    ]);
  });

  test("vast: the ask, the host's verification and reliability, and the lowest bid are beside the offer", async () => {
    const facts = factsIn(await read("vast", "live/vast/bundles-h100-2026-07-18.json"));
    expect(facts[0]).toEqual({
      instanceType: null,
      providerOfferId: "44075905",
      seller: "host",
      verified: false,
      reliability: 0.988_343_2,
      toolNames: {},
      egressPerGB: 0.000_131,
      ingressPerGB: 0.000_131,
      rentableUntil: "2026-08-07T01:19:08.000Z",
      bootSeconds: null,
      spotInterruption: null,
      spot: { priceHourly: 1, kind: "bid" },
      storage: { ...UNKNOWN_STORAGE, includedGb: 0, minGb: 10, maxGb: 494, pricePerGbMonth: 0.92, hoursPerMonth: 720 },
      isCostComplete: null,
      converted: null,
      availability: "in_stock",
      stockLevel: null,
      sample: false,
    });
    const counts = Map.groupBy(facts, ({ verified }) => verified);
    expect([counts.get(true)?.length, counts.get(false)?.length]).toEqual([24, 24]);
    expect(new Set(facts.map(({ providerOfferId }) => providerOfferId)).size).toBe(48);
    expect(facts.every(({ reliability }) => reliability !== null && reliability > 0 && reliability <= 1)).toBe(true);
  });

  test("runpod: the secure and the community twin of a type differ by seller", async () => {
    const items = await read("runpod", "live/runpod/graphql-gputypes-2026-07-18.json");
    const sellers = Map.groupBy(ofKind(sourceItems(items), "offer"), ({ listing }) => listing.seller);
    expect(new Set(sellers.keys())).toEqual(new Set(["host", "partner"]));
    const types = (seller: string) => new Set(sellers.get(seller)?.map(({ listing }) => listing.instanceType));
    expect(types("host")).toContain("NVIDIA A100 80GB PCIe");
    expect(types("partner")).toContain("NVIDIA A100 80GB PCIe");
    expect(factsIn(items).every(({ spot }) => spot === null)).toBe(true);
  });

  test("azure: a size has its spot price, and the spot row isn't an offer", async () => {
    const items = await read("azure", "live/azure/retail-h100-westeurope-2026-08.json");
    const spots = ofKind(sourceItems(items), "offer").flatMap(({ listing, offer }) =>
      listing.spot === null ? [] : [[listing.instanceType, offer.priceHourly, listing.spot]],
    );
    expect(spots).toEqual([["Standard_ND96isr_H100_v5", 132.232, { priceHourly: 21.258_283, kind: "price" }]]);
  });

  test("verda and gpuai: spot prices as text, and sellers by capacity class", async () => {
    const verda = factsIn(await read("verda", "live/verda/instance-types-excerpt-2026.json"));
    expect(verda.every(({ instanceType, seller }) => instanceType !== null && seller === "cloud")).toBe(true);
    expect(verda.filter(({ spot }) => spot !== null).length).toBeGreaterThan(0);
    const gpuai = factsIn(await read("gpuai", "live/gpuai/pricing-page1-2026-08-22.json"));
    expect(gpuai.filter(({ seller }) => seller === "partner")).toHaveLength(6);
    expect(gpuai.filter(({ seller }) => seller === "host")).toHaveLength(10);
    expect(gpuai[0]).toMatchObject({ providerOfferId: "57886581e01b", instanceType: null, verified: null });
  });

  test("no source shows our own name of a configuration as what one rents", async () => {
    for (const { source, path } of recordedBodies) {
      for (const { instanceType } of factsIn(await read(source, path))) {
        expect(instanceType ?? "").not.toMatch(/^\d+x |\(secure\)|\(community\)|^[\w-]+:.*:\d/i);
      }
    }
  });

  test("lium: the newer list states each host's machine, and the minimum that it rents out", async () => {
    const items = await read("lium", "live/lium/nodes-0.json");
    expect(rejectionsIn(items)).toEqual({ spot_only: 1 });
    const found = offersIn(items).map(
      ({ gpu, gpuCount, priceHourly, specs, regionInfo }) =>
        `${gpuCount} ${gpu.slug} ${priceHourly} ${specs.vcpu} ${specs.ram} ${specs.disk} ${regionInfo.countryCode}`,
    );
    expect(found).toEqual([
      "8 rtx-5090 4 384 251 935 JP",
      "1 h200 3.99 0 0 0 US",
      "5 h200 19.95 0 0 0 US",
      "8 a100-sxm-80gb 9.84 240 1772 19383 US",
    ]);
  });

  test("runpod: types that no cloud sells are skipped, whatever their price", async () => {
    const items = await read("runpod", "live/runpod/graphql-gputypes-2026-07-18.json");
    expect(offersIn(items)).toHaveLength(66);
    expect(rejectionsIn(items)).toEqual({ not_rentable: 4 });
    expect(offersIn(items).every(({ isAvailable, region }) => !isAvailable && region === "unknown")).toBe(true);
    const mi300x = offersIn(items).filter(({ gpu }) => gpu.slug === "mi300x");
    expect(mi300x.map(({ priceHourly }) => priceHourly)).toEqual([2.19]);
  });

  test("verda: prices are text, the memory is of all GPUs, and a type may have no location", async () => {
    const items = await read("verda", "live/verda/instance-types-excerpt-2026.json");
    const prices = offersIn(items).map(({ gpu, gpuCount, priceHourly }) => [gpu.slug, gpuCount, priceHourly]);
    expect(prices).toEqual([
      ["gb300", 1, 9.248],
      ["gb300", 2, 18.5],
      ["gb300", 4, 36.99],
      ["b300", 1, 8.042],
      ["b300", 8, 64.34],
      ["b200", 1, 6.616],
    ]);
  });

  test("verda: regions and stock are joined by type and location", async () => {
    const folder = "data/gpuhunt-fixtures";
    const recording = recordedResponses([
      recorded("https://api.datacrunch.io/v1/instance-types", `${folder}/verda_instance_types.json`),
      recorded("https://api.datacrunch.io/v1/instance-availability", `${folder}/verda_availabilities.json`),
      recorded("https://api.datacrunch.io/v1/locations", `${folder}/verda_locations.json`),
    ]);
    const offers = offersIn(await readRecording(getSource("verda"), recording));
    expect(offers.map(({ region, isAvailable, regionInfo }) => [region, isAvailable, regionInfo.countryCode])).toEqual([
      ["unknown", false, "ZZ"],
      ["FIN-01", true, "FI"],
      ["FIN-01", true, "FI"],
    ]);
    expect(offers[2]).toMatchObject({ storageMinGB: 225, storageMaxGB: 225, costDataComplete: true });
  });

  test("vultr: a share of a card is not an offer, and a bare metal plan has its GPUs in its id", async () => {
    const plans = await read("vultr", "data/gpuhunt-fixtures/vultr_plans.json");
    expect(rejectionsIn(plans)).toEqual({ fractional_gpu: 2 });
    expect(offersIn(plans)).toMatchObject([
      { gpuCount: 1, gpu: { vramGB: 80 }, priceHourly: 2.397, isAvailable: true },
    ]);
    const metal = offersIn(await read("vultr", "data/gpuhunt-fixtures/vultr_plans_metal.json"));
    expect(metal.map(({ gpuCount, pricePerGpu, deploymentType }) => [gpuCount, pricePerGpu, deploymentType])).toEqual([
      [8, 2.19, "bare-metal"],
      [8, 2.99, "bare-metal"],
    ]);
  });

  test("linode: five pages of stock join types and regions, although one page was recorded twice", async () => {
    const items = await readRecording(getSource("linode"), recordedFolder("live/linode"));
    const offers = offersIn(items);
    expect(offers).toHaveLength(76);
    expect(
      offers.filter(({ isAvailable }) => isAvailable).map(({ region, gpuCount }) => `${gpuCount} ${region}`),
    ).toEqual([
      "1 us-southeast",
      "1 ap-south",
      "1 ap-west",
      "2 us-southeast",
      "2 ap-south",
      "2 ap-west",
      "3 us-southeast",
      "3 ap-south",
      "3 ap-west",
      "4 ap-south",
      "4 ap-west",
    ]);
    expect(offers.every(({ pricePerGpu, gpu }) => pricePerGpu === 1.5 && gpu.slug === "quadro-rtx-6000")).toBe(true);
  });

  test("ovhcloud: a euro catalog has no offers without an exchange rate, and rounded-up prices with it", async () => {
    const path = "live/ovhcloud/order-catalog-public-cloud-trimmed-2026-08.json";
    expect(rejectionsIn(await read("ovhcloud", path))).toEqual({ other_terms: 1, unknown_currency: 1 });
    const context = { ...recordedContext, settings: { convert: "ecb" as const } };
    const recording = recordedResponses([
      recorded("https://api.ovh.com/1.0/order/catalog/public/cloud?ovhSubsidiary=US", path),
      recorded("https://x/service/data/EXR/D.USD.EUR.SP00.A", "live/ecb/exchange-rates-2026-08-13.json"),
    ]);
    const items = await readRecording(getSource("ovhcloud"), recording, context);
    // 2.75 EUR x 1.1534 = 3.17185 USD.
    expect(offersIn(items)).toMatchObject([{ priceHourly: 3.1719, costDataComplete: false, gpu: { vramGB: 80 } }]);
    expect(items.filter(({ kind }) => kind === "note")).toMatchObject([
      { note: expect.stringContaining("2026-08-13") },
    ]);
  });

  test("oci: only GPUs priced by the hour count, and prices are multiplied by the GPUs of each shape", async () => {
    const items = await read("oci", "live/oci/products-gpu-2026-10-01.json");
    const h200 = offersIn(items).filter(({ gpu }) => gpu.slug.startsWith("h200"));
    expect(h200).toMatchObject([{ gpuCount: 8, priceHourly: 80, isAvailable: false, deploymentType: "bare-metal" }]);
    expect(rejectionsIn(items)).toMatchObject({ other_terms: 8 });
    expect(offersIn(items).find(({ gpu }) => gpu.slug === "rtx-pro-6000-server")).toMatchObject({ gpuCount: 8 });
    const rows = offersIn(items).length + (rejectionsIn(items).unknown_gpu ?? 0);
    expect((rejectionsIn(items).unknown_gpu ?? 0) / rows).toBeLessThan(0.2);
  });

  test("azure: reservations, spot, low priority and Windows are not on-demand prices", async () => {
    const europe = await read("azure", "live/azure/retail-h100-westeurope-2026-08.json");
    expect(offersIn(europe).map(({ gpu, gpuCount, priceHourly }) => [gpu.slug, gpuCount, priceHourly])).toEqual([
      ["h100-sxm", 8, 132.232],
      ["h100-sxm", 8, 119.45],
      ["gb200", 4, 146.488],
      ["h100-nvl", 1, 6.98],
    ]);
    expect(rejectionsIn(europe)).toEqual({ spot_only: 1, other_terms: 1 });
    const excerpt = await read("azure", "live/azure/retail-items-excerpt-2026.json");
    expect(offersIn(excerpt)).toHaveLength(8);
    expect(rejectionsIn(excerpt)).toEqual({ other_terms: 5, spot_only: 2 });
  });

  test("aws: GPUs come from the documentation of types, prices and disks from the file", async () => {
    const items = await read("aws", "live/aws/website-ondemand-us-east-1-gpu-rows-2026.json");
    expect(offersIn(items)).toHaveLength(10);
    const p5 = offersIn(items).find(({ priceHourly }) => priceHourly === 55.04);
    expect(p5).toMatchObject({
      gpu: { slug: "h100-sxm" },
      gpuCount: 8,
      region: "us-east-1",
      nvlinkEnabled: true,
      isAvailable: true,
      specs: { vcpu: 192, ram: 2048, disk: 30_720 },
      costDataComplete: true,
    });
  });

  test("aws: a file of spot savings is not a price list", async () => {
    const items = await read("aws", "live/aws/spot-advisor-data-2025-06.json");
    expect(offersIn(items)).toEqual([]);
    expect(items.filter(({ kind }) => kind === "failure")).toHaveLength(1);
  });

  test("lambda: a bare map without regions gives every type, out of stock", async () => {
    const items = await read("lambda", "live/lambda/instance-types-2026-08-20-trimmed.json");
    expect(offersIn(items)).toHaveLength(22);
    expect(offersIn(items).every(({ isAvailable, region }) => !isAvailable && region === "unknown")).toBe(true);
    const b200 = offersIn(items).find(({ gpu, gpuCount }) => gpu.slug === "b200" && gpuCount === 8);
    expect(b200).toMatchObject({ priceHourly: 53.52, storageMinGB: 22_528, storageCostPerGB: 0 });
  });

  test("primeintellect: float noise is dropped, and the disk has its own price", async () => {
    const items = await read("primeintellect", "data/primeintellect/availability_response.json");
    expect(offersIn(items)).toHaveLength(8);
    expect(offersIn(items)[0]).toMatchObject({
      priceHourly: 1.6568,
      gpu: { slug: "a100-pcie-80gb" },
      storageCostPerGB: 0.000_14,
      storageMinGB: 120,
      storageMaxGB: 3000,
      regionInfo: { countryCode: "US" },
    });
  });

  test("lium: the free GPUs of a host are an offer, spot hosts are not", async () => {
    const items = await read("lium", "live/lium/executors-excerpt-2026-08-22.json");
    expect(rejectionsIn(items)).toEqual({ spot_only: 1 });
    const found = offersIn(items).map(({ gpu, gpuCount, priceHourly }) => `${gpuCount} ${gpu.slug} ${priceHourly}`);
    expect(found).toContain("8 b300 64.0024");
    expect(found).toContain("4 rtx-pro-6000-server 4.04");
  });

  test("voltagepark: a price is the sum of its two rates", async () => {
    const offers = offersIn(await read("voltagepark", "live/voltagepark/instant-deploy-presets-2026-08.json"));
    expect(offers.map(({ gpuCount, priceHourly, isAvailable }) => [gpuCount, priceHourly, isAvailable])).toEqual([
      [8, 15.92, false],
      [1, 1.99, false],
      [4, 7.96, false],
      [2, 3.98, false],
    ]);
  });

  test("digitalocean: memory is of all GPUs", async () => {
    const offers = offersIn(await read("digitalocean", "data/gpuhunt-fixtures/digitalocean_sizes.json"));
    expect(offers.map(({ gpu, gpuCount, pricePerGpu }) => [gpu.vramGB, gpuCount, pricePerGpu])).toEqual([
      [80, 8, 2.99],
      [192, 8, 1.99],
    ]);
  });

  test("latitude: a plan has a price by country and stock by site", async () => {
    const items = await readRecording(getSource("latitude"), recordedFolder("live/latitude"));
    const a100 = offersIn(items).filter(({ gpu }) => gpu.slug === "a100-pcie-80gb");
    expect(a100).toHaveLength(8);
    expect(a100.filter(({ isAvailable }) => isAvailable).map(({ region }) => region)).toEqual(["DAL"]);
    expect(a100.every(({ priceHourly }) => priceHourly === 15.14)).toBe(true);
  });

  test("gcp: GPUs without the other parts are no machines, and other terms no prices on demand", async () => {
    const items = await read("gcp", "live/gcp/skus-gpu-0.json");
    expect(offersIn(items)).toEqual([]);
    // H200 and small H100 machines are not rentable; the other parts of nine GPUs are in other files.
    expect(rejectionsIn(items)).toEqual({ other_terms: 6, not_rentable: 2, half_machine: 9, fractional_gpu: 1 });
    for (const path of ["live/gcp/skus-core-ram-h100_mega.json", "live/gcp/skus-core-ram-n1_standard.json"]) {
      expect(offersIn(await read("gcp", path))).toEqual([]);
    }
    await expect(read("gcp", "live/gcp/billing-skus-gpu-2025-06.json")).rejects.toThrow(SourceError);
  });

  test("gcp: machines have the vCPUs and memory of Google's list of machine types", () => {
    const lines = Buffer.from(recordedBytes("live/gcp/machinetypes.csv")).toString("utf8").split("\n");
    const listed = new Map(lines.map((line) => line.split(";")).map(([name, vcpu, , ramGb]) => [name, [vcpu, ramGb]]));
    const machines = GCP_CARDS.flatMap((card) => card.machines);
    expect(machines.length).toBeGreaterThan(100);
    const differing = machines.filter(({ type, vcpu, ramGb }) => {
      const [cpus, memory] = listed.get(type) ?? [];
      return Number(cpus) !== vcpu || Number(memory) !== ramGb;
    });
    expect(differing).toEqual([]);
  });

  test("jarvislabs: each region has machines of up to the stated number of GPUs", async () => {
    const items = await readRecording(getSource("jarvislabs"), recordedFolder("live/jarvislabs"));
    const available = offersIn(items).filter(({ isAvailable }) => isAvailable);
    expect(
      available.map(
        ({ gpu, gpuCount, priceHourly, deploymentType }) => `${gpuCount} ${gpu.slug} ${priceHourly} ${deploymentType}`,
      ),
    ).toEqual([
      "1 l4 0.44 container",
      "2 l4 0.88 container",
      "3 l4 1.32 container",
      "1 l4 0.44 virtual",
      "2 l4 0.88 virtual",
      "3 l4 1.32 virtual",
      "1 a100-80gb 1.49 virtual",
      "1 rtx-pro-6000 1.89 virtual",
      "2 rtx-pro-6000 3.78 virtual",
      "1 rtx-pro-6000 1.89 virtual",
      "1 h100 2.99 virtual",
      "1 h100 2.99 virtual",
    ]);
    expect(offersIn(items)).toHaveLength(8 + 8 + 4 + 8 + 8 + 1 + 1);
  });

  test("seeweb: prices are in euros", async () => {
    const path = "live/seeweb/plans-0.json";
    expect(rejectionsIn(await read("seeweb", path))).toEqual({ unknown_currency: 3 });
    const recording = recordedResponses([
      recorded("https://api.seeweb.it/ecs/v2/plans", path),
      recorded("https://x/service/data/EXR/D.USD.EUR.SP00.A", "live/ecb/exchange-rates-2026-08-13.json"),
    ]);
    const context = { ...recordedContext, settings: { convert: "ecb" as const } };
    const offers = offersIn(await readRecording(getSource("seeweb"), recording, context));
    // 0.85, 1.98 and 1.60 EUR x 1.1534, rounded up.
    expect(offers.map(({ gpu, gpuCount, priceHourly, region }) => [gpuCount, gpu.slug, priceHourly, region])).toEqual([
      [1, "l40s", 0.9804, "it-fr2"],
      [1, "l40s", 0.9804, "it-mi2"],
      [2, "a100-80gb", 2.2838, "it-fr2"],
      [1, "mi300x", 1.8455, "it-fr2"],
    ]);
    expect(offers.every(({ costDataComplete }) => !costDataComplete)).toBe(true);
  });

  test("linode: public images that are not deprecated, and the price of traffic by region", async () => {
    const items = await readRecording(getSource("linode"), recordedFolder("live/linode"));
    const images = imagesIn(items);
    expect(images).toHaveLength(28);
    expect(images?.filter(({ isDefault }) => isDefault)).toEqual([
      {
        id: "linode/ubuntu24.04",
        displayName: "Ubuntu 24.04 LTS",
        slug: "ubuntu24.04",
        hasCuda: false,
        cudaVersion: null,
        hasDocker: false,
        isDefault: true,
      },
    ]);
    const prices = listingsIn(items).map(({ offer, listing }) => `${offer.region} ${listing.egressPerGB}`);
    expect(new Set(prices.filter((price) => !price.endsWith(" 0.005")))).toEqual(new Set(["id-cgk 0.015"]));
    expect(listingsIn(items).every(({ listing }) => listing.seller === "cloud")).toBe(true);
    expect(new Set(listingsIn(items).map(({ listing }) => listing.instanceType))).toEqual(
      new Set(["g1-gpu-rtx6000-1", "g1-gpu-rtx6000-2", "g1-gpu-rtx6000-3", "g1-gpu-rtx6000-4"]),
    );
  });

  test("verda: images state CUDA and Docker in their names, and fit the types that list them", async () => {
    const images = imagesIn(await read("verda", "live/verda/instance-types-excerpt-2026.json"));
    expect(images).toHaveLength(34);
    expect(images?.find(({ id }) => id === "ubuntu-24.04-cuda-13.0-open-docker")).toMatchObject({
      cudaVersion: "13.0",
      hasDocker: true,
      instanceTypes: ["1B200.30V", "1B300.30V", "8B300.240V"],
    });
    expect(images?.filter(({ hasCuda }) => hasCuda)).toHaveLength(29);
    expect(images?.find(({ isDefault }) => isDefault)?.id).toBe("ubuntu-26.04");
    const older = imagesIn(await read("verda", "data/gpuhunt-fixtures/verda_instance_types.json"));
    expect(older?.map(({ id, instanceTypes }) => `${id} ${instanceTypes?.join(" ")}`)).toEqual([
      "ubuntu-22.04 1H100.80S.30V 1V100.6V 2A6000.20V",
      "ubuntu-24.04 1H100.80S.30V 1V100.6V 2A6000.20V",
    ]);
  });

  test("latitude: images with the plans that they can be installed on", async () => {
    const images = imagesIn(await readRecording(getSource("latitude"), recordedFolder("live/latitude")));
    expect(images?.map(({ id }) => id)).not.toContain("ipxe");
    expect(images).toHaveLength(12);
    const ubuntu = images?.find(({ isDefault }) => isDefault);
    expect(ubuntu).toMatchObject({ id: "ubuntu_22_04_x64_lts", displayName: "Ubuntu 22.04" });
    expect(ubuntu?.instanceTypes).toContain("g3-h100-large");
    expect(images?.find(({ id }) => id === "debian_12")?.instanceTypes).not.toContain("g3-gh200");
  });

  test("primeintellect: images of all offers, without the one of the account", async () => {
    const images = imagesIn(await read("primeintellect", "data/primeintellect/availability_response.json"));
    expect(images).toHaveLength(16);
    expect(images?.find(({ id }) => id === "cuda_12_6_pytorch_2_7")).toMatchObject({ cudaVersion: "12.6" });
  });

  test("scaleway: images by label", async () => {
    const pages = [0, 1].map((page) => {
      const bytes = recordedBytes(`live/scaleway/marketplace/images-${page}.json`);
      return JSON.parse(Buffer.from(bytes).toString("utf8")) as { images: unknown[]; total_count: number };
    });
    const body = { images: pages.flatMap(({ images }) => images), total_count: 27 };
    const items = await readBodies(getSource("scaleway"), { ...samples["scaleway"], images: body });
    expect(imagesIn(items)).toHaveLength(27);
    expect(imagesIn(items)?.find(({ id }) => id === "ubuntu_jammy_gpu_os_12")).toBeDefined();
  });

  test("scaleway: three pages of 50 add up to the stated 107 types, in euros", async () => {
    const folder = recordedFolder("live/scaleway/fr-par-1");
    const items = await readRecording(getSource("scaleway"), folder);
    expect(items.filter(({ kind }) => kind !== "provider")).toHaveLength(107);
    expect(rejectionsIn(items)).toEqual({ unknown_currency: 5 });
  });
});

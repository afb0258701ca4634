import { describe, expect, test } from "vitest";
import { SourceError } from "../source-error.js";
import { ofKind, offersOf } from "../source.fixture.js";
import { gcp } from "./gcp.js";
import type { LiveItem } from "./live-source.js";
import { sourceItems, readBodies } from "./recordings.fixture.js";

/** A SKU in the form of the Cloud Billing Catalog. */
function sku(
  description: string,
  price: { units: string; nanos: number; per?: string },
  { usageType = "OnDemand", family = "Compute", group = "GPU", regions = ["us-central1"] } = {},
) {
  return {
    skuId: "0000-0000-0000",
    description,
    category: { serviceDisplayName: "Compute Engine", resourceFamily: family, resourceGroup: group, usageType },
    serviceRegions: regions,
    pricingInfo: [
      {
        pricingExpression: {
          usageUnit: price.per ?? "h",
          tieredRates: [
            { startUsageAmount: 0, unitPrice: { currencyCode: "USD", units: price.units, nanos: price.nanos } },
          ],
        },
      },
    ],
  };
}

// SKUs in the form of the recorded price list. The GPU prices are those recorded for the Americas in May 2026; the sums are
// checked against the prices that SkyPilot's catalog has for the same machines in us-central1.

const a2 = [
  sku("A2 Instance Core running in Americas", { units: "0", nanos: 31_611_000 }, { group: "CPU" }),
  sku("A2 Instance Ram running in Americas", { units: "0", nanos: 4_237_000, per: "GiBy.h" }, { group: "RAM" }),
];
const g2 = [
  sku("G2 Instance Core running in Americas", { units: "0", nanos: 24_988_000 }, { group: "CPU" }),
  sku("G2 Instance Ram running in Americas", { units: "0", nanos: 2_927_000, per: "GiBy.h" }, { group: "RAM" }),
];
const n1 = [
  sku("N1 Predefined Instance Core running in Americas", { units: "0", nanos: 31_611_000 }, { group: "N1Standard" }),
  sku(
    "N1 Predefined Instance Ram running in Americas",
    { units: "0", nanos: 4_237_000, per: "GiBy.h" },
    { group: "N1Standard" },
  ),
];
const localDisk = sku(
  "SSD backed Local Storage",
  { units: "0", nanos: 80_000_000, per: "GiBy.mo" },
  { family: "Storage", group: "LocalSSD" },
);
const a100 = sku("Nvidia Tesla A100 GPU running in Americas", { units: "2", nanos: 933_908_000 });
const a100Large = sku("Nvidia Tesla A100 80GB GPU running in Americas", { units: "3", nanos: 928_080_000 });
const l4 = sku("Nvidia L4 GPU running in Americas", { units: "0", nanos: 560_040_239 });

const read = async (...skus: unknown[]): Promise<LiveItem[]> => readBodies(gcp, { skus: { skus } });

async function pricesOf(...skus: unknown[]): Promise<Record<string, number>> {
  const items = await read(...skus);
  const offers = items.filter((item) => item.kind === "offer");
  return Object.fromEntries(offers.map(({ offer }) => [nameOf(offer), offer.priceHourly]));
}

function nameOf({
  gpu,
  gpuCount,
  specs,
}: {
  gpu: { slug: string };
  gpuCount: number;
  specs: { vcpu: number; ram: number };
}) {
  return `${gpuCount} ${gpu.slug} ${specs.vcpu} vCPU ${specs.ram} GB`;
}

const codesOf = (items: readonly LiveItem[]) => ofKind(sourceItems(items), "rejection").map(({ code }) => code);

describe("the price of a machine of Google Cloud is the sum of its parts", () => {
  test("A2", async () => {
    const prices = await pricesOf(...a2, localDisk, a100, a100Large);
    expect(prices).toEqual({
      // 2.933908 + 12 x 0.031611 + 85 x 0.004237; the catalog has 3.67339 and 55.7395 for 16 GPUs.
      "1 a100-sxm-40gb 12 vCPU 85 GB": 3.673_385,
      "2 a100-sxm-40gb 24 vCPU 170 GB": 7.346_77,
      "4 a100-sxm-40gb 48 vCPU 340 GB": 14.693_54,
      "8 a100-sxm-40gb 96 vCPU 680 GB": 29.387_08,
      "16 a100-sxm-40gb 96 vCPU 1360 GB": 55.739_504,
      // 3.92808 + 12 x 0.031611 + 170 x 0.004237 + 375 x 0.08 / 730.
      "1 a100-sxm-80gb 12 vCPU 170 GB": 5.068_798,
      "2 a100-sxm-80gb 24 vCPU 340 GB": 10.137_596,
      "4 a100-sxm-80gb 48 vCPU 680 GB": 20.275_192,
      "8 a100-sxm-80gb 96 vCPU 1360 GB": 40.550_384,
    });
  });

  test("G2", async () => {
    const prices = await pricesOf(...g2, l4);
    // The catalog has 0.70683.
    expect(prices["1 l4 4 vCPU 16 GB"]).toBe(0.706_825);
    expect(prices["8 l4 96 vCPU 384 GB"]).toBeCloseTo(8 * 0.560_040_239 + 96 * 0.024_988 + 384 * 0.002_927, 5);
    expect(Object.keys(prices)).toHaveLength(8);
  });

  test("N1, up to the most vCPUs and memory for the number of cards", async () => {
    const card = (name: string, nanos: number, units = "0") =>
      sku(`Nvidia Tesla ${name} GPU running in Americas`, { units, nanos });
    const prices = await pricesOf(...n1, card("T4", 350_000_000), card("V100", 480_000_000, "2"));
    // 0.35 + 4 x 0.031611 + 15 x 0.004237.
    expect(prices["1 t4 4 vCPU 15 GB"]).toBe(0.539_999);
    // 8 x 2.48 + 96 x 0.031611 + 624 x 0.004237.
    expect(prices["8 v100-16gb 96 vCPU 624 GB"]).toBe(25.518_544);
    expect(Object.keys(prices)).toContain("1 v100-16gb 8 vCPU 52 GB");
    expect(Object.keys(prices)).not.toContain("1 v100-16gb 16 vCPU 60 GB");
    expect(Object.keys(prices)).not.toContain("2 t4 64 vCPU 240 GB");
  });

  test("A3 with eight GPUs, both kinds, and G4", async () => {
    const a3 = [
      sku("A3 Instance Core running in Americas", { units: "0", nanos: 30_000_000 }, { group: "CPU" }),
      sku("A3 Instance Ram running in Americas", { units: "0", nanos: 2_600_000, per: "GiBy.h" }, { group: "RAM" }),
      sku("A3Plus Instance Core running in Americas", { units: "0", nanos: 20_000_000 }, { group: "CPU" }),
      sku("A3Plus Instance Ram running in Americas", { units: "0", nanos: 1_000_000, per: "GiBy.h" }, { group: "RAM" }),
      sku("G4 Instance Core running in Americas", { units: "0", nanos: 10_000_000 }, { group: "CPU" }),
      sku("G4 Instance Ram running in Americas", { units: "0", nanos: 2_000_000, per: "GiBy.h" }, { group: "RAM" }),
    ];
    const items = await read(
      ...a3,
      localDisk,
      sku("Nvidia H100 80GB GPU running in Americas", { units: "9", nanos: 796_550_569 }),
      sku("Nvidia H100 80GB Plus GPU running in Americas", { units: "10", nanos: 344_275_712 }),
      sku("RTX 6000 96GB GPU running in Americas", { units: "1", nanos: 500_000_000 }),
    );
    const found = offersOf(sourceItems(items)).map((offer) => `${nameOf(offer)} ${offer.priceHourly}`);
    expect(found).toEqual([
      "8 h100-sxm 208 vCPU 1872 GB 90.137139",
      // 8 x 10.344275712 + 208 x 0.02 + 1872 x 0.001 + 6000 x 0.08 / 730.
      "8 h100-sxm 208 vCPU 1872 GB 89.44374",
      "1 rtx-pro-6000-server 48 vCPU 180 GB 2.34",
      "2 rtx-pro-6000-server 96 vCPU 360 GB 4.68",
      "4 rtx-pro-6000-server 192 vCPU 720 GB 9.36",
      "8 rtx-pro-6000-server 384 vCPU 1440 GB 18.72",
    ]);
    expect(codesOf(items)).toEqual(["not_rentable"]);
  });
});

test("the spot price is the sum of the spot prices of all parts, or unknown", async () => {
  const listingsOf = (items: readonly LiveItem[]) =>
    items.flatMap((item) => (item.kind === "offer" ? [item.listing] : []));
  const spot = { usageType: "Preemptible" };
  const onDemand = [
    sku("Nvidia L4 GPU running in Americas", { units: "0", nanos: 560_040_239 }),
    sku("G2 Instance Core running in Americas", { units: "0", nanos: 24_988_000 }, { group: "CPU" }),
    sku("G2 Instance Ram running in Americas", { units: "0", nanos: 2_927_000, per: "GiBy.h" }, { group: "RAM" }),
  ];
  const parts = [
    sku("Nvidia L4 GPU attached to Spot Preemptible VMs running in Americas", { units: "0", nanos: 200_000_000 }, spot),
    sku(
      "Spot Preemptible G2 Instance Core running in Americas",
      { units: "0", nanos: 10_000_000 },
      { ...spot, group: "CPU" },
    ),
    sku(
      "Spot Preemptible G2 Instance Ram running in Americas",
      { units: "0", nanos: 1_000_000, per: "GiBy.h" },
      { ...spot, group: "RAM" },
    ),
  ];
  const [small] = listingsOf(await read(...onDemand, ...parts));
  // 0.2 + 4 x 0.01 + 16 x 0.001.
  expect(small).toMatchObject({ instanceType: "g2-standard-4", spot: { priceHourly: 0.256, kind: "price" } });
  const [without] = listingsOf(await read(...onDemand, ...parts.slice(0, 2)));
  expect(without).toMatchObject({ instanceType: "g2-standard-4", spot: null });
});

describe("a SKU of Google Cloud", () => {
  test.each([
    ["H200 141GB GPU running in Americas", "OnDemand", "not_rentable"],
    ["A4 Nvidia B200 (1 gpu slice) running in Americas", "OnDemand", "not_rentable"],
    ["A4X Nvidia GB200 (1 gpu slice) running in Americas", "OnDemand", "not_rentable"],
    ["Commitment v1: Nvidia L4 GPU running in Americas for 3 Years", "Commit3Yr", "other_terms"],
    ["Reserved Nvidia Tesla A100 GPU in Americas", "OnDemand", "other_terms"],
    ["Nvidia Tesla T4 GPU attached to DWS Defined Duration VMs running in Americas", "OnDemand", "other_terms"],
    ["Nvidia L4 GPU running in Americas", "Commit1Yr", "other_terms"],
    ["1/8 vGPU no lssd running in Iowa", "OnDemand", "fractional_gpu"],
    ["Nvidia Tesla X99 GPU running in Americas", "OnDemand", "unknown_gpu"],
    ["Nvidia Tesla X99 GPU attached to Spot Preemptible VMs running in Americas", "Preemptible", "spot_only"],
  ])("%s, %s, is rejected as %s", async (description, usageType, code) => {
    const items = await read(...a2, ...g2, sku(description, { units: "1", nanos: 0 }, { usageType }));
    expect(codesOf(items)).toEqual([code]);
    expect(offersOf(sourceItems(items))).toEqual([]);
  });

  test("of a license, or of a spot price of a known part, is no offer", async () => {
    const spot = sku(
      "Nvidia L4 GPU attached to Spot Preemptible VMs running in Americas",
      { units: "0", nanos: 1 },
      { usageType: "Preemptible" },
    );
    const license = sku("Licensing Fee for CentOS 8 (GPU cost)", { units: "0", nanos: 0 }, { family: "License" });
    const items = await read(...g2, spot, license);
    expect(items.map(({ kind }) => kind)).toEqual(["provider", "skipped", "skipped", "skipped", "skipped"]);
  });

  test("whose machines lack a part in the region is rejected, and so is one in another unit or currency", async () => {
    expect(codesOf(await read(a2[0], a100))).toEqual(["half_machine"]);
    expect(codesOf(await read(...a2, a100Large))).toEqual(["half_machine"]);
    expect(codesOf(await read(...a2, { ...a100, serviceRegions: ["europe-west4"] }))).toEqual(["half_machine"]);
    const monthly = sku("Nvidia L4 GPU running in Americas", { units: "400", nanos: 0, per: "mo" });
    expect(codesOf(await read(...g2, monthly))).toEqual(["bad_unit"]);
    const euros = JSON.parse(JSON.stringify(l4).replace("USD", "EUR")) as unknown;
    expect(codesOf(await read(...g2, euros))).toEqual(["unknown_currency"]);
  });

  test("with a higher price for the same part wins, in any order", async () => {
    const dearer = sku("G2 Instance Core running in Iowa", { units: "0", nanos: 30_000_000 }, { group: "CPU" });
    const highest = await pricesOf(dearer, ...g2, l4);
    expect(highest).toEqual(await pricesOf(...g2, dearer, l4));
    expect(highest["1 l4 4 vCPU 16 GB"]).toBe(0.726_873);
  });

  test("that repeats a GPU in a region gives each machine once, at the higher price", async () => {
    const other = sku("Nvidia L4 GPU running in Iowa", { units: "0", nanos: 600_000_000 });
    for (const cards of [
      [l4, other],
      [other, l4],
    ]) {
      const items = await read(...g2, ...cards);
      expect(offersOf(sourceItems(items))).toHaveLength(8);
      expect(offersOf(sourceItems(items))[0]?.priceHourly).toBe(0.746_784);
      expect(new Set(codesOf(items))).toEqual(new Set(["duplicate"]));
    }
  });

  test("is listed in each of its regions, with unknown stock", async () => {
    const regions = ["us-central1", "europe-west4", "global"];
    const everywhere = [...g2, l4].map((one) => Object.assign({}, one, { serviceRegions: regions }));
    const offers = offersOf(sourceItems(await read(...everywhere)));
    expect(new Set(offers.map(({ region, regionInfo }) => `${region} ${regionInfo.countryCode}`))).toEqual(
      new Set(["us-central1 US", "europe-west4 NL"]),
    );
    expect(offers.some(({ isAvailable }) => isAvailable)).toBe(false);
    expect(new Set(offers.map(({ id }) => id)).size).toBe(16);
  });
});

test("pages are followed by their token until it is empty", async () => {
  const requests = gcp.requests({ secrets: {}, settings: {}, aliases: new Map(), recorded: false });
  const first = requests.next();
  if (first.done === true) {
    throw new Error("There is no request.");
  }
  const reply = (body: unknown) => ({
    request: first.value,
    status: 200,
    headers: {},
    body: new TextEncoder().encode(JSON.stringify(body)),
  });
  expect(first.value.url).not.toContain("pageToken");
  const second = requests.next(reply({ skus: [], nextPageToken: "a/b&c" }));
  expect(second.value?.url).toContain("pageToken=a%2Fb%26c");
  expect(requests.next(reply({ skus: [], nextPageToken: "" })).done).toBe(true);
});

test("a token that is no part of a URL fails the run", async () => {
  for (const nextPageToken of ["\uD800", "a b", "a".repeat(4001)]) {
    await expect(readBodies(gcp, { skus: { skus: [a100], nextPageToken } })).rejects.toThrow(SourceError);
  }
});

test("a list whose prices have another form fails as a whole", async () => {
  const number = JSON.parse(
    JSON.stringify([...a2, a100])
      .replaceAll('"units":"', '"units": ')
      .replaceAll(/"units": (\d)"/g, '"units":$1'),
  ) as unknown[];
  await expect(read(...number)).rejects.toThrow(SourceError);
});

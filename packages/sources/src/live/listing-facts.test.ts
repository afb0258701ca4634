import { expect, test } from "vitest";
import { aws } from "./aws.js";
import { hyperstack } from "./hyperstack.js";
import { jarvislabs } from "./jarvislabs.js";
import { linode } from "./linode.js";
import type { LiveItem, LiveSource } from "./live-source.js";
import { bytesOf, present, readBodies, recordedBytes, samples, type Bodies } from "./recordings.fixture.js";
import { shadeform } from "./shadeform.js";
import { tensordock } from "./tensordock.js";
import { vast } from "./vast.js";

// What sources state beyond the offer.

const listingsOf = (items: readonly LiveItem[]) =>
  items.flatMap((item) => (item.kind === "offer" ? [item.listing] : []));
const notesOf = (items: readonly LiveItem[]) => items.flatMap((item) => (item.kind === "note" ? [item.note] : []));

async function listings(source: LiveSource, bodies: Bodies = samples[source.name] ?? {}) {
  return listingsOf(await readBodies(source, bodies));
}

test("aws: the spot price of the region and type, from the file of the spot price page", async () => {
  expect(await listings(aws)).toMatchObject([
    { instanceType: "g5.12xlarge", seller: "cloud", spot: { priceHourly: 1.6231, kind: "price" } },
  ]);
});

test.each([
  ["N/A*", null],
  ["", null],
  ["9.0E-4", { priceHourly: 0.0009, kind: "price" }],
  ["-1", null],
  ["0", null],
  // Not below the price on demand.
  ["3.9120", null],
])("aws: a spot price %j gives %j", async (price, spot) => {
  const bodies = JSON.parse(JSON.stringify(samples["aws"]).replace('"1.6231"', JSON.stringify(price))) as Bodies;
  expect(await listings(aws, bodies)).toMatchObject([{ spot }]);
});

test.each([
  ["<html>Not found</html>", "The response cannot be read"],
  [{ vers: 0.01, config: { rate: "permonth", regions: [] } }, 'config.rate: Invalid input: expected "perhr"'],
  [{ vers: 0.01, config: { rate: "perhr", regions: [{ region: "us-east-2", instanceTypes: 7 }] } }, "instanceTypes"],
])("aws: with another file of spot prices, %j, offers have none, and a note says why", async (spot, reason) => {
  const whole = await readBodies(aws, samples["aws"] ?? {});
  const items = await readBodies(aws, { ...samples["aws"], spot: typeof spot === "string" ? bytesOf(spot) : spot });
  expect(listingsOf(items)).toMatchObject([{ instanceType: "g5.12xlarge", spot: null }]);
  expect(items.filter(({ kind }) => kind === "offer")).toHaveLength(
    whole.filter(({ kind }) => kind === "offer").length,
  );
  expect(notesOf(items)).toEqual([expect.stringContaining(reason)]);
  expect(notesOf(items)[0]).toMatch(/^Spot prices are unknown\./);
});

test.runIf(present)("aws: the class of interruptions that the spot advisor's own file states", async () => {
  const advisor = recordedBytes("live/aws/spot-advisor-data-2025-06.json");
  const bodies = JSON.parse(JSON.stringify(samples["aws"]).replaceAll("g5.12xlarge", "p4d.24xlarge")) as Bodies;
  const classOf = async (region: string) => {
    const placed = JSON.parse(JSON.stringify(bodies).replaceAll("US East (Ohio)", region)) as Bodies;
    const [listing] = await listings(aws, { ...placed, "spot-advisor": advisor });
    return listing?.spotInterruption;
  };
  expect(await classOf("US East (N. Virginia)")).toBe("10-15%");
  expect(await classOf("Canada West (Calgary)")).toBeNull();
});

test("aws: with another file of the spot advisor, the class is unknown, and a note says why", async () => {
  const items = await readBodies(aws, { ...samples["aws"], "spot-advisor": { spot_advisor: 7 } });
  expect(listingsOf(items)).toMatchObject([{ instanceType: "g5.12xlarge", spotInterruption: null }]);
  expect(notesOf(items)).toEqual([
    expect.stringMatching(/^Interruptions of spot instances are unknown\. .*ranges|spot_advisor/s),
  ]);
});

test.each([
  [{ "4x": 0 }, "10+", "25+", "sold_out", "0 of this size, 25+ GPUs planned in 7 days"],
  [{ "4x": 2 }, "0", null, "in_stock", "2 of this size"],
  [{ "8x": 0 }, "10+", "0", "in_stock", "10+ GPUs"],
  [null, "3", "0", "sold_out", "3 GPUs"],
  [{ "4x": null }, null, "25+", "in_stock", null],
  [undefined, "many", null, "in_stock", null],
])(
  "hyperstack: %j of the sizes and %j free GPUs, %j planned, are %s",
  async (configurations, available, planned, availability, stockLevel) => {
    const models = [{ model: "A100-80G-PCIE", available, planned_7_days: planned, configurations }];
    const stocks = { stocks: [{ region: "NORWAY-1", models }] };
    expect(await listings(hyperstack, { ...samples["hyperstack"], stocks })).toMatchObject([
      { availability, stockLevel },
    ]);
  },
);

test.each([
  [{ stocks: [{ region: "NORWAY-1", models: [] }] }],
  [{ stocks: [{ region: "CANADA-1", models: [{ model: "A100-80G-PCIe", available: "0" }] }] }],
  [{ stocks: "none" }],
])("hyperstack: a model that %j doesn't name is as its flavor says", async (stocks) => {
  const bodies = { ...samples["hyperstack"], stocks };
  expect(await listings(hyperstack, bodies)).toMatchObject([{ availability: "in_stock", stockLevel: null }]);
});

test.each([
  [
    { min_boot_in_sec: 60, max_boot_in_sec: 60 },
    { min: 60, max: 60 },
  ],
  [{ min_boot_in_sec: 300, max_boot_in_sec: 180 }, null],
  [{ min_boot_in_sec: 60 }, null],
  [null, null],
])("shadeform: %j seconds to boot are %j", async (stated, bootSeconds) => {
  const sample = JSON.stringify({ min_boot_in_sec: 180, max_boot_in_sec: 300 });
  const text = JSON.stringify(samples["shadeform"]).replace(sample, JSON.stringify(stated));
  expect(await listings(shadeform, JSON.parse(text) as Bodies)).toMatchObject([{ bootSeconds }]);
});

test.each([
  [1_785_000_000.7, "2026-07-25T17:20:00.000Z"],
  [0, null],
  [1e15, null],
  [null, null],
])("vast: an offer that ends at %j is to be rented until %j", async (seconds, rentableUntil) => {
  const text = JSON.stringify(samples["vast"]).replace('"end_date":1803902400', `"end_date":${seconds}`);
  expect(await listings(vast, JSON.parse(text) as Bodies)).toMatchObject([{ rentableUntil }]);
});

test("linode: the price of outbound traffic by region, unknown where the list is", async () => {
  const prices = (items: readonly { egressPerGB: number | null }[]) => items.map(({ egressPerGB }) => egressPerGB);
  expect(prices(await listings(linode))).toEqual([0.007, 0.005]);
  const { "network-transfer/prices": _transfer, ...bodies } = samples["linode"] ?? {};
  expect(prices(await listings(linode, bodies))).toEqual([null, null]);
  const unknown = JSON.stringify(samples["linode"]).replace('"hourly":0.007,', '"hourly":null,');
  expect(prices(await listings(linode, JSON.parse(unknown) as Bodies))).toEqual([null, 0.005]);
});

test("jarvislabs: the spot price of all GPUs of the machine", async () => {
  const found = await listings(jarvislabs);
  expect(found.map(({ instanceType, spot }) => [instanceType, spot?.priceHourly])).toEqual([
    ["A100-80GB", 0.89],
    ["A100-80GB", 1.78],
  ]);
});

test("tensordock: the location that one rents from", async () => {
  expect(await listings(tensordock)).toMatchObject([
    { instanceType: "h100-sxm5-80gb", providerOfferId: "loc-1" },
    { instanceType: "h100-sxm5-80gb", providerOfferId: "loc-1" },
  ]);
});

test.each([
  ["2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z"],
  ["2026-11-20", "2026-11-20"],
  ["", null],
  ["last week", null],
])("the date of prices %j is known as %j", async (date, asOf) => {
  const bodies = JSON.parse(JSON.stringify(samples["aws"]).replace("2026-11-20T00:00:00Z", date)) as Bodies;
  const items = await readBodies(aws, bodies);
  expect(items.flatMap((item) => (item.kind === "provider" ? [item.provider.asOf] : []))).toEqual([asOf]);
});

import { expect, test } from "vitest";
import { aws } from "./aws.js";
import { gcp } from "./gcp.js";
import { jarvislabs } from "./jarvislabs.js";
import { linode } from "./linode.js";
import type { LiveItem, LiveSource } from "./live-source.js";
import { bytesOf, readBodies, samples, type Bodies } from "./samples.fixture.js";
import { sku } from "./gcp-sku.fixture.js";
import { tensordock } from "./tensordock.js";

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

test("linode: the price of outbound traffic by region, unknown where the list is", async () => {
  const prices = (items: readonly { egressPerGB: number | null }[]) => items.map(({ egressPerGB }) => egressPerGB);
  expect(prices(await listings(linode))).toEqual([0.007, 0.005]);
  const { "network-transfer/prices": _transfer, ...bodies } = samples["linode"] ?? {};
  expect(prices(await listings(linode, bodies))).toEqual([null, null]);
  const unknown = JSON.stringify(samples["linode"]).replace('"hourly":0.007,', '"hourly":null,');
  expect(prices(await listings(linode, JSON.parse(unknown) as Bodies))).toEqual([null, 0.005]);
});

test("gcp: the spot price is the sum of the spot prices of all parts, or unknown", async () => {
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
  const [small] = await listings(gcp, { skus: { skus: [...onDemand, ...parts] } });
  // 0.2 + 4 x 0.01 + 16 x 0.001.
  expect(small).toMatchObject({ instanceType: "g2-standard-4", spot: { priceHourly: 0.256, kind: "price" } });
  const [without] = await listings(gcp, { skus: { skus: [...onDemand, ...parts.slice(0, 2)] } });
  expect(without).toMatchObject({ instanceType: "g2-standard-4", spot: null });
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

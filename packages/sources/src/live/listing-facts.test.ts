import { expect, test } from "vitest";
import { aws } from "./aws.js";
import { jarvislabs } from "./jarvislabs.js";
import { linode } from "./linode.js";
import type { LiveItem, LiveSource } from "./live-source.js";
import { bytesOf, readBodies, samples, type Bodies } from "./recordings.fixture.js";
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

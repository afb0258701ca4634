import { expect, test } from "vitest";
import { LiveOffers, type LiveRow } from "./live-offers.js";

const row = {
  instanceType: "h100-8",
  region: "Berlin",
  place: { country: "Germany" },
  gpu: { name: "H100 SXM", count: 8 },
  priceHourly: 16,
  isAvailable: true,
  vcpu: 96,
  disk: { kind: "included", sizeGb: 2000 },
  listing: { seller: "cloud", spot: { priceHourly: 8, kind: "price" } },
} satisfies LiveRow;

/** A module without types may return anything. */
const itemOf = (changes: object) =>
  new LiveOffers({ name: "acme", type: "vm", stock: "live" }, { settings: {}, aliases: new Map() }).item(
    "machines[0]",
    {
      ...row,
      ...changes,
    },
  );

test("a row with every kind of disk is an offer", () => {
  const disks = [
    { kind: "included", sizeGb: 2000, scratchGb: 500 },
    { kind: "chosen", pricePerGbMonth: 0.1, minGb: 10, maxGb: 4000 },
    { kind: "terms", costPerGb: 0.0001, minGb: 10, maxGb: 4000 },
    { kind: "stated", sizeGb: 100 },
    { kind: "unpriced" },
  ];
  expect(disks.map((disk) => itemOf({ disk }).kind)).toEqual(disks.map(() => "offer"));
});

test("a spot price in another unit is no offer", () => {
  const spotOf = (priceHourly: number) => itemOf({ listing: { spot: { priceHourly, kind: "price" } } });
  expect(spotOf(15)).toMatchObject({ kind: "offer", listing: { spot: { priceHourly: 15 } } });
  expect(spotOf(800)).toMatchObject({
    kind: "rejection",
    code: "bad_price",
    reason: "The spot price is 800, more than 10 times the price.",
  });
});

test.each([
  [{ vcpus: 96 }, /^machines\[0\]: .*vcpus is unknown; did you mean vcpu\?/],
  [{ ram_gb: 96 }, /ram_gb is unknown; did you mean ramGb\?/],
  [{ spotPrice: 8 }, /spotPrice is unknown; known are instanceType, /],
  [{ listing: { sellers: "cloud" } }, /listing: sellers is unknown; did you mean seller\?$/],
  [{ listing: { spot: { price: 8, kind: "price" } } }, /listing\.spot: price is unknown; did you mean priceHourly\?/],
  [{ disk: { kind: "included", size: 9 } }, /disk: size is unknown; did you mean sizeGb\?/],
  [{ listing: { seller: "Cloud" } }, /listing\.seller: .*"cloud"\|"partner"\|"host".*\(listing\.seller is Cloud\)/],
  [{ disk: { kind: "free" } }, /disk\.kind: .*\(disk\.kind is free\)/],
  [{ disk: undefined }, /disk: /],
  [{ gpu: { model: "H100" } }, /gpu\.name.*model is unknown/],
  [{ listing: { spot: { priceHourly: "8", kind: "price" } } }, /listing\.spot\.priceHourly: .* is 8\)/],
  [{ priceHourly: "16" }, /priceHourly: .*\(priceHourly is 16\)/],
  [{ isAvailable: "yes" }, /isAvailable: .*\(isAvailable is yes\)/],
])("%j is an error that names the field and its value", (changes, message) => {
  expect(() => itemOf(changes)).toThrow(message);
});

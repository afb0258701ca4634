import { isAtLeast, present } from "@gpu-offers/domain";
import { expect, test } from "vitest";
import type { OfferItem } from "../source-item.js";
import { liveSources } from "./live-sources.js";
import { readBodies, samples } from "./recordings.fixture.js";

const monthly = (pricePerGbMonth: number) => ({ pricePerGbMonth, steps: null });

test.each([
  ["aws", { ...monthly(0.081), product: "EBS gp3", asOf: "2026-11-02" }],
  [
    "azure",
    {
      steps: [
        { gb: 32, pricePerMonth: 5.5 },
        { gb: 128, pricePerMonth: 18.5 },
        { gb: 1024, pricePerMonth: 125 },
      ],
      maxGb: 1024,
    },
  ],
  ["oci", monthly(0.0435)],
  ["linode", { ...monthly(0.1606), includedGb: 512, minAddedGb: 10 }],
  ["verda", monthly(0.21)],
  ["ovhcloud", { ...monthly(0.0876), includedGb: 400, maxGb: 12_688 }],
])("%s reads the price of disks with those of machines", async (name, disk) => {
  const source = present(liveSources.find((known) => known.name === name));
  const item = (await readBodies(source, present(samples[name]))).find(({ kind }) => kind === "offer");
  expect(item).toMatchObject({ listing: { storage: disk, converted: null } });
  const { offer, listing } = item as OfferItem;
  expect(isAtLeast({ ...offer, listing })).toBe(false);
});

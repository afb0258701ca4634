import { readFileSync } from "node:fs";
import { findGpuModel, type Offer } from "@gpu-offers/domain";
import { findInstanceType, locate, readNative, type SourceImage, type SourceItem } from "@gpu-offers/sources";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const text = readFileSync(new URL("../catalog/starter.json", import.meta.url), "utf8");
const rows = z
  .looseObject({ offers: z.array(z.looseObject({ provider: z.string(), instanceType: z.string() })) })
  .parse(JSON.parse(text)).offers;

const items: SourceItem[] = [];
for await (const item of readNative(new Blob([text]).stream())) items.push(item);
const offers: Offer[] = items.flatMap((item) => (item.kind === "offer" ? [item.offer] : []));
const images: SourceImage[] = items.flatMap((item) => (item.kind === "provider" ? item.provider.images : []));

describe("the starter catalog", () => {
  test("is read without a rejected offer", () => {
    expect(items.filter(({ kind }) => kind === "refusal")).toEqual([]);
    expect(offers).toHaveLength(rows.length);
  });

  test("agrees with the tables of instance types", () => {
    let known = 0;
    for (const [index, { provider, instanceType }] of rows.entries()) {
      const offer = offers[index];
      const documented = findInstanceType(provider, instanceType);
      if (documented === undefined || offer === undefined) continue;
      known += 1;
      const { gpu, gpuCount, nvlink, interconnect } = documented;
      const facts = { gpu: offer.gpu.slug, gpuCount: offer.gpuCount, interconnect: offer.interconnect };
      expect(facts, `${provider} ${instanceType}`).toEqual({ gpu, gpuCount, interconnect });
      // Unless a page says that there is NVLink, an offer does not claim it.
      const expected = gpuCount > 1 && (nvlink ?? findGpuModel(gpu)?.nvlink ?? false);
      expect(offer.nvlinkEnabled, `${provider} ${instanceType}`).toBe(expected);
    }
    expect(known).toBeGreaterThan(150);
  });

  test("agrees with the tables of GPU models and places", () => {
    for (const offer of offers) {
      expect(offer.gpu.vramGB, offer.gpu.slug).toBe(findGpuModel(offer.gpu.slug)?.vramGb);
      const { countryCode } = locate({ provider: offer.provider.name, region: offer.region });
      if (countryCode !== "ZZ") {
        expect(offer.regionInfo.countryCode, `${offer.provider.name} ${offer.region}`).toBe(countryCode);
      }
      expect(offer.regionInfo.countryCode).not.toBe("ZZ");
    }
  });

  test("has the current models that clouds rent", () => {
    const slugs = new Set(offers.map(({ gpu }) => gpu.slug));
    const current =
      "b300 gb200 b200 h200-sxm h100-sxm gh200-96gb rtx-pro-6000-server l40s l4 rtx-5090 mi300x mi325x".split(" ");
    expect(current.filter((slug) => !slugs.has(slug))).toEqual([]);
  });

  test("marks its images as examples, and only named ones claim CUDA or Docker", () => {
    expect(images.filter(({ displayName }) => !displayName.endsWith(" (example)"))).toEqual([]);
    // The stock images of distributions come without a driver and without Docker.
    const plain = images.filter(({ displayName }) =>
      /^Ubuntu(?: Server)? \d\d\.04(?: (?:LTS|Server|Noble|arm64))* \(/.test(displayName),
    );
    expect(plain.length).toBeGreaterThan(10);
    expect(plain.filter(({ hasCuda, hasDocker }) => hasCuda || hasDocker)).toEqual([]);
  });
});
